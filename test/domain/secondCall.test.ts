import { describe, expect, it } from 'vitest';
import { decidePresence } from '../../src/domain/agentStates.ts';
import type { CallId } from '../../src/domain/ids.ts';
import {
  mostToWrapUp,
  nextDeadline,
  type Presence,
  type PresenceCommand,
  ringTtlMs,
} from '../../src/domain/presence.ts';
import { after, ask, changed, fresh, newClaim, noon } from '../support/stores/presenceFixtures.ts';
import {
  agentId,
  anna,
  callId,
  companyId,
  fallDue,
  illegal,
  lease,
  onCall,
  ringing,
  wrappingUp,
} from './annasStates.ts';

const at = noon + 90_000;
const first = callId;
const second = fresh<CallId>();
const ring = (id: CallId, more: Partial<PresenceCommand & { type: 'ring' }> = {}) =>
  ({ type: 'ring', ...newClaim(), callId: id, lease, takesSecond: true, ...more }) as const;
const end = (id: CallId, wrapUpMs = 30_000) => ({ type: 'end_call', callId: id, wrapUpMs }) as const;
const talking = changed(onCall, { type: 'keep_recorded', callId: first }, at - 1);
const besideRing = changed(talking, ring(second), at);
const onBoth = changed(besideRing, { type: 'answer', callId: second }, at + 1);

describe('a call that comes in beside a call', () => {
  it('rings without a change of the state, until it is answered or its ring expires', () => {
    expect(besideRing).toMatchObject({
      ...{ state: 'on_call', callId: first, since: onCall.since },
      second: { callId: second, ringsUntil: at + ringTtlMs },
    });
    expect(nextDeadline(besideRing)).toBe(at + ringTtlMs);
    expect(onBoth).toMatchObject({ state: 'on_call', callId: first, second: { callId: second, ringsUntil: null } });
    expect(nextDeadline(onBoth)).toBeNull();
    expect(changed(besideRing, fallDue, at + ringTtlMs)).toMatchObject({
      state: 'on_call',
      second: null,
      toWrapUp: [],
    });
  });

  it.each([
    ['is declined', { type: 'miss_ring', callId: second, reason: 'rejected' }],
    ['is not answered', { type: 'miss_ring', callId: second, reason: 'no_answer' }],
    ['is given up by who calls', { type: 'cancel', callId: second }],
    ['is never recorded', { type: 'drop_unrecorded', callId: second }],
  ] satisfies [string, PresenceCommand][])('leaves the agent on the first one when it %s', (_, command) => {
    expect(changed(besideRing, command, at + 5)).toMatchObject({ state: 'on_call', callId: first, second: null });
  });

  it.each([
    ['where the company turns such calls away', talking, ring(second, { takesSecond: false })],
    ['where there is another one', besideRing, ring(fresh<CallId>())],
    ['while the agent is called', ringing, ring(second)],
    ['in a wrap-up', wrappingUp, ring(second)],
    [
      'while too many calls wait to be wrapped up',
      { ...talking, toWrapUp: Array.from({ length: mostToWrapUp }, () => ({ callId: fresh<CallId>(), wrapUpMs: 1 })) },
      ring(second),
    ],
  ] satisfies [string, Presence, PresenceCommand][])('is refused %s', (_, presence, command) => {
    expect(decidePresence(presence, command, at)).toEqual(illegal);
  });

  it('is refused to another softphone than the one that has the first', () => {
    expect(decidePresence(talking, ring(second, { lease: fresh() }), at)).toMatchObject({ code: 'stale_lease' });
  });
});

