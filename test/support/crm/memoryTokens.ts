import type { CompanyId } from '../../../src/domain/ids.ts';
import type { StoredToken, TokenStore } from '../../../src/ports/tokens.ts';

/** Tokens of companies that are all connected; leases end only when they are given back. */
export function createMemoryTokens(): TokenStore<CompanyId> {
  const rows = new Map<CompanyId, StoredToken & { leaseId: string | null }>();
  const rowOf = (companyId: CompanyId) =>
    rows.get(companyId) ?? { sealed: null, expiresAt: null, version: 0, leaseId: null };
  return {
    find: async (companyId) => rowOf(companyId),
    async lease(companyId, { leaseId, version }) {
      const row = rowOf(companyId);
      if (row.leaseId !== null || row.version !== version) return false;
      rows.set(companyId, { ...row, leaseId });
      return true;
    },
    async save(companyId, leaseId, token) {
      const row = rowOf(companyId);
      if (row.leaseId !== leaseId) return false;
      rows.set(companyId, { ...token, version: row.version + 1, leaseId: null });
      return true;
    },
    async release(companyId, leaseId) {
      const row = rowOf(companyId);
      if (row.leaseId === leaseId) rows.set(companyId, { ...row, leaseId: null });
    },
  };
}
