import { describe, expect, it } from 'vitest';
import { decidePresence } from '../../src/domain/agentStates.ts';
import type { CallId } from '../../src/domain/ids.ts';
import {
  claimTtlMs,
  isClaimable,
  logoutAfterMs,
  nextDeadline,
  recordCheckMs,
  ringTtlMs,
} from '../../src/domain/presence.ts';
import { after, ask, changed, fresh, newClaim, noon, openSession } from '../support/stores/presenceFixtures.ts';
import {
  companyId,
  agentId,
  fallDue,
  illegal,
  claim,
  callId,
  claimId,
  anna,
  lease,
  reserved,
  confirm,
  onCall,
  wrappingUp,
  onBreak,
  ringing,
  lost,
  whenDue,
} from './annasStates.ts';

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
    expect(changed(onCall, { type: 'keep_recorded', callId }, noon)).toMatchObject({
      state: 'on_call',
      expiresAt: null,
    });
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

  it('is as before when nobody confirmed or rescinded in time: a gateway is to blame', () => {
    expect(decidePresence(reserved, fallDue, noon + 1_000 + claimTtlMs - 1)).toEqual({ kind: 'unchanged' });
    expect(whenDue(reserved, noon + 1_000 + claimTtlMs)).toMatchObject({
      state: 'ready',
      reason: null,
      idleSince: reserved.idleSince,
      claimId: null,
      callId: null,
    });
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
    const rung = changed(onBreak, { type: 'ring', ...newClaim(), lease, takesSecond: false }, noon);
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
    expect(decidePresence(onCall, { type: 'end_call', callId: other, wrapUpMs: 0 }, noon)).toEqual({
      kind: 'unchanged',
    });
  });

  it('cannot be claimed, dial or ring', () => {
    expect(decidePresence(onCall, claim, noon)).toEqual(illegal);
    expect(decidePresence(onCall, { type: 'dial_by_hand', callId, lease }, noon)).toEqual(illegal);
    expect(decidePresence(onCall, { type: 'ring', ...newClaim(), lease, takesSecond: false }, noon)).toEqual(illegal);
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