describe('of two calls', () => {
  it('the second may end before the first: its wrap-up waits, and follows that of the first', () => {
    const alone = changed(onBoth, end(second, 20_000), at + 10);
    expect(alone).toMatchObject({
      ...{ state: 'on_call', callId: first, second: null },
      toWrapUp: [{ callId: second, wrapUpMs: 20_000 }],
    });
    const wrapping = changed(alone, end(first), at + 20);
    expect(wrapping).toMatchObject({ state: 'wrap_up', callId: first, expiresAt: at + 20 + 30_000 });
    const next = changed(wrapping, { type: 'finish_wrap_up', callId: first }, at + 30);
    expect(next).toMatchObject({
      ...{ state: 'wrap_up', callId: second, since: at + 30, expiresAt: at + 30 + 20_000, toWrapUp: [] },
    });
    expect(changed(next, fallDue, at + 30 + 20_000)).toMatchObject({ state: 'ready', callId: null });
  });

  it('the first may end before the second, which the agent goes on with and wraps up first', () => {
    const alone = changed(onBoth, end(first), at + 10);
    expect(alone).toMatchObject({
      ...{ state: 'on_call', callId: second, second: null, since: at + 10 },
      toWrapUp: [{ callId: first, wrapUpMs: 30_000 }],
    });
    const wrapping = changed(alone, end(second, 20_000), at + 20);
    expect(wrapping).toMatchObject({ state: 'wrap_up', callId: second });
    expect(changed(wrapping, fallDue, at + 20 + 20_000)).toMatchObject({ state: 'wrap_up', callId: first });
  });

  it('the first may end while the second rings: the agent is reserved for it, as by any ring', () => {
    const called = changed(besideRing, end(first), at + 10);
    expect(called).toMatchObject({
      ...{ state: 'reserved', reservedFor: 'ring', callId: second, second: null, expiresAt: at + ringTtlMs },
    });
    const talking = changed(called, { type: 'answer', callId: second }, at + 20);
    expect(talking).toMatchObject({ state: 'on_call', callId: second, toWrapUp: [{ callId: first }] });
    for (const [command, state, reason] of [
      [{ type: 'miss_ring', callId: second, reason: 'no_answer' }, 'not_ready', 'no_answer'],
      [{ type: 'cancel', callId: second }, 'ready', null],
      [fallDue, 'not_ready', 'no_answer'],
    ] as const) {
      const wrapping = changed(called, command, at + ringTtlMs);
      expect(wrapping).toMatchObject({ state: 'wrap_up', callId: first, expiresAt: at + ringTtlMs + 30_000 });
      expect(changed(wrapping, { type: 'finish_wrap_up', callId: first }, at + ringTtlMs)).toMatchObject({
        state,
        reason,
      });
    }
  });

  it('one that needs no wrap-up has none', () => {
    expect(changed(onBoth, end(first, 0), at + 10)).toMatchObject({ state: 'on_call', callId: second, toWrapUp: [] });
    expect(after(onBoth, at + 10, end(second, 0), end(first, 0))).toMatchObject({ state: 'ready', callId: null });
    expect(after(onBoth, at + 10, end(second), end(first, 0))).toMatchObject({ state: 'wrap_up', callId: second });
  });

  it('what was asked for meanwhile counts once all is wrapped up', () => {
    const done = after(onBoth, at + 10, ask('not_ready', { reason: 'meal', lease }), end(first), end(second));
    expect(done).toMatchObject({ state: 'wrap_up', pending: { reason: 'meal' } });
    const finished = after(
      done,
      at + 20,
      { type: 'finish_wrap_up', callId: second },
      { type: 'finish_wrap_up', callId: first },
    );
    expect(finished).toMatchObject({ state: 'not_ready', reason: 'meal', toWrapUp: [] });
  });

  it('one may be wrapped up before its turn', () => {
    const early = changed(changed(onBoth, end(first), at + 10), { type: 'finish_wrap_up', callId: first }, at + 11);
    expect(early).toMatchObject({ state: 'on_call', callId: second, toWrapUp: [] });
  });

  it('a supervisor who frees the agent ends both, and may not where only one was meant', () => {
    const force = ask('ready', { force: true });
    expect(changed(onBoth, force, at + 10)).toMatchObject({ state: 'ready', callId: null, second: null, toWrapUp: [] });
    const waiting = after(onBoth, at + 10, end(second), end(first));
    expect(changed(waiting, force, at + 20)).toMatchObject({ state: 'ready', toWrapUp: [] });
    for (const onlyCalls of [[], [first], [second]])
      expect(decidePresence(onBoth, { ...force, onlyCalls }, at + 10)).toMatchObject({ code: 'other_call' });
    expect(changed(onBoth, { ...force, onlyCalls: [first, second] }, at + 10)).toMatchObject({ state: 'ready' });
  });

  it('nothing is left when the agent signs out or is logged out', () => {
    const waiting = after(onBoth, at + 10, end(second), end(first));
    for (const gone of [
      changed(waiting, ask('offline', { lease }), at + 20),
      changed(changed(onBoth, { type: 'lose_connection', lease }, at + 10), fallDue, at + 86_400_000),
    ])
      expect(gone).toMatchObject({ state: 'offline', callId: null, second: null, toWrapUp: [] });
  });

  it('the one that goes on after a dial that was never recorded is the second', () => {
    const dialing = changed(anna, { type: 'dial_by_hand', callId: first, lease }, noon + 5);
    const both = changed(dialing, ring(second), noon + 6);
    expect(changed(both, { type: 'drop_unrecorded', callId: first }, noon + 7)).toMatchObject({
      ...{ state: 'reserved', callId: second, second: null, toWrapUp: [] },
    });
  });

  it('both are found on record when presence was lost', () => {
    const restore = (id: CallId) =>
      ({ type: 'restore_call', companyId, agentId, callId: id, lostSince: noon }) as const;
    const found = after(null, noon, restore(first), restore(second));
    expect(found).toMatchObject({ state: 'on_call', callId: first, second: { callId: second, ringsUntil: null } });
    expect(decidePresence(found, restore(first), noon)).toMatchObject({ kind: 'refused' });
    // A ring that was not answered, and was found as a call.
    expect(after(found, noon + 1, end(second, 0))).toMatchObject({ callId: first, second: null });
  });
});
