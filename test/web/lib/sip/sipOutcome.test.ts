import { describe, expect, it } from 'vitest';
import { endOf, type SipEnding, tookElsewhere } from '../../../../web/src/lib/sip/sipOutcome.ts';

const plain: SipEnding = {
  direction: 'outbound',
  wasConnected: false,
  requested: null,
  by: 'remote',
  isDeliberate: false,
  isMute: false,
  code: null,
  reasons: [],
  answeredElsewhere: false,
  rangMs: 1_000,
  takesOver: false,
  voice: 'well',
};
const ring: Partial<SipEnding> = { direction: 'inbound' };

describe('the end of a SIP call', () => {
  it.each<[string, Partial<SipEnding>, object]>([
    ['a busy line', { code: 486 }, { reason: 'busy', endedBy: 'customer', sipCode: 486 }],
    ['busy everywhere', { code: 600 }, { reason: 'busy', endedBy: 'customer', sipCode: 600 }],
    ['a customer who declines', { code: 603 }, { reason: 'rejected', endedBy: 'customer', sipCode: 603 }],
    [
      'a network that forbids it',
      { code: 403 },
      { reason: 'rejected', endedBy: 'customer', sipCode: 403, detail: 'not_allowed' },
    ],
    ['a telephone that nobody answers', { code: 480 }, { reason: 'no_answer', sipCode: 480 }],
    ['a network that gives up', { code: 408 }, { reason: 'no_answer', sipCode: 408 }],
    ['a number that does not exist', { code: 404 }, { reason: 'failed', sipCode: 404, detail: 'not_in_service' }],
    ['an incomplete number', { code: 484 }, { reason: 'failed', sipCode: 484, detail: 'number_incomplete' }],
    ['a broken network', { code: 503 }, { reason: 'failed', sipCode: 503, detail: 'service_unavailable' }],
    ['an account that is not taken', { code: 407 }, { reason: 'failed', sipCode: 407, detail: 'not_allowed' }],
    ['a network that stops answering', { by: 'system' }, { reason: 'failed' }],
    ['the agent’s own waiting time', { requested: 'no_answer', by: 'local' }, { reason: 'no_answer' }],
    [
      'an agent who gives up',
      { requested: 'hang_up', by: 'local', isDeliberate: true },
      { reason: 'canceled', endedBy: 'agent' },
    ],
    [
      'an agent who gives up as it is refused',
      { requested: 'hang_up', code: 487 },
      { reason: 'canceled', endedBy: 'agent', sipCode: 487 },
    ],
    [
      'an agent who hangs up',
      { wasConnected: true, requested: 'hang_up', by: 'local' },
      { reason: 'completed', endedBy: 'agent' },
    ],
    [
      'an agent who hangs up where no voice goes any way',
      { wasConnected: true, requested: 'hang_up', by: 'local', voice: 'reconnecting' },
      { reason: 'failed', endedBy: 'agent', detail: 'voice_lost' },
    ],
    [
      'an agent who hangs up on silence',
      { wasConnected: true, requested: 'hang_up', by: 'local', voice: 'silent' },
      { reason: 'completed', endedBy: 'agent', detail: 'voice_lost' },
    ],
    [
      'a customer who hangs up as the voice is lost',
      { wasConnected: true, isDeliberate: true, voice: 'reconnecting' },
      { reason: 'completed', endedBy: 'customer', detail: 'voice_lost' },
    ],
    [
      'a customer who hangs up',
      { wasConnected: true, isDeliberate: true },
      { reason: 'completed', endedBy: 'customer' },
    ],
    ['an inbound call that was given up', { ...ring, isDeliberate: true }, { reason: 'canceled', endedBy: 'customer' }],
    [
      'an inbound call that rang for long',
      { ...ring, isDeliberate: true, rangMs: 15_000 },
      { reason: 'missed', endedBy: 'customer' },
    ],
    [
      'an inbound call that another telephone took',
      { ...ring, isDeliberate: true, rangMs: 20_000, answeredElsewhere: true },
      { reason: 'canceled', detail: 'answered_elsewhere' },
    ],
    [
      'an inbound call that was declined',
      { ...ring, requested: 'decline', by: 'local' },
      { reason: 'rejected', endedBy: 'agent' },
    ],
    [
      'an inbound call that was passed on',
      { ...ring, requested: 'pass_on', by: 'local', rangMs: 20_000 },
      { reason: 'canceled', endedBy: 'agent', detail: 'passed_on' },
    ],
    [
      'an inbound call whose page went',
      { ...ring, requested: 'away', by: 'local', rangMs: 60_000 },
      { reason: 'canceled' },
    ],
    [
      'an inbound call that rang in vain',
      { ...ring, requested: 'no_answer', by: 'local' },
      { reason: 'no_answer', endedBy: 'agent' },
    ],
    ['an inbound call whose network broke', { ...ring, by: 'system' }, { reason: 'failed' }],
    ['a call to take over that is there no more', { takesOver: true, code: 481 }, { reason: 'failed', sipCode: 481 }],
  ])('of %s', (_name, ending, expected) => {
    expect(endOf({ ...plain, ...ending })).toEqual(expected);
  });

  it.each<[string, Partial<SipEnding>]>([
    ['refused', { code: 420 }],
    ['refused as the customer would', { code: 603 }],
    ['given up by the agent', { requested: 'hang_up', by: 'local', isDeliberate: true }],
    ['not answered in time', { requested: 'no_answer', by: 'local', isDeliberate: true }],
  ])('of one to take over that was %s says that it may still stand', (_name, ending) => {
    expect(endOf({ ...plain, takesOver: true, ...ending })).toMatchObject({ stands: true });
  });

  it.each<[number, string]>([
    [1_000, 'canceled'],
    [15_000, 'missed'],
  ])('of one that rang for %i ms when the line was lost is %s', (rangMs, reason) => {
    expect(endOf({ ...plain, ...ring, requested: 'line_lost', by: 'local', rangMs })).toMatchObject({
      reason,
      problem: { code: 'connection_lost_ringing' },
    });
  });

  it.each<[string, Partial<SipEnding>, string]>([
    ['no network to send through', { requested: 'no_interface', by: 'local' }, 'no_interface'],
    ['no microphone', { ...ring, requested: 'no_microphone', by: 'local' }, 'no_microphone'],
    ['a connection that broke while they talked', { wasConnected: true, by: 'local' }, 'connection_lost'],
    ['an offer that no browser takes', { ...ring, isMute: true, by: 'system' }, 'no_webrtc_audio'],
    ['an answer that no browser takes', { isMute: true, code: 200 }, 'no_webrtc_audio'],
    ['a network that hands no calls over', { takesOver: true, code: 420 }, 'not_taken_over'],
  ])('is told to the agent where there was %s', (_name, ending, code) => {
    expect(endOf({ ...plain, ...ending })).toMatchObject({ reason: 'failed', problem: { code } });
  });
});

describe('a CANCEL', () => {
  it.each([
    [['SIP;cause=200;text="Call completed elsewhere"']],
    [['sip ; CAUSE = 200']],
    [['Q.850;cause=26']],
    [['Q.850;cause=16, SIP;cause=200']],
    [['Q.850;cause=16', 'Q.850;cause=26;text="non-selected user clearing"']],
  ])('for %j says that another telephone has the call', (reasons) => {
    expect(tookElsewhere(reasons)).toBe(true);
  });

  it.each([
    [[]],
    [['SIP;cause=487;text="cause=200"']],
    [['Q.850;cause=200']],
    [['SIP;cause=26']],
    [['Q.850;cause=16;text="a;cause=26, Q.850;cause=26"']],
    [['SIP;cause=2000']],
  ])('for %j says no such thing', (reasons) => {
    expect(tookElsewhere(reasons)).toBe(false);
  });
});
