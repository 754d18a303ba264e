import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidePresence } from '../../src/domain/agentStates.ts';
import type { AgentId, CallId, CompanyId } from '../../src/domain/ids.ts';
import {
  claimTtlMs,
  isBusyHere,
  logoutAfterMs,
  nextDeadline,
  platformSilenceMs,
  type Presence,
  type PresenceCommand,
} from '../../src/domain/presence.ts';
import { commandOf, createIdSource, step } from '../support/stores/presenceCommands.ts';
import {
  after,
  ask,
  changed,
  fresh,
  newClaim,
  noon,
  openSession,
  ready,
  signedIn,
} from '../support/stores/presenceFixtures.ts';

const companyId = fresh<CompanyId>();
const agentId = fresh<AgentId>();
const callId = fresh<CallId>();
const said = (
  state: Presence['state'],
  more: Partial<NonNullable<Presence['platform']>> = {},
  onlyForCall = false,
): PresenceCommand => ({
  type: 'follow_platform',
  companyId,
  agentId,
  said: { connector: 'genesys', state, reason: null, callId: null, dialsBy: 'nobody', ...more },
  onlyForCall,
});
const leave: PresenceCommand = { type: 'leave_platform', connector: 'genesys' };
const claim = { type: 'claim', ...newClaim() } as const;
const restore = { type: 'restore_call', companyId, agentId, callId, lostSince: noon } as const;
const anna = ready(noon, companyId, agentId);

