import type { AgentStateView } from '../../../../src/contract/agents.ts';

/** Why the agent is Not Ready without having asked for it, by the reason that the gateway gives. */
const causes: Readonly<Record<string, string>> = {
  connection_lost: 'You were set to Not Ready because the connection was lost.',
  delivery_failed: 'You were set to Not Ready because a call did not reach this page.',
  rejected: 'You were set to Not Ready because you declined a call.',
  no_answer: 'You were set to Not Ready because you did not answer a call.',
  supervisor: 'A supervisor set you to Not Ready.',
};

const loggedOut = 'You were logged out because the connection was lost for too long. You are Not Ready.';

/**
 * What to tell an agent whom somebody else, or the time, has made Not Ready; null: nothing.
 * @param before what this page knew of the agent before this state; null: nothing
 */
export function setAsideText(agent: AgentStateView, before: AgentStateView | null): string | null {
  if (agent.state !== 'not_ready' || agent.reason === null) return null;
  if (agent.reason === 'login') return before === null || before.state === 'offline' ? null : loggedOut;
  return causes[agent.reason] ?? null;
}
