import { describe, expect, it } from 'vitest';
import { decidePresence } from '../../src/domain/agentStates.ts';
import type { PresenceCommand } from '../../src/domain/presenceCommands.ts';
import type { AgentId, CallId, CompanyId, Lease } from '../../src/domain/ids.ts';
import {
  claimTtlMs,
  isClaimable,
  logoutAfterMs,
  nextDeadline,
  reconnectGraceMs,
  recordCheckMs,
  ringTtlMs,
  type Presence,
} from '../../src/domain/presence.ts';
import { after, ask, changed, fresh, newClaim, noon, openSession, ready } from '../support/stores/presenceFixtures.ts';

const companyId = fresh<CompanyId>();
const agentId = fresh<AgentId>();
const fallDue: PresenceCommand = { type: 'fall_due' };
const illegal = { kind: 'refused', code: 'illegal_transition' };
const stale = { kind: 'refused', code: 'stale_lease' };

const claim = { type: 'claim', ...newClaim() } as const;
const { callId, claimId } = claim;
const anna = ready(noon, companyId, agentId);
const lease = anna.lease!;
const reserved = changed(anna, claim, noon + 1_000);
const confirm = { type: 'confirm', claimId, sessionId: anna.sessionId! } as const;
const onCall = changed(reserved, confirm, noon + 2_000);
const wrappingUp = changed(onCall, { type: 'end_call', callId, wrapUpMs: 30_000 }, noon + 60_000);
const onBreak = changed(anna, ask('not_ready', { reason: 'break' }), noon + 500);
const ringing = changed(anna, { type: 'ring', ...newClaim(), lease }, noon + 1_000);
const lost = { type: 'lose_connection', lease } as const;

/** The presence as it is when a deadline has passed. */
function whenDue(presence: Presence, now: number): Presence {
  return changed(presence, fallDue, now);
}

describe('an agent who is offline', () => {
  it('is not Ready, because of the log-in, as soon as a softphone opens a session', () => {
    const open = openSession(companyId, agentId);
    expect(changed(null, open, noon)).toMatchObject({
      ...{ companyId, agentId, version: 1, state: 'not_ready', reason: 'login', since: noon },
      ...{ connection: 'connected', sessionId: open.sessionId, lease: open.lease, nodeId: open.nodeId },
      ...{ pending: null, callId: null, idleSince: null, expiresAt: null },
    });
  });

  it('is on the call that the durable record still holds when presence was lost', () => {
    const restored = changed(null, { type: 'restore_call', companyId, agentId, callId, lostSince: noon - 5_000 }, noon);
    expect(restored).toMatchObject({ state: 'on_call', callId, connection: 'lost', lease: null });
    expect(nextDeadline(restored)).toBe(noon - 5_000 + logoutAfterMs);
  });

  it('can do nothing else', () => {
    for (const command of [ask('ready'), claim, confirm, lost, fallDue]) {
      expect(decidePresence(null, command, noon)).toEqual(illegal);
    }
  });
});

describe('an agent who is not Ready', () => {
  it('goes Ready when it asks to, and is idle from then on', () => {
    const asked = changed(onBreak, ask('ready', { lease }), noon + 9_000);
    expect(asked).toMatchObject({ state: 'ready', reason: null, since: noon + 9_000, idleSince: noon + 9_000 });
    expect(isClaimable(asked)).toBe(true);
  });

  it('may give another reason', () => {
    expect(changed(onBreak, ask('not_ready', { reason: 'meal', lease }), noon)).toMatchObject({ reason: 'meal' });
  });

  it('is not changed by asking for what already is', () => {
    expect(decidePresence(onBreak, ask('not_ready', { reason: 'break', lease }), noon)).toEqual({ kind: 'unchanged' });
  });

  it('cannot be claimed', () => {
    expect(decidePresence(onBreak, claim, noon)).toEqual(illegal);
  });

  it('dials by hand, and afterwards is back in the same reason', () => {
    const dialing = changed(onBreak, { type: 'dial_by_hand', callId, lease }, noon + 1_000);
    expect(dialing).toMatchObject({ state: 'on_call', callId, expiresAt: noon + 1_000 + recordCheckMs });
    const ended = changed(dialing, { type: 'end_call', callId, wrapUpMs: 10_000 }, noon + 2_000);
    const done = changed(ended, { type: 'finish_wrap_up', callId }, noon + 3_000);
    expect(done).toMatchObject({ state: 'not_ready', reason: 'break', callId: null });
  });

  it('is back in the same reason when the dial by hand was never recorded', () => {
    const dialing = changed(onBreak, { type: 'dial_by_hand', callId, lease }, noon);
    expect(changed(dialing, { type: 'drop_unrecorded', callId }, noon)).toMatchObject({
      ...{ state: 'not_ready', reason: 'break', callId: null },
    });
  });
});

