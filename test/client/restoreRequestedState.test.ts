import { describe, expect, it } from 'vitest';
import { requestedStateToRestore } from '../../src/client/restoreRequestedState.ts';
import type { AgentStateView } from '../../src/contract/agents.ts';

const unknown: AgentStateView = {
  agent_id: '00000000-0000-4000-8000-000000000001',
  agent_code: 'a100',
  name: 'Ada',
  state: 'not_ready',
  reason: null,
  since: '2026-12-01T12:00:00.000Z',
  connection: 'connected',
  pending_state: null,
  pending_reason: null,
  call_id: null,
  wrap_up_ends_at: null,
  platform: null,
  version: 1,
};
const call_id = '00000000-0000-4000-8000-000000000002';
const signedInAnew: AgentStateView = { ...unknown, reason: 'login' };

describe('what a softphone asks for on a gateway that forgot its agent', () => {
  it.each<[string, Partial<AgentStateView>, object | null]>([
    ['was Ready', { state: 'ready' }, { state: 'ready' }],
    ['was at a meal', { state: 'not_ready', reason: 'meal' }, { state: 'not_ready', reason: 'meal' }],
    ['was Not Ready without a reason', { state: 'not_ready' }, { state: 'not_ready' }],
    ['had just signed in', { state: 'not_ready', reason: 'login' }, null],
    ["was Not Ready by the gateway's doing", { state: 'not_ready', reason: 'delivery_failed' }, null],
    ['was offline', { state: 'offline' }, null],
    ['was being asked to dial', { state: 'reserved', call_id }, { state: 'ready' }],
    ['was on a call that is over', { state: 'on_call', call_id }, { state: 'ready' }],
    ['was in wrap-up', { state: 'wrap_up', call_id }, { state: 'ready' }],
    [
      'had chosen a meal for after the call',
      { state: 'on_call', call_id, pending_state: 'not_ready', pending_reason: 'meal' },
      { state: 'not_ready', reason: 'meal' },
    ],
    [
      'had dialed by hand after signing in',
      { state: 'on_call', call_id, pending_state: 'not_ready', pending_reason: 'login' },
      { state: 'not_ready' },
    ],
    ['had chosen to sign out after the call', { state: 'on_call', call_id, pending_state: 'offline' }, null],
  ])('whose agent %s', (_, before, requested) => {
    expect(requestedStateToRestore({ ...unknown, ...before }, signedInAnew)).toEqual(requested);
  });

  it('is what was chosen for after a call that the gateway still knows', () => {
    const onCall: AgentStateView = { ...unknown, state: 'on_call', call_id };
    const chosen: AgentStateView = { ...onCall, pending_state: 'not_ready', pending_reason: 'break' };
    expect(requestedStateToRestore(chosen, onCall)).toEqual({ state: 'not_ready', reason: 'break' });
    expect(requestedStateToRestore(chosen, chosen)).toBeNull();
    expect(requestedStateToRestore(onCall, onCall)).toBeNull();
  });

  it('is nothing where the gateway remembers the agent', () => {
    const ready: AgentStateView = { ...unknown, state: 'ready' };
    expect(requestedStateToRestore(ready, { ...unknown, reason: 'connection_lost' })).toBeNull();
    expect(requestedStateToRestore(ready, { ...unknown, reason: 'supervisor' })).toBeNull();
    expect(requestedStateToRestore(ready, ready)).toBeNull();
  });
});
