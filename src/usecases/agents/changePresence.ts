import { platformName } from '../../contract/platforms.ts';
import { decidePresence } from '../../domain/agentStates.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Presence, PresenceCommand, PresenceDecision } from '../../domain/presence.ts';
import type { Services } from '../services.ts';
import { agentStateView } from '../views/agentViews.ts';

type Refusal = Extract<PresenceDecision, { kind: 'refused' }>;

export type PresenceChange =
  | { kind: 'changed'; before: Presence | null; after: Presence }
  | { kind: 'unchanged'; current: Presence | null }
  | { kind: 'refused'; code: Refusal['code']; current: Presence | null };

type Needs = Pick<Services, 'presence' | 'softphones' | 'agentCard' | 'observer'>;

/** Far more than the conflicts that two softphones, a click and a supervisor can cause at one agent at once. */
const maxTries = 50;

/**
 * Applies a command to an agent's presence: decide on what is stored, write if it is still so, else decide anew.
 * Tells the softphone and the supervisors of the change.
 * @param known what the caller has just read, to save a read; null: it has found none
 */
export async function changePresence(
  services: Needs,
  companyId: CompanyId,
  agentId: AgentId,
  command: PresenceCommand,
  known?: Presence | null,
): Promise<PresenceChange> {
  let current = known === undefined ? await services.presence.find(companyId, agentId) : known;
  for (let tries = 0; tries < maxTries; tries++) {
    const decision = decidePresence(current, command, services.presence.now());
    if (decision.kind === 'unchanged') return { kind: 'unchanged', current };
    if (decision.kind === 'refused') return { kind: 'refused', code: decision.code, current };
    const written = await services.presence.commit(companyId, current?.version ?? 0, decision.next);
    if (written === 'committed') {
      announce(services, current, decision.next);
      return { kind: 'changed', before: current, after: decision.next };
    }
    current = await services.presence.find(companyId, agentId);
  }
  throw new Error(`presence of an agent changed ${maxTries} times during one command (${command.type})`);
}

/**
 * Applies commands to an agent's presence one after the other, each to what the one before it left,
 * as `changePresence` does; reads it anew only where what is known gives nothing to do.
 * @param known what the caller has read before
 */
export async function changePresenceInTurn(
  services: Needs,
  companyId: CompanyId,
  agentId: AgentId,
  commands: readonly PresenceCommand[],
  known: Presence | null,
): Promise<void> {
  let current = known;
  for (const command of commands) {
    let change = current === null ? null : await changePresence(services, companyId, agentId, command, current);
    if (change?.kind !== 'changed') change = await changePresence(services, companyId, agentId, command);
    current = change.kind === 'changed' ? change.after : change.current;
  }
}

/** Tells the softphone and the supervisors; nobody waits for it, since `version` puts the messages in order. */
export function announce(services: Needs, before: Presence | null, after: Presence): void {
  services
    .agentCard(after.companyId, after.agentId)
    .then((card) => services.softphones.agentChanged(before, after, agentStateView(card, after)))
    .catch((error: unknown) => services.observer.problem('a state change could not be announced', error));
}

/** Why a request of a softphone or a supervisor changed nothing, with the agent's current state. */
export function refusedChange(change: Exclude<PresenceChange, { kind: 'changed' }>, action: string): Refused {
  if (change.kind === 'refused' && (change.code === 'stale_lease' || change.code === 'stale_session')) {
    return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  }
  const agentState = currentState(change.current);
  if (change.kind === 'refused' && change.code === 'platform_owned') {
    const name = platformName(change.current?.platform?.connector ?? '');
    return refuse('conflict', `The agent’s state is set in ${name}; it cannot be changed here.`, {
      cause: { code: 'platform_owned', params: { name } },
      agentState,
    });
  }
  if (change.kind === 'refused' && change.code === 'other_call') {
    return refuse('conflict', 'The agent is busy with another call by now; nothing was changed.', {
      cause: { code: 'agent_busy' },
      agentState,
    });
  }
  return refuse('conflict', `An agent who is ${agentState.state} cannot ${action}.`, {
    cause: { code: 'agent_state', params: { state: agentState.state } },
    agentState,
  });
}

function currentState(presence: Presence | null) {
  if (presence === null) return { state: 'offline' as const, reason: null, since: null };
  return { state: presence.state, reason: presence.reason, since: new Date(presence.since) };
}