describe('an agent who is Ready', () => {
  it('goes not Ready when it asks to, and loses its place in the idle order', () => {
    expect(onBreak).toMatchObject({ state: 'not_ready', reason: 'break', idleSince: null });
  });

  it('is set not Ready by a supervisor, with that reason', () => {
    const set = changed(anna, ask('not_ready', { reason: 'supervisor' }), noon);
    expect(set).toMatchObject({ state: 'not_ready', reason: 'supervisor' });
  });

  it('is reserved by a claim, for a short time, and keeps its place in the idle order', () => {
    expect(reserved).toEqual({
      ...anna,
      ...{ version: anna.version + 1, state: 'reserved', reservedFor: 'offer', claimId, callId },
      ...{ since: noon + 1_000, expiresAt: noon + 1_000 + claimTtlMs, idleSince: noon },
    });
  });

  it('is reserved by a ring at its own softphone, for longer', () => {
    expect(ringing).toMatchObject({ state: 'reserved', reservedFor: 'ring', expiresAt: noon + 1_000 + ringTtlMs });
    expect(isClaimable(ringing)).toBe(false);
  });
});

describe('a reserved agent', () => {
  it('is on the call when its session confirms, until the dial is looked up in the record', () => {
    expect(onCall).toMatchObject({ state: 'on_call', callId, idleSince: null });
    expect(onCall.expiresAt).toBe(noon + 2_000 + recordCheckMs);
    expect(changed(onCall, { type: 'keep_recorded', callId }, noon)).toMatchObject({ state: 'on_call', expiresAt: null });
  });

  it('is not moved by a confirmation of another claim or session', () => {
    expect(decidePresence(reserved, { ...confirm, claimId: newClaim().claimId }, noon)).toEqual(illegal);
    const other = openSession(companyId, agentId);
    expect(decidePresence(reserved, { ...confirm, sessionId: other.sessionId }, noon)).toEqual(illegal);
    expect(decidePresence(onCall, confirm, noon)).toEqual(illegal);
  });

  it.each(['delivery_failed', 'rejected'] as const)('goes not Ready when the offer is over: %s', (reason) => {
    expect(changed(reserved, { type: 'fail_offer', claimId, reason }, noon + 3_000)).toMatchObject({
      ...{ state: 'not_ready', reason, since: noon + 3_000 },
      ...{ callId: null, claimId: null, reservedFor: null, idleSince: null, expiresAt: null },
    });
  });

  it('goes not Ready when nobody confirmed or rescinded in time', () => {
    expect(decidePresence(reserved, fallDue, noon + 1_000 + claimTtlMs - 1)).toEqual({ kind: 'unchanged' });
    expect(whenDue(reserved, noon + 1_000 + claimTtlMs)).toMatchObject({ state: 'not_ready', reason: 'delivery_failed' });
  });

  it.each(['no_answer', 'rejected'] as const)('goes not Ready when it did not take the ring: %s', (reason) => {
    const missed = changed(ringing, { type: 'miss_ring', callId: ringing.callId!, reason }, noon);
    expect(missed).toMatchObject({ state: 'not_ready', reason, callId: null });
  });

  it('goes not Ready when the softphone forgot to end a ring', () => {
    expect(whenDue(ringing, noon + 1_000 + ringTtlMs)).toMatchObject({ state: 'not_ready', reason: 'no_answer' });
  });

  it('is on the call when it answers the ring', () => {
    const answered = changed(ringing, { type: 'answer', callId: ringing.callId! }, noon);
    expect(answered).toMatchObject({ state: 'on_call', callId: ringing.callId, expiresAt: null });
  });

  it('is Ready again, in its old place, when the call was cancelled before it was confirmed', () => {
    const canceled = changed(reserved, { type: 'cancel', callId }, noon + 2_000);
    expect(canceled).toEqual({ ...anna, version: anna.version + 2, since: noon + 2_000 });
  });

  it('is back in its reason when a ring that found it not Ready stops', () => {
    const rung = changed(onBreak, { type: 'ring', ...newClaim(), lease }, noon);
    const canceled = changed(rung, { type: 'cancel', callId: rung.callId! }, noon);
    expect(canceled).toMatchObject({ state: 'not_ready', reason: 'break' });
  });

  it.each(['ready', 'not_ready', 'offline'] as const)('is %s at once when a supervisor forces it', (state) => {
    expect(changed(reserved, ask(state, { force: true }), noon)).toMatchObject({ state, callId: null });
  });
});

