import type { Pool } from 'pg';
import { patternsOf } from '../../../domain/doNotDial.ts';
import type { CompanyId, ContactId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phones/phoneNumbers.ts';
import type { ContactScope } from '../../../ports/contacts.ts';
import type { DialBan } from '../../../ports/dialing.ts';
import { isSeen, leadsTo, ownerOf } from '../contacts/findContacts.ts';
import { run } from '../queries.ts';

/**
 * $1 company id, $2 phone number, $3 the contact that was named, or null; one that went into another stands for that.
 * $4 what of the company's list would keep the number from being dialed, $5 whose contacts whoever named it sees beside
 * nobody's, or null. Those who have the number come first; a row without contact is one of the list. Of a number that
 * is shared one of those who have it is enough, unless the one that was named has it too and may be called.
 */
export const findDialBan = {
  name: 'find_dial_ban',
  text: `SELECT c.id AS "contactId" FROM contact_phone n JOIN contact c ON c.company_id = $1 AND c.id = n.contact_id
    WHERE n.company_id = $1 AND n.phone = $2 AND c.do_not_call AND NOT EXISTS (
      SELECT FROM contact_phone m JOIN contact c ON c.company_id = $1 AND c.id = m.contact_id
      WHERE m.company_id = $1 AND m.phone = $2 AND m.contact_id = ${leadsTo('$3')} AND NOT c.do_not_call
        AND ${isSeen('$5')}
    )
  UNION ALL
  SELECT c.id FROM contact c WHERE c.company_id = $1 AND c.id = ${leadsTo('$3')} AND c.do_not_call AND ${isSeen('$5')}
  UNION ALL
  SELECT NULL FROM do_not_dial WHERE company_id = $1 AND pattern = ANY ($4::text[])`,
};

/** What keeps the number from being dialed; null: nothing. */
export async function dialBanOf(
  pool: Pool,
  companyId: CompanyId,
  phone: PhoneNumber,
  named: { id: ContactId; scope: ContactScope } | null,
): Promise<DialBan | null> {
  const rows = await run<{ contactId: ContactId | null }>(pool, findDialBan, [
    companyId,
    phone,
    named?.id ?? null,
    patternsOf(phone),
    named === null ? null : ownerOf(named.scope),
  ]);
  if (rows.length === 0) return null;
  return {
    contactId: rows.find(({ contactId }) => contactId !== null)?.contactId ?? null,
    isListed: rows.some(({ contactId }) => contactId === null),
  };
}
