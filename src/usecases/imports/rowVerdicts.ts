import type { JudgedRow, RawRow, RowReason } from '../../domain/imports.ts';
import type { RowDraft } from './readRow.ts';
import { customerKeys, emailKeys, nameKeyOf } from './rowKeys.ts';

/** What becomes of a row, with all that the rows behind it know its customer by. */
export type Verdict = Omit<JudgedRow, 'keys'> & { keys: string[] };
type KnownBy = Pick<Verdict, 'keys' | 'externalId' | 'name'>;

/** Of a row that writes nothing, so that the rows behind it fare the same whenever the file comes. */
export function customerOf(draft: RowDraft): KnownBy {
  const name = nameKeyOf(draft);
  return { keys: customerKeys(draft, name), externalId: draft.externalId, name };
}

/**
 * Of a row that is refused for an address: nobody behind it is given what it has,
 * so that it is refused the next time, too.
 */
export function reservedFor(draft: RowDraft): KnownBy {
  return { ...customerOf(draft), keys: [...draft.phones.map(({ phone }) => `p:${phone}`), ...emailKeys(draft)] };
}

/** Of a row that does not tell whose it is: its numbers stay with those who have them. */
export function ofSeveral(raw: RawRow, draft: RowDraft): Verdict {
  return refused(raw, because('fits several contacts', { code: 'several_contacts' }), {
    ...customerOf(draft),
    keys: emailKeys(draft),
  });
}

/** What is said of a row. */
export function because(message: string, cause: Pick<RowReason, 'code'> & { params?: unknown }): RowReason {
  return { message, column: null, ...cause } as RowReason;
}

/** Said of a row that would bring back a person who was erased. */
export const wasErased = because('is somebody who was erased', { code: 'was_erased' });

/** A row of which nothing is written. @param customer by what the rows behind it know whose it is */
export function refused(
  { row }: RawRow,
  reason: RowReason,
  customer: KnownBy = { keys: [], externalId: null, name: '' },
): Verdict {
  return {
    row,
    sameAs: null,
    outcome: 'refused',
    reason,
    remarks: [],
    contactId: null,
    before: null,
    after: null,
    ...customer,
  };
}