describe('an agent on a call', () => {
  it('wraps up when the call ends, for as long as its company gives', () => {
    expect(wrappingUp).toMatchObject({ state: 'wrap_up', callId, expiresAt: noon + 90_000, idleSince: null });
  });

  it('is Ready at once where a company gives no wrap-up', () => {
    expect(changed(onCall, { type: 'end_call', callId, wrapUpMs: 0 }, noon + 60_000)).toMatchObject({
      ...{ state: 'ready', callId: null, idleSince: noon + 60_000 },
    });
  });

  it('is not moved by the end of another call', () => {
    const other = fresh<CallId>();
    expect(decidePresence(onCall, { type: 'end_call', callId: other, wrapUpMs: 0 }, noon)).toEqual({ kind: 'unchanged' });
  });

  it('cannot be claimed, dial or ring', () => {
    expect(decidePresence(onCall, claim, noon)).toEqual(illegal);
    expect(decidePresence(onCall, { type: 'dial_by_hand', callId, lease }, noon)).toEqual(illegal);
    expect(decidePresence(onCall, { type: 'ring', ...newClaim(), lease }, noon)).toEqual(illegal);
  });

  it('keeps what it asks for until after the call', () => {
    const wished = changed(onCall, ask('not_ready', { reason: 'meal', lease }), noon);
    expect(wished).toMatchObject({ state: 'on_call', pending: { state: 'not_ready', reason: 'meal' } });
    const ended = changed(wished, { type: 'end_call', callId, wrapUpMs: 30_000 }, noon);
    expect(ended).toMatchObject({ state: 'wrap_up', pending: { state: 'not_ready', reason: 'meal' } });
    const done = changed(ended, { type: 'finish_wrap_up', callId }, noon);
    expect(done).toMatchObject({ state: 'not_ready', reason: 'meal', pending: null });
  });

  it.each(['ready', 'not_ready', 'offline'] as const)('is %s at once when a supervisor frees it', (state) => {
    expect(changed(onCall, ask(state, { force: true }), noon)).toMatchObject({ state, callId: null, pending: null });
  });
});

describe('an agent in wrap-up', () => {
  it('is Ready when the disposition is submitted', () => {
    expect(changed(wrappingUp, { type: 'finish_wrap_up', callId }, noon + 70_000)).toMatchObject({
      ...{ state: 'ready', reason: null, callId: null, idleSince: noon + 70_000, expiresAt: null },
    });
  });

  it('is Ready when the wrap-up timer ends', () => {
    expect(nextDeadline(wrappingUp)).toBe(noon + 90_000);
    expect(decidePresence(wrappingUp, fallDue, noon + 89_999)).toEqual({ kind: 'unchanged' });
    expect(whenDue(wrappingUp, noon + 90_000)).toMatchObject({ state: 'ready', callId: null });
  });

  it('goes where it asked to be, when the timer ends', () => {
    const wished = changed(wrappingUp, ask('not_ready', { reason: 'training', lease }), noon);
    expect(whenDue(wished, noon + 90_000)).toMatchObject({ state: 'not_ready', reason: 'training', pending: null });
  });

  it('may change its mind', () => {
    const commands = [ask('not_ready', { reason: 'meal', lease }), ask('ready', { lease })];
    expect(whenDue(after(wrappingUp, noon, ...commands), noon + 90_000)).toMatchObject({ state: 'ready' });
  });

  it('is freed at once by a supervisor', () => {
    expect(changed(wrappingUp, ask('ready', { force: true }), noon)).toMatchObject({ state: 'ready', callId: null });
  });
});

