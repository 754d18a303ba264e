import type { Role } from '../../contract/vocabulary.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import type { Agent } from '../../ports/agents.ts';
import type { Agent as StoredAgent } from './generated/client.ts';

/** A row of `agent` without its password. `sipSecretEncrypted` is looked at only for whether there is one. */
export type AgentRow = Omit<StoredAgent, 'passwordHash'>;

/** The columns of AgentRow, for prepared statements. */
export const agentColumns = `id, company_id AS "companyId", agent_code AS "agentCode", name, email, role, active,
  sip_user AS "sipUser", sip_secret_encrypted AS "sipSecretEncrypted", token_version AS "tokenVersion", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Reads a row. */
export function readAgent(row: AgentRow): Agent {
  return {
    id: row.id as AgentId,
    companyId: row.companyId as CompanyId,
    agentCode: row.agentCode,
    name: row.name,
    email: row.email,
    role: row.role as Role,
    active: row.active,
    sipUser: row.sipUser,
    hasSipSecret: row.sipSecretEncrypted !== null,
    tokenVersion: row.tokenVersion,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
