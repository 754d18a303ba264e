import type { PopField } from '../contract/popLayout.ts';
import type { CompanyId } from '../domain/ids.ts';

/** How the screen pop of a company shows its fields. */
export type StoredPopLayout = {
  fields: PopField[];
  /** Rises by one per change; 0: nothing was ever set. */
  version: number;
  updatedAt: Date | null;
};

export interface PopLayoutStore {
  /** Version 0 where nothing was ever set. */
  find(companyId: CompanyId): Promise<StoredPopLayout>;
  /** Replaces the layout that still has `next.version - 1`. False: it has another version, and nothing was written. */
  save(companyId: CompanyId, next: StoredPopLayout & { updatedAt: Date }): Promise<boolean>;
}