describe('an agent whose state a platform sets', () => {
  it('is what the platform says, with and without a softphone', () => {
    const alone = changed(null, said('ready'), noon);
    expect(alone).toMatchObject({ state: 'ready', sessionId: null, version: 1, platform: { connector: 'genesys' } });
    expect(changed(alone, said('on_call', { callId }), noon + 1)).toMatchObject({
      state: 'on_call',
      callId,
      since: noon + 1,
    });
    expect(changed(anna, said('not_ready', { reason: 'meal' }), noon + 1)).toMatchObject({
      state: 'not_ready',
      reason: 'meal',
      sessionId: anna.sessionId,
    });
  });

  it('is not claimed, unless the company said that the softphone dials', () => {
    expect(decidePresence(changed(anna, said('ready'), noon), claim, noon).kind).toBe('refused');
    const dials = changed(anna, said('ready', { dialsBy: 'softphone' }), noon);
    expect(changed(dials, claim, noon)).toMatchObject({ state: 'reserved', claimId: claim.claimId });
    expect(decidePresence(changed(null, said('ready', { dialsBy: 'softphone' }), noon), claim, noon).kind).toBe(
      'refused',
    );
  });

  it('cannot set it here, nor a supervisor; but the softphone may be closed', () => {
    const owned = changed(anna, said('not_ready'), noon);
    for (const command of [
      ask('ready', { lease: anna.lease }),
      ask('not_ready', { reason: 'break' }),
      ask('ready', { force: true }),
    ]) {
      expect(decidePresence(owned, command, noon)).toEqual({ kind: 'refused', code: 'platform_owned' });
    }
    const closed = changed(owned, ask('offline', { lease: anna.lease }), noon + 5);
    expect(closed).toMatchObject({
      state: 'not_ready',
      sessionId: null,
      lease: null,
      platform: { state: 'not_ready' },
    });
    expect(decidePresence(closed, ask('offline'), noon)).toEqual({ kind: 'refused', code: 'platform_owned' });
  });

  it('keeps the call of its softphone until that is over, and does then what the platform said meanwhile', () => {
    const owned = changed(anna, said('ready', { dialsBy: 'softphone' }), noon);
    const onCall = after(owned, noon, claim, { type: 'confirm', claimId: claim.claimId, sessionId: anna.sessionId! });
    const heard = changed(onCall, said('not_ready', { reason: 'meal', dialsBy: 'softphone' }), noon + 1);
    expect(heard).toMatchObject({ state: 'on_call', callId: claim.callId });
    expect(decidePresence(heard, ask('ready', { lease: anna.lease }), noon).kind).toBe('refused');
    const wrapping = changed(heard, { type: 'end_call', callId: claim.callId, wrapUpMs: 30_000 }, noon + 2);
    expect(wrapping).toMatchObject({ state: 'wrap_up' });
    expect(changed(wrapping, { type: 'finish_wrap_up', callId: claim.callId }, noon + 3)).toMatchObject({
      state: 'not_ready',
      reason: 'meal',
      callId: null,
    });
  });

  it('goes offline with the platform, or is Not Ready where a softphone is open', () => {
    expect(changed(changed(null, said('ready'), noon), said('offline'), noon)).toMatchObject({
      state: 'offline',
      platform: null,
    });
    expect(changed(changed(anna, said('ready'), noon), said('offline'), noon)).toMatchObject({
      state: 'not_ready',
      reason: 'platform_offline',
    });
    expect(decidePresence(null, said('offline'), noon).kind).toBe('unchanged');
  });

  it('is found as the platform has it by a softphone that opens, and stays so when its connection is lost', () => {
    const opened = changed(changed(null, said('ready'), noon), openSession(companyId, agentId), noon + 1);
    expect(opened).toMatchObject({ state: 'ready', connection: 'connected' });
    const lost = changed(opened, { type: 'lose_connection', lease: opened.lease! }, noon + 2);
    const later = changed(lost, { type: 'fall_due' }, noon + 2 + 30_000);
    expect(later).toMatchObject({ state: 'ready', connection: 'lost' });
    expect(changed(later, { type: 'fall_due' }, noon + 400_000)).toMatchObject({ state: 'ready', sessionId: null });
  });

  it('is its own master after twelve hours of silence, or when the platform leaves', () => {
    const owned = changed(anna, said('ready'), noon);
    expect(nextDeadline(owned)).toBe(noon + platformSilenceMs);
    for (const end of [
      changed(owned, { type: 'fall_due' }, noon + platformSilenceMs),
      changed(owned, leave, noon + 1),
    ]) {
      expect(end).toMatchObject({
        state: 'not_ready',
        reason: 'platform_offline',
        platform: null,
        sessionId: anna.sessionId,
      });
    }
    expect(changed(changed(null, said('on_call', { callId }), noon), leave, noon)).toMatchObject({
      state: 'offline',
      callId: null,
    });
    expect(decidePresence(owned, { type: 'leave_platform', connector: 'nice' }, noon).kind).toBe('unchanged');
  });

  it('is written again for the same word only to prolong it', () => {
    const owned = changed(anna, said('ready'), noon);
    expect(decidePresence(owned, said('ready'), noon + 59_999).kind).toBe('unchanged');
    expect(changed(owned, said('ready'), noon + 60_000)).toMatchObject({
      since: owned.since,
      platform: { until: noon + 60_000 + platformSilenceMs },
    });
  });

  it('has its softphone’s call found after the presence was lost, though the platform told first', () => {
    const alone = changed(null, said('ready'), noon);
    expect(changed(alone, { type: 'restore_call', companyId, agentId, callId, lostSince: noon }, noon)).toMatchObject({
      state: 'on_call',
      callId,
      platform: { state: 'ready' },
    });
  });

  it.each([
    ['told before', [said('ready'), restore]],
    ['told after', [restore, said('ready')]],
  ] as const)(
    'leaves a call found in the record whose softphone does not come back, where the platform %s',
    (_when, commands) => {
      const found = after(null, noon, ...commands);
      expect(nextDeadline(found)).toBe(noon + logoutAfterMs);
      expect(changed(found, { type: 'fall_due' }, noon + logoutAfterMs)).toMatchObject({
        state: 'ready',
        callId: null,
        platform: { state: 'ready' },
      });
    },
  );

  it('does what the platform says after an offer that failed, last in the idle order, and is not stuck in Not Ready', () => {
    const owned = changed(anna, said('ready', { dialsBy: 'softphone' }), noon);
    const failed = after(owned, noon + 1, claim, {
      type: 'fail_offer',
      claimId: claim.claimId,
      reason: 'delivery_failed',
    });
    expect(failed).toMatchObject({ state: 'ready', claimId: null, callId: null, idleSince: noon + 1 });
    const heard = after(owned, noon + 1, claim, said('not_ready', { reason: 'meal', dialsBy: 'softphone' }));
    expect(changed(heard, { type: 'fail_offer', claimId: claim.claimId, reason: 'rejected' }, noon + 2)).toMatchObject({
      state: 'not_ready',
      reason: 'meal',
    });
  });

  it('is not Ready after a call of its softphone during which the platform left', () => {
    const owned = changed(anna, said('ready', { dialsBy: 'softphone' }), noon);
    const talking = after(owned, noon, claim, { type: 'confirm', claimId: claim.claimId, sessionId: anna.sessionId! });
    const end = { type: 'end_call', callId: claim.callId, wrapUpMs: 0 } as const;
    expect(after(talking, noon + 1, leave, end)).toMatchObject({
      state: 'not_ready',
      reason: 'platform_offline',
      platform: null,
    });
    expect(after(talking, noon + 1, leave, ask('ready', { lease: anna.lease }), end)).toMatchObject({
      state: 'ready',
      platform: null,
    });
  });

  it('is offline at the platform since it said so first', () => {
    const gone = changed(changed(anna, said('ready'), noon), said('offline'), noon + 1);
    expect(decidePresence(gone, said('offline'), noon + 2).kind).toBe('unchanged');
    expect(changed(gone, said('offline'), noon + 60_001)).toMatchObject({
      since: noon + 1,
      state: 'not_ready',
      reason: 'platform_offline',
    });
  });
});

