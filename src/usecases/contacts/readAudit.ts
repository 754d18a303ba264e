import type { AuditEntryView, ListAuditQuery } from '../../contract/audit.ts';
import type { Principal } from '../../domain/access.ts';
import type { Services } from '../services.ts';

/** What was merged, erased and listened to in the company, the latest first, a page at a time. */
export async function listAudit(
  { audit }: Pick<Services, 'audit'>,
  { companyId }: Principal,
  { cursor, limit, kind, since, until }: ListAuditQuery,
): Promise<{ entries: AuditEntryView[]; next_cursor: string | null }> {
  const day = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  const listed = await audit.list(
    companyId,
    { kind, since: day(since), until: day(until) },
    { cursor: cursor ?? null, limit },
  );
  const entries = listed.items.map(
    ({ id, kind: what, at, by, name, contactId, otherId, counts, callId, agentId, agentName, mode }) => ({
      id,
      kind: what,
      at: at.toISOString(),
      by: by === null || name === null ? null : { id: by, name },
      contact_id: contactId,
      other_id: otherId,
      call:
        callId === null || mode === null
          ? null
          : {
              id: callId,
              agent: agentId === null || agentName === null ? null : { id: agentId, name: agentName },
              mode,
            },
      erased: counts,
    }),
  );
  return { entries, next_cursor: listed.nextCursor };
}
