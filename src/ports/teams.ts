import type { AgentId, CompanyId, TeamId } from '../domain/ids.ts';

/** Agents who take calls together. `version` rises by one per change. */
export type Team = {
  companyId: CompanyId;
  id: TeamId;
  code: string;
  name: string;
  agentIds: AgentId[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

/**
 * `taken`: another team of the company has the code.
 * `unknown_agent`: the company has not that one of `agentIds`, counted from 0.
 */
export type TeamRefused = { kind: 'taken' } | { kind: 'unknown_agent'; place: number };

export interface TeamStore {
  /** `too_many`: the company has `atMost` already. */
  create(team: Team, atMost: number): Promise<'created' | 'too_many' | TeamRefused>;
  /** In order of their names. @param of these alone; null: all */
  list(companyId: CompanyId, of: readonly TeamId[] | null): Promise<Team[]>;
  /** Null: the company has none. */
  find(companyId: CompanyId, id: TeamId): Promise<Team | null>;
  /** Replaces the one that still has `team.version - 1`. `changesMembers`: whether `agentIds` are written. */
  update(team: Team, changesMembers: boolean): Promise<'updated' | 'not_updated' | TeamRefused>;
  /** Whether there was one. */
  remove(companyId: CompanyId, id: TeamId): Promise<boolean>;
  /**
   * The team with that code and who is in it, inactive agents too; the same list until the team changes.
   * Null: the company has no such team.
   */
  membersOf(companyId: CompanyId, code: string): Promise<{ id: TeamId; agentIds: readonly AgentId[] } | null>;
  /** Who is in any of these teams, in order of their ids. */
  membersOfAny(companyId: CompanyId, ids: readonly TeamId[]): Promise<AgentId[]>;
}
