import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MutePeer, sdp } from '../../../../support/sip/mutePeer.ts';
import { headerOf } from '../../../../support/sip/scriptedPbx.ts';
import { useScriptedPhone } from '../../../../support/sip/scriptedPhone.ts';

const at = useScriptedPhone();
const failures = vi.fn<() => void>();

beforeEach(() => {
  // What the SIP library fails at is caught, and told there.
  vi.spyOn(console, 'error').mockImplementation(failures);
});
afterEach(() => {
  vi.restoreAllMocks();
  failures.mockReset();
});

const noVoice = sdp.replace('m=audio 4000', 'm=audio 0');

describe('in a call', () => {
  it.each<[string, string, string[], string, number]>([
    ['a NOTIFY of nothing', 'NOTIFY', [], '', 400],
    ['a NOTIFY of what cannot be read', 'NOTIFY', ['Event: ;;'], '', 400],
    ['a NOTIFY of a transfer that nobody has asked for', 'NOTIFY', ['Event: refer;id=constructor'], '', 481],
    ['an offer without a voice', 'INVITE', ['Content-Type: application/sdp'], noVoice, 488],
    ['an UPDATE without a voice', 'UPDATE', ['Content-Type: application/sdp'], noVoice, 488],
    ['an offer without a line for it', 'INVITE', ['Content-Type: application/sdp'], 'v=0\r\n', 488],
    [
      'an offer that would take the place of its own call',
      'INVITE',
      ['Replaces: a;to-tag=b;from-tag=c', 'Content-Type: application/sdp'],
      sdp,
      400,
    ],
  ])('%s is refused once, and the call goes on', async (_what, method, headers, body, code) => {
    const dialog = await at().answers();
    expect(await dialog.ask(method, headers, body)).toMatch(new RegExp(`^SIP/2\\.0 ${String(code)} `));
    expect(await dialog.reinvite(sdp, ['Content-Type: application/sdp'])).toMatch(/^SIP\/2\.0 200 /);
    expect(
      at().pbx.told.filter((text) => new RegExp(`^SIP/2\\.0 [2-6][^]*^CSeq: 100 ${method}`, 'm').test(text)),
    ).toHaveLength(1);
    expect(failures).not.toHaveBeenCalled();
  });
});

describe('a description that turns out to be none', () => {
  it('when the call has ended meanwhile is nobody’s trouble', async () => {
    await at().isReady();
    at().pbx.invite([], 'call', { offer: '' });
    await at().pbx.hears(/^SIP\/2\.0 180 /);
    at().call?.answer();
    const ok = await at().pbx.hears(/^SIP\/2\.0 200 /);
    let refuse: (why: Error) => void = () => undefined;
    vi.spyOn(MutePeer.prototype, 'setRemoteDescription').mockReturnValue(new Promise((_, reject) => (refuse = reject)));
    const unhandled = vi.fn<() => void>();
    process.on('unhandledRejection', unhandled);
    const about = ['From: <sip:+15551230001@pbx.test>;tag=caller', `To: ${headerOf(ok, 'To')}`, 'Call-ID: call'];
    at().pbx.say([
      'ACK sip:ada@pbx.test SIP/2.0',
      'Via: SIP/2.0/WS pbx.test;branch=z9hG4bKack',
      ...about,
      'CSeq: 1 ACK',
      'Content-Type: application/sdp',
      '',
      'v=0\r\n',
    ]);
    at().pbx.say([
      'BYE sip:ada@pbx.test SIP/2.0',
      'Via: SIP/2.0/WS pbx.test;branch=z9hG4bKbye',
      ...about,
      'CSeq: 2 BYE',
      '',
      '',
    ]);
    await at().pbx.hears(/^SIP\/2\.0 200 [^]*BYE/);
    refuse(new DOMException('no description', 'InvalidAccessError'));
    // Rejections that nobody has handled are told between two turns.
    at().pbx.say([
      'OPTIONS sip:ada@pbx.test SIP/2.0',
      'Via: SIP/2.0/WS pbx.test;branch=z9hG4bKoptions',
      ...about,
      'CSeq: 3 OPTIONS',
      '',
      '',
    ]);
    await at().pbx.hears(/^SIP\/2\.0 200 [^]*OPTIONS/);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('who writes no branches', () => {
  it('is told of each call anew, as it was written', async () => {
    await at().isReady();
    for (const callId of ['one', 'two']) {
      const { length } = at().pbx.told;
      at().pbx.say([
        'INVITE sip:ada@pbx.test SIP/2.0',
        'Via: SIP/2.0/WS pbx.test;rport',
        'From: <sip:+15551230001@pbx.test>;tag=a',
        'To: <sip:ada@pbx.test>',
        `Call-ID: ${callId}`,
        'CSeq: 1 INVITE',
        'Content-Type: application/sdp',
        '',
        sdp,
      ]);
      const ringing = await at().pbx.hears(/^SIP\/2\.0 180 /, length);
      expect([headerOf(ringing, 'Call-ID'), headerOf(ringing, 'Via')]).toEqual([callId, 'SIP/2.0/WS pbx.test;rport']);
      at().call?.reject();
      await at().pbx.hears(/^SIP\/2\.0 603 /, length);
      at().pbx.say([
        'ACK sip:ada@pbx.test SIP/2.0',
        'Via: SIP/2.0/WS pbx.test;rport',
        'From: <sip:+15551230001@pbx.test>;tag=a',
        `To: ${headerOf(ringing, 'To')}`,
        `Call-ID: ${callId}`,
        'CSeq: 1 ACK',
        '',
        '',
      ]);
    }
    expect(at().pbx.told.join()).not.toContain('as-written');
  });
});