describe('an agent for whom the platform dials', () => {
  const dials = (presence: Presence | null) => changed(presence, said('ready', { dialsBy: 'platform' }), noon);
  const pass = { type: 'pass_to_platform', claimId: claim.claimId, connector: 'genesys', onlyForCall: false } as const;

  it('is claimed without a softphone, and is on the platform’s call once that has taken the dial', () => {
    const alone = changed(dials(null), claim, noon);
    expect(alone).toMatchObject({ state: 'reserved', claimId: claim.claimId });
    expect(nextDeadline(alone)).toBe(noon + claimTtlMs);
    const passed = changed(alone, pass, noon + 1);
    expect(passed).toMatchObject({
      state: 'reserved',
      claimId: null,
      reservedFor: null,
      callId: claim.callId,
      expiresAt: null,
      platform: { callId: claim.callId, state: 'reserved' },
    });
    expect(isBusyHere(passed)).toBe(false);
    expect(changed(passed, said('on_call', { callId: claim.callId, dialsBy: 'platform' }), noon + 2)).toMatchObject({
      state: 'on_call',
      callId: claim.callId,
    });
  });

  it('does what the platform says where the dial was refused, or nobody said what became of it', () => {
    const claimed = changed(dials(anna), claim, noon);
    expect(
      changed(claimed, { type: 'fail_offer', claimId: claim.claimId, reason: 'rejected' }, noon + 1),
    ).toMatchObject({ state: 'ready', callId: null, idleSince: noon + 1 });
    const heard = changed(claimed, said('on_call', { dialsBy: 'platform' }), noon + 1);
    expect(changed(heard, { type: 'fall_due' }, noon + claimTtlMs)).toMatchObject({ state: 'on_call', claimId: null });
  });

  it('is not passed on by a claim that is over', () => {
    expect(decidePresence(dials(anna), pass, noon).kind).toBe('refused');
    const other = { ...pass, claimId: '00000000-0000-4000-8000-000000000099' as typeof claim.claimId };
    expect(decidePresence(changed(dials(anna), claim, noon), other, noon).kind).toBe('refused');
  });

  it('goes back to what it was asked for where the platform tells of calls alone', () => {
    const passed = after(anna, noon, claim, ask('not_ready', { reason: 'meal', lease: anna.lease }), {
      ...pass,
      onlyForCall: true,
    });
    expect(passed).toMatchObject({ state: 'reserved', platform: { before: { state: 'not_ready', reason: 'meal' } } });
    expect(changed(passed, leave, noon + 1)).toMatchObject({ state: 'not_ready', reason: 'meal', callId: null });
  });

  it('may close its softphone meanwhile: the call stays with the platform', () => {
    const passed = after(dials(anna), noon, claim, ask('offline', { lease: anna.lease }), pass);
    expect(passed).toMatchObject({
      sessionId: null,
      connection: 'lost',
      callId: claim.callId,
      platform: { callId: claim.callId },
    });
  });
});

