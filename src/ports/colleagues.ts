import type { AgentState } from '../contract/vocabulary.ts';
import type { AgentCard } from '../domain/company.ts';
import type { AgentId, CompanyId } from '../domain/ids.ts';

/**
 * Somebody who works there. `text`: name and code as they are looked for. `extension`: by which the PBX knows them;
 * null: they have no account there. `state`, `since` null: not known at the moment.
 */
export type Colleague = AgentCard & {
  text: string;
  extension: string | null;
  state: AgentState | null;
  since: Date | null;
};

/** Who works at a company and what they are doing, for those who look for somebody. */
export interface Colleagues {
  /**
   * The company's active people, those who can take a call soonest first and those who are not there last,
   * as of two seconds ago at most; by name and without their states where the presence store cannot be reached.
   */
  people(companyId: CompanyId): Promise<readonly Colleague[]>;
  /** Who is in the team with that code; null: the company has no such team. */
  team(companyId: CompanyId, code: string): Promise<ReadonlySet<AgentId> | null>;
}
