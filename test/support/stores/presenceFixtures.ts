import { randomUUID } from 'node:crypto';
import { decidePresence } from '../../../src/domain/agentStates.ts';
import {
  type AgentId,
  type CallId,
  type ClaimId,
  type CompanyId,
  type Lease,
  type NodeId,
  type SessionId,
  toId,
} from '../../../src/domain/ids.ts';
import type { Presence, PresenceCommand } from '../../../src/domain/presence.ts';
import type { PresenceStore } from '../../../src/ports/presence.ts';

/** A moment with milliseconds, as a store's clock tells it. */
export const noon = 1_764_590_400_123;

/** A fresh id of the kind that the caller expects. */
export function fresh<T extends CompanyId | AgentId | CallId | ClaimId | SessionId | Lease | NodeId>(): T {
  return toId<T>(randomUUID());
}

/** A claim by a new click. */
export function newClaim(): { claimId: ClaimId; callId: CallId } {
  return { claimId: fresh<ClaimId>(), callId: fresh<CallId>() };
}

/** Opens a session with fresh session, lease and node. */
export function openSession(companyId: CompanyId, agentId: AgentId): PresenceCommand & { type: 'open_session' } {
  return {
    type: 'open_session',
    companyId,
    agentId,
    sessionId: fresh<SessionId>(),
    resumes: false,
    lease: fresh<Lease>(),
    nodeId: fresh<NodeId>(),
  };
}

/** What an agent or a supervisor asks for; by default as the store itself would, without a lease. */
export function ask(
  state: 'ready' | 'not_ready' | 'offline',
  options: { reason?: string | null; lease?: Lease | null; force?: boolean } = {},
): PresenceCommand & { type: 'ask' } {
  const { reason = null, lease = null, force = false } = options;
  return { type: 'ask', wanted: { state, reason }, lease, force };
}

/** The presence after the command. Throws unless it changes something. */
export function changed(presence: Presence | null, command: PresenceCommand, now: number): Presence {
  const decision = decidePresence(presence, command, now);
  if (decision.kind !== 'changed') throw new Error(`${command.type} is ${JSON.stringify(decision)}`);
  return decision.next;
}

/** Applies the commands in turn, each at `now`. */
export function after(presence: Presence | null, now: number, ...commands: PresenceCommand[]): Presence {
  const last = commands.reduce((before, command) => changed(before, command, now), presence);
  if (last === null) throw new Error('no command given');
  return last;
}

/** An agent whose softphone is connected, not Ready since `at`. */
export function signedIn(at: number, companyId = fresh<CompanyId>(), agentId = fresh<AgentId>()): Presence {
  return after(null, at, openSession(companyId, agentId));
}

/** An agent who is Ready and idle since `at`. */
export function ready(at: number, companyId = fresh<CompanyId>(), agentId = fresh<AgentId>()): Presence {
  return after(signedIn(at, companyId, agentId), at, ask('ready'));
}

/** Stores an agent who is Ready and idle since `at`. */
export async function seatReady(
  store: PresenceStore,
  companyId: CompanyId,
  at: number,
  agentId = fresh<AgentId>(),
): Promise<Presence> {
  const presence = ready(at, companyId, agentId);
  if ((await store.commit(companyId, 0, presence)) === 'conflict') throw new Error('the seat is taken');
  return presence;
}

/** Applies a command to what is stored, as a use case does: again after a lost race. Null: it changed nothing. */
export async function applyTo(
  store: PresenceStore,
  companyId: CompanyId,
  agentId: AgentId,
  command: PresenceCommand,
): Promise<Presence | null> {
  for (;;) {
    const stored = await store.find(companyId, agentId);
    const decision = decidePresence(stored, command, store.now());
    if (decision.kind !== 'changed') return null;
    if ((await store.commit(companyId, stored?.version ?? 0, decision.next)) === 'committed') return decision.next;
  }
}
