import { z } from 'zod';
import { erasedCounts } from './eraseContact.ts';
import { cursorQuery, momentInQuery, timestamp, uuid } from './values.ts';
import { listeningModes } from './vocabulary.ts';

/** What was merged and erased, whose calls were listened to, and by whom. */

export const auditKinds = ['contact_merged', 'contact_erased', 'call_listened'] as const;
export type AuditKind = (typeof auditKinds)[number];

export const auditEntryView = z
  .object({
    id: uuid,
    kind: z.enum(auditKinds),
    at: timestamp,
    by: z
      .object({ id: uuid, name: z.string() })
      .nullable()
      .meta({ description: 'Who did it. Null: a program with the company’s key' }),
    contact_id: uuid
      .nullable()
      .meta({ description: 'The contact that stayed, or that was erased. Null: it is about a call' }),
    other_id: uuid.nullable().meta({ description: 'The contact that went into it' }),
    call: z
      .object({
        id: uuid,
        agent: z
          .object({ id: uuid, name: z.string() })
          .nullable()
          .meta({ description: 'Whose call it was. Null: who is no longer known' }),
        mode: z.enum(listeningModes),
      })
      .nullable()
      .meta({ description: 'Of `call_listened`: each time that somebody began to listen, or went on in another way' }),
    erased: erasedCounts.nullable().meta({ description: 'How much of each kind was erased. It names nobody' }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryView = z.infer<typeof auditEntryView>;

export const listAuditQuery = z.strictObject({
  ...cursorQuery,
  kind: z.enum(auditKinds).optional(),
  since: momentInQuery.optional().meta({ description: 'Then or later' }),
  until: momentInQuery.optional().meta({ description: 'Before then' }),
});
export type ListAuditQuery = z.infer<typeof listAuditQuery>;
export const auditList = z
  .object({ entries: z.array(auditEntryView), next_cursor: uuid.nullable() })
  .meta({ id: 'AuditList' });