describe('an agent who signs out', () => {
  const signedOut = {
    ...{ state: 'offline', callId: null, claimId: null, sessionId: null, lease: null, nodeId: null },
    ...{ pending: null, idleSince: null, expiresAt: null },
  };

  it.each([
    ['Ready', anna],
    ['not Ready', onBreak],
    ['in wrap-up', wrappingUp],
  ])('is offline at once when %s', (_, presence) => {
    const offline = changed(presence, ask('offline', { lease }), noon);
    expect(offline).toMatchObject(signedOut);
    expect(nextDeadline(offline)).toBeNull();
  });

  it('is offline after the call when on one', () => {
    const wished = changed(onCall, ask('offline', { lease }), noon);
    expect(wished.state).toBe('on_call');
    expect(changed(wished, { type: 'end_call', callId, wrapUpMs: 0 }, noon)).toMatchObject(signedOut);
  });
});

describe('an agent who asked to sign out while reserved', () => {
  const offered = changed(reserved, ask('offline', { lease }), noon + 1_500);
  const rung = changed(ringing, ask('offline', { lease }), noon + 1_500);

  it.each<[string, Presence, PresenceCommand, number]>([
    ['the offer fails', offered, { type: 'fail_offer', claimId, reason: 'rejected' }, noon + 2_000],
    ['the claim lapses', offered, fallDue, noon + 1_000 + claimTtlMs],
    ['the call is cancelled', offered, { type: 'cancel', callId }, noon + 2_000],
    ['the ring is not answered', rung, { type: 'miss_ring', callId: rung.callId!, reason: 'no_answer' }, noon + 2_000],
    ['the ring lapses', rung, fallDue, noon + 1_000 + ringTtlMs],
  ])('is offline when %s', (_, presence, command, now) => {
    expect(changed(presence, command, now)).toMatchObject({ state: 'offline', callId: null, pending: null });
  });
});