describe('an agent of whom a platform tells calls alone', () => {
  it.each([
    ['Ready', anna, { state: 'ready', reason: null }],
    ['Not Ready', changed(anna, ask('not_ready', { reason: 'break' }), noon), { state: 'not_ready', reason: 'break' }],
    ['just logged in', signedIn(noon, companyId, agentId), { state: 'not_ready', reason: 'login' }],
  ] as const)('is on the call while it lasts, and %s afterwards as before', (_what, before, expected) => {
    const ringing = changed(before, said('reserved', { callId }, true), noon + 1);
    const talking = changed(ringing, said('on_call', { callId }, true), noon + 2);
    expect(talking).toMatchObject({ state: 'on_call', callId });
    expect(decidePresence(talking, claim, noon).kind).toBe('refused');
    expect(changed(talking, leave, noon + 3)).toMatchObject({ ...expected, callId: null, platform: null });
  });

  it('may say meanwhile what comes after it', () => {
    const talking = changed(anna, said('on_call', { callId }, true), noon + 1);
    const asked = changed(talking, ask('not_ready', { reason: 'meal', lease: anna.lease }), noon + 2);
    expect(asked).toMatchObject({ state: 'on_call' });
    expect(changed(asked, leave, noon + 3)).toMatchObject({ state: 'not_ready', reason: 'meal' });
  });

  it('stays another platform’s, which sets the whole state', () => {
    const owned = changed(anna, said('ready'), noon);
    expect(decidePresence(owned, said('on_call', { connector: 'push', callId }, true), noon).kind).toBe('unchanged');
  });
});

it('whatever happens: nobody is claimed whom the company did not say the softphone dials for, and no word of a platform ends what a softphone has', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      const newId = createIdSource();
      let presence: Presence | null = null;
      let now = noon;
      for (const one of steps) {
        now += one.wait;
        const command = commandOf(one, { companyId, agentId }, presence, newId, now);
        const decision = decidePresence(presence, command, now);
        if (decision.kind !== 'changed') continue;
        const before = presence;
        presence = decision.next;
        if (command.type === 'claim') expect(before?.platform?.dialsBy).not.toBe('nobody');
        if (command.type === 'follow_platform' && before !== null && isBusyHere(before) && isBusyHere(presence)) {
          expect([presence.callId, presence.claimId, presence.state]).toEqual([
            before.callId,
            before.claimId,
            before.state,
          ]);
        }
        if (command.type === 'leave_platform' && !isBusyHere(presence))
          expect(['ready', 'not_ready', 'offline']).toContain(presence.state);
        if (presence.state === 'offline') expect(presence.platform).toBeNull();
        if (isBusyHere(presence) && presence.claimId === null && presence.connection === 'lost')
          expect(nextDeadline(presence)).toBeLessThanOrEqual(presence.connectionSince + logoutAfterMs);
      }
    }),
    { numRuns: 500 },
  );
});
