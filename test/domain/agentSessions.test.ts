import { describe, expect, it } from 'vitest';
import { decidePresence } from '../../src/domain/agentStates.ts';
import type { Lease } from '../../src/domain/ids.ts';
import {
  claimTtlMs,
  isClaimable,
  logoutAfterMs,
  nextDeadline,
  reconnectGraceMs,
  ringTtlMs,
  type Presence,
} from '../../src/domain/presence.ts';
import type { PresenceCommand } from '../../src/domain/presence.ts';
import { ask, changed, newClaim, noon, openSession } from '../support/stores/presenceFixtures.ts';
import {
  companyId,
  agentId,
  fallDue,
  illegal,
  stale,
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
    const recorded = changed(onCall, { type: 'keep_recorded', callId }, noon);
    const away = whenDue(changed(recorded, lost, noon), noon + reconnectGraceMs);
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
      { type: 'ring', ...newClaim(), lease, takesSecond: false },
      { type: 'dial_by_hand', callId, lease },
    ];
    for (const command of commands) expect(decidePresence(taken, command, noon)).toEqual(stale);
    expect(changed(taken, ask('not_ready', { reason: 'break', lease: second.lease as Lease }), noon).state).toBe(
      'not_ready',
    );
  });

  it('leaves an offer to the session it was made to', () => {
    const taken = changed(reserved, openSession(companyId, agentId), noon + 1_500);
    expect(decidePresence(taken, confirm, noon + 2_000)).toEqual(illegal);
  });
});
