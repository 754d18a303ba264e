import type { Pool } from 'pg';
import type { CompanyId, ContactId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phoneNumbers.ts';
import { run } from '../queries.ts';

/** $1 company id, $2 phone number, $3 the contact that was named, or null; one that went into another stands for that. The owner of the number comes first. */
export const findDoNotCall = {
  name: 'find_do_not_call',
  text: `SELECT c.id FROM contact_phone n JOIN contact c ON c.company_id = $1 AND c.id = n.contact_id
    WHERE n.company_id = $1 AND n.phone = $2 AND c.do_not_call
  UNION ALL
  SELECT c.id FROM contact c WHERE c.company_id = $1
    AND c.id = coalesce((SELECT r.contact_id FROM contact_redirect r WHERE r.company_id = $1 AND r.id = $3), $3) AND c.do_not_call
  LIMIT 1`,
};

/** The contact who has this number, or the one that was named, where it does not want to be called; else null. */
export async function doNotCallOf(pool: Pool, companyId: CompanyId, phone: PhoneNumber, contactId: ContactId | null): Promise<ContactId | null> {
  const [row] = await run<{ id: ContactId }>(pool, findDoNotCall, [companyId, phone, contactId]);
  return row?.id ?? null;
}
