import type { AgentStateView, AgentView } from '../../contract/agents.ts';
import type { SignedInAgent } from '../../contract/auth.ts';
import type { AgentCard, Company } from '../../domain/company.ts';
import type { Presence } from '../../domain/presence.ts';
import type { Agent } from '../../ports/agents.ts';

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
      second_call_id: null,
      wrap_up_ends_at: null,
      platform: null,
      version: presence?.version ?? 0,
    };
  }
  const wrappingUp = presence.state === 'wrap_up' && presence.expiresAt !== null;
  return {
    ...base,
    state: presence.state,
    reason: presence.reason,
    since: isoTime(presence.since),
    // At work at a platform alone: there is no connection to tell of.
    connection: presence.platform !== null && presence.sessionId === null ? null : presence.connection,
    pending_state: presence.pending?.state ?? null,
    pending_reason: presence.pending?.reason ?? null,
    call_id: presence.callId,
    second_call_id: presence.second?.callId ?? null,
    wrap_up_ends_at: wrappingUp ? isoTime(presence.expiresAt ?? 0) : null,
    platform:
      presence.platform === null
        ? null
        : {
            connector: presence.platform.connector,
            dials_by: presence.platform.dialsBy,
            sets_state: presence.platform.before === null,
            has_call: presence.callId !== null && presence.callId === presence.platform.callId,
          },
    version: presence.version,
  };
}

/** Milliseconds since the epoch as ISO 8601 in UTC. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** An agent account as its admins see it. */
export function agentView(agent: Agent): AgentView {
  return {
    id: agent.id,
    agent_code: agent.agentCode,
    name: agent.name,
    email: agent.email,
    role: agent.role,
    active: agent.active,
    led_team_ids: agent.ledTeamIds,
    sip_user: agent.sipUser,
    sip_secret_set: agent.hasSipSecret,
    created_at: agent.createdAt.toISOString(),
    updated_at: agent.updatedAt.toISOString(),
  };
}

/** An agent as log-in and `/api/me` show it. */
export function signedInAgent(
  agent: Agent,
  { slug, settings: { language } }: Pick<Company, 'slug' | 'settings'>,
): SignedInAgent {
  return {
    id: agent.id,
    agent_code: agent.agentCode,
    name: agent.name,
    email: agent.email,
    role: agent.role,
    company_id: agent.companyId,
    company_slug: slug,
    company_language: language,
  };
}
