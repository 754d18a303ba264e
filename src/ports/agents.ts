import type { Role } from '../contract/vocabulary.ts';
import type { AgentCard } from '../domain/company.ts';
import type { AgentId, CompanyId, TeamId } from '../domain/ids.ts';
import type { FindResult, Page, PageRequest } from './queryResults.ts';

export type Agent = {
  id: AgentId;
  companyId: CompanyId;
  /** As given; unique in its company, ignoring case and surrounding spaces. */
  agentCode: string;
  name: string;
  /** Lower case. */
  email: string | null;
  role: Role;
  active: boolean;
  /**
   * The teams whose agents a supervisor sees, those that are there still; null: everybody.
   * Of other roles it does not count.
   */
  ledTeamIds: TeamId[] | null;
  /** At the company's PBX. */
  sipUser: string | null;
  hasSipSecret: boolean;
  /** Tokens issued under an older version are revoked. */
  tokenVersion: number;
  createdAt: Date;
  updatedAt: Date;
};

/** An agent's account at the company's PBX; its secret is sealed. `name`: the agent's, for those who are called. */
export type SealedSipAccount = { user: string; secretEncrypted: string; name: string };

export type NewAgent = Pick<Agent, 'id' | 'agentCode' | 'name' | 'email' | 'role'> & {
  passwordHash: string;
  ledTeamIds?: TeamId[] | null;
  sipUser?: string | null;
  sipSecretEncrypted?: string | null;
};
export type AgentChange = Partial<Pick<Agent, 'agentCode' | 'name' | 'email' | 'role' | 'active' | 'ledTeamIds'>> & {
  passwordHash?: string;
  sipUser?: string | null;
  sipSecretEncrypted?: string | null;
  /** Ends every token issued so far. */
  revokeTokens?: boolean;
};
export type AgentCredentials = { agent: Agent; companySlug: string; passwordHash: string };

/** An agent of any company. */
export type AgentKey = { companyId: CompanyId; agentId: AgentId };

export interface AgentStore {
  create(companyId: CompanyId, agent: NewAgent): Promise<{ kind: 'created'; agent: Agent } | TakenName | UnknownTeam>;
  update(companyId: CompanyId, id: AgentId, change: AgentChange): Promise<FindResult<Agent> | TakenName | UnknownTeam>;
  /**
   * Replaces the password and ends every token issued so far, unless the agent's tokens were ended since `tokenVersion`
   * was read (a reset by an admin, another role): then nothing is changed, and null.
   */
  replacePassword(companyId: CompanyId, id: AgentId, tokenVersion: number, passwordHash: string): Promise<Agent | null>;
  find(companyId: CompanyId, id: AgentId): Promise<FindResult<Agent>>;
  /** An answer for each, in their order, in one query; null: the company has no such agent. */
  findEach(asked: readonly AgentKey[]): Promise<(Agent | null)[]>;
  /** The names of these agents of the company, in one query; unknown ones are left out. */
  cards(companyId: CompanyId, ids: AgentId[]): Promise<AgentCard[]>;
  /** The user names at the PBX of active people who have an account there. */
  extensions(companyId: CompanyId): Promise<Map<AgentId, string>>;
  /** Everybody who works there, by name: active agents, supervisors and admins, and no machines. */
  people(companyId: CompanyId): Promise<AgentCard[]>;
  /** However the code is spelled: without case and surrounding spaces. */
  findByCode(companyId: CompanyId, agentCode: string): Promise<Agent | null>;
  /** Null where user or secret is missing, and for an agent of another company. */
  findSipAccount(companyId: CompanyId, id: AgentId): Promise<SealedSipAccount | null>;
  /** In id order, inactive ones too. @param of these alone; null: everybody */
  list(companyId: CompanyId, of: AgentId[] | null, page: PageRequest): Promise<Page<Agent>>;
  /**
   * Active agents of any company that a log-in may mean, at most 20: the one query without a company.
   * Codes, addresses and slugs are compared without case and surrounding spaces.
   */
  findForLogin(login: { agentCode?: string; email?: string; companySlug?: string }): Promise<AgentCredentials[]>;
}
export type TakenName = { kind: 'taken'; field: 'agent_code' | 'email' };
/** The company has not that one of `ledTeamIds`, counted from 0; nothing was written. */
export type UnknownTeam = { kind: 'unknown_team'; place: number };
