import type { AgentStateView } from '../../contract/agents.ts';
import type { AgentCard } from '../../domain/company.ts';
import type { Presence } from '../../domain/presence.ts';

/** An agent's live state as REST and the socket show it. */
export function agentStateView(card: AgentCard, presence: Presence | null): AgentStateView {
  const base = { agent_id: card.id, agent_code: card.agentCode, name: card.name };
  if (presence === null || presence.state === 'offline') {
    return {
      ...base,
      state: 'offline',
      reason: null,
      since: presence === null ? null : isoTime(presence.since),
      connection: null,
      pending_state: null,
      pending_reason: null,
      call_id: null,
      wrap_up_ends_at: null,
      version: presence?.version ?? 0,
    };
  }
  const wrappingUp = presence.state === 'wrap_up' && presence.expiresAt !== null;
  return {
    ...base,
    state: presence.state,
    reason: presence.reason,
    since: isoTime(presence.since),
    connection: presence.connection,
    pending_state: presence.pending?.state ?? null,
    pending_reason: presence.pending?.reason ?? null,
    call_id: presence.callId,
    wrap_up_ends_at: wrappingUp ? isoTime(presence.expiresAt ?? 0) : null,
    version: presence.version,
  };
}

/** Milliseconds since the epoch as ISO 8601 in UTC. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
