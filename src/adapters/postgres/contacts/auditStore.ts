import type { PoolClient } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { AuditEntry, AuditStore, ContactAuditEntry } from '../../../ports/audit.ts';
import { Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { fieldColumns, pageOf, run } from '../queries.ts';

/**
 * $1 company id, $2 id, $3 kind, $4 contact id, $5 the other's id or null, $6 who or null, $7 counts or null, $8 when.
 */
export const addAuditEntry = {
  name: 'add_audit_entry',
  text: `INSERT INTO audit_entry (company_id, id, kind, contact_id, other_id, by_id, counts, at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)`,
};

/**
 * $1 company id, $2 id of the last one of the page before or null, $3 kind or null, $4 since or null,
 * $5 until or null, $6 how many.
 */
export const listAuditEntries = {
  name: 'list_audit_entries',
  text: `SELECT ${fieldColumns(Prisma.AuditEntryScalarFieldEnum, { but: ['companyId', 'byId'], of: 'e' })},
    e.by_id AS by, a.name, b.name AS "agentName"
  FROM audit_entry e LEFT JOIN agent a ON a.company_id = e.company_id AND a.id = e.by_id
  LEFT JOIN agent b ON b.company_id = e.company_id AND b.id = e.agent_id
  WHERE e.company_id = $1 AND ($2::uuid IS NULL OR e.id < $2) AND ($3::text IS NULL OR e.kind = $3)
    AND ($4::timestamptz IS NULL OR e.at >= $4) AND ($5::timestamptz IS NULL OR e.at < $5)
  ORDER BY e.id DESC LIMIT $6`,
};

/** Writes an entry in the transaction of what it tells. */
export async function addToAudit(
  client: PoolClient,
  companyId: CompanyId,
  { id, kind, contactId, otherId, by, counts, at }: ContactAuditEntry,
): Promise<void> {
  await run(client, addAuditEntry, [
    companyId,
    id,
    kind,
    contactId,
    otherId,
    by,
    counts === null ? null : JSON.stringify(counts),
    at,
  ]);
}

/** What was merged, erased and listened to, in PostgreSQL. */
export function createAuditStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): AuditStore {
  return {
    async addListening(companyId, { by: byId, ...entry }) {
      await prisma.auditEntry.create({ data: { companyId, kind: 'call_listened', byId, ...entry } });
    },

    async list(companyId, { kind, since, until }, { cursor, limit }) {
      const rows = await run<AuditEntry>(pool, listAuditEntries, [
        companyId,
        cursor,
        kind ?? null,
        since ?? null,
        until ?? null,
        limit + 1,
      ]);
      return pageOf(rows, limit, (row) => row);
    },
  };
}
