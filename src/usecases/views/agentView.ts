import type { AgentView } from '../../contract/agents.ts';
import type { SignedInAgent } from '../../contract/auth.ts';
import type { CompanySettings } from '../../domain/company.ts';
import type { Agent } from '../../ports/agents.ts';

/** An agent account as its admins see it. */
export function agentView(agent: Agent): AgentView {
  return {
    id: agent.id,
    agent_code: agent.agentCode,
    name: agent.name,
    email: agent.email,
    role: agent.role,
    active: agent.active,
    sip_user: agent.sipUser,
    sip_secret_set: agent.hasSipSecret,
    created_at: agent.createdAt.toISOString(),
    updated_at: agent.updatedAt.toISOString(),
  };
}

/** An agent as log-in and `/api/me` show it. */
export function signedInAgent(agent: Agent, { slug, language }: Pick<CompanySettings, 'slug' | 'language'>): SignedInAgent {
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
