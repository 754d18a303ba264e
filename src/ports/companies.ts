import type { ChosenSettings, SettingsChange } from '../contract/companySettings.ts';
import type { Company } from '../domain/company.ts';
import type { CompanyId } from '../domain/ids.ts';
import type { Agent, NewAgent } from './agents.ts';

export type NewCompany = Pick<Company, 'id' | 'slug' | 'name'> & { settings?: ChosenSettings };
/** Settings that are left out stay; `wallboard_limits` may name some of its fields. */
export type CompanyChange = { name?: string | undefined; settings: SettingsChange };

export interface CompanyStore {
  /** Company, its first agents and an empty integration, in one transaction. */
  create(
    company: NewCompany,
    agents: Omit<NewAgent, 'ledTeamIds'>[],
  ): Promise<{ kind: 'created'; company: Company; agents: Agent[] } | { kind: 'slug_taken' }>;
  find(companyId: CompanyId): Promise<Company | null>;
  update(companyId: CompanyId, change: CompanyChange): Promise<Company | null>;
  /** For the platform's operator alone: by slug. */
  list(): Promise<Company[]>;
  /** Whether any company exists. */
  any(): Promise<boolean>;

  /**
   * Resolves where companies can be read and changed; rejects otherwise, also where the database only takes no changes.
   */
  works(): Promise<void>;
}