describe('a softphone whose connection is lost', () => {
  it('makes its agent unroutable at once', () => {
    const gone = changed(anna, lost, noon + 1_000);
    expect(gone).toMatchObject({ state: 'ready', connection: 'reconnecting', connectionSince: noon + 1_000 });
    expect(isClaimable(gone)).toBe(false);
    expect(decidePresence(gone, claim, noon + 1_000)).toEqual(illegal);
    expect(decidePresence(gone, lost, noon + 2_000)).toEqual({ kind: 'unchanged' });
  });

  it.each([
    ['Ready and its place in the idle order', anna],
    ['its reason', onBreak],
    ['its call', onCall],
    ['its wrap-up', wrappingUp],
  ])('finds %s again when it is back within 30 s', (_, presence) => {
    const gone = changed(presence, lost, noon);
    const back = { ...openSession(companyId, agentId), sessionId: presence.sessionId! };
    const now = noon + reconnectGraceMs - 1;
    expect(changed(gone, back, now)).toEqual({
      ...presence,
      ...{ version: presence.version + 2, connectionSince: now, lease: back.lease, nodeId: back.nodeId },
    });
  });

  it('makes its agent not Ready after 30 s', () => {
    const gone = changed(anna, lost, noon);
    expect(nextDeadline(gone)).toBe(noon + reconnectGraceMs);
    const away = whenDue(gone, noon + reconnectGraceMs);
    expect(away).toMatchObject({ state: 'not_ready', reason: 'connection_lost', connection: 'lost', idleSince: null });
    const back = changed(away, openSession(companyId, agentId), noon + 60_000);
    expect(back).toMatchObject({ state: 'not_ready', reason: 'connection_lost', connection: 'connected' });
  });

  it('is back too late after 30 s even if nobody had looked', () => {
    const gone = changed(anna, lost, noon);
    const back = changed(gone, openSession(companyId, agentId), noon + reconnectGraceMs);
    expect(back).toMatchObject({ state: 'not_ready', reason: 'connection_lost', connection: 'connected' });
    expect(back.version).toBe(gone.version + 1);
  });

  it('leaves its agent on the call after 30 s', () => {
    const settled = changed(onCall, { type: 'keep_recorded', callId }, noon);
    const away = whenDue(changed(settled, lost, noon), noon + reconnectGraceMs);
    expect(away).toMatchObject({ state: 'on_call', callId, connection: 'lost' });
    const back = changed(away, openSession(companyId, agentId), noon + logoutAfterMs - 1);
    expect(back).toMatchObject({ state: 'on_call', callId, connection: 'connected' });
  });

  it('does not bring its agent to Ready when the call ends meanwhile', () => {
    const away = whenDue(changed(onCall, lost, noon), noon + reconnectGraceMs);
    const ended = changed(away, { type: 'end_call', callId, wrapUpMs: 0 }, noon + reconnectGraceMs);
    expect(ended).toMatchObject({ state: 'not_ready', reason: 'connection_lost', callId: null });
    expect(decidePresence(ended, ask('ready'), noon)).toEqual(illegal);
  });

  it.each([
    ['Ready', anna],
    ['not Ready', onBreak],
    ['reserved', reserved],
    ['on a call', onCall],
    ['in wrap-up', wrappingUp],
  ])('logs its agent out after 300 s when %s', (_, presence) => {
    const gone = changed(presence, lost, noon);
    expect(whenDue(gone, noon + logoutAfterMs - 1).state).not.toBe('offline');
    expect(whenDue(gone, noon + logoutAfterMs)).toMatchObject({ state: 'offline', callId: null, lease: null });
  });

  it('is 300 s in all, not 300 s after the first 30', () => {
    const away = whenDue(changed(anna, lost, noon), noon + reconnectGraceMs + 1_234);
    expect(nextDeadline(away)).toBe(noon + logoutAfterMs);
  });

  it('starts anew with a log-in after it was logged out', () => {
    const gone = changed(onCall, lost, noon);
    const back = changed(gone, openSession(companyId, agentId), noon + logoutAfterMs);
    expect(back).toMatchObject({ state: 'not_ready', reason: 'login', callId: null, version: gone.version + 1 });
  });
});

describe('a second session', () => {
  it.each([
    ['Ready', anna],
    ['not Ready', onBreak],
    ['reserved', reserved],
    ['on a call', onCall],
    ['in wrap-up', wrappingUp],
  ])('takes over and keeps the state when %s', (_, presence) => {
    const second = openSession(companyId, agentId);
    expect(changed(presence, second, noon + 2_500)).toEqual({
      ...presence,
      ...{ version: presence.version + 1, connectionSince: noon + 2_500 },
      ...{ sessionId: second.sessionId, lease: second.lease, nodeId: second.nodeId },
    });
  });

  it.each([
    ['Ready', anna],
    ['on a call', onCall],
  ])('is not taken over again by the first that resumes, when %s', (_, presence) => {
    const taken = changed(presence, openSession(companyId, agentId), noon);
    const resumed = { ...openSession(companyId, agentId), sessionId: presence.sessionId!, resumes: true };
    expect(decidePresence(taken, resumed, noon)).toEqual({ kind: 'refused', code: 'stale_session' });
    expect(decidePresence(presence, resumed, noon).kind).toBe('changed');
  });

  it('makes the first lease stale', () => {
    const second = openSession(companyId, agentId);
    const taken = changed(anna, second, noon);
    const commands: PresenceCommand[] = [
      lost,
      ask('not_ready', { reason: 'break', lease }),
      ask('offline', { lease }),
      { type: 'ring', ...newClaim(), lease },
      { type: 'dial_by_hand', callId, lease },
    ];
    for (const command of commands) expect(decidePresence(taken, command, noon)).toEqual(stale);
    expect(changed(taken, ask('not_ready', { reason: 'break', lease: second.lease as Lease }), noon).state).toBe('not_ready');
  });

  it('leaves an offer to the session it was made to', () => {
    const taken = changed(reserved, openSession(companyId, agentId), noon + 1_500);
    expect(decidePresence(taken, confirm, noon + 2_000)).toEqual(illegal);
  });
});
