import type { Pool, PoolClient } from 'pg';
import type { ErasedCounts } from '../../../contract/eraseContact.ts';
import type { Contact } from '../../../domain/contacts.ts';
import type { ContactId } from '../../../domain/ids.ts';
import type { Erasure } from '../../../ports/contacts.ts';
import { announced } from '../deliveries/announce.ts';
import { isDeadlock } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { addToAudit } from './auditStore.ts';
import { lockContacts } from './mergeContacts.ts';

/** The contact's ids, former ones too. $1 company id, $2 contact id. */
export const idsOfContact = {
  name: 'ids_of_contact',
  text: 'SELECT $2::uuid AS id UNION ALL SELECT id FROM contact_redirect WHERE company_id = $1 AND contact_id = $2',
};

/** The calls of its numbers, and those that named it. $1 company id, $2 contact ids, $3 numbers. Locked, so that none is written meanwhile. */
export const lockCallsOfContact = {
  name: 'lock_calls_of_contact',
  text: 'SELECT id, ended_at IS NULL AS live FROM call WHERE company_id = $1 AND (phone = ANY ($3::text[]) OR contact_id = ANY ($2::uuid[])) ORDER BY id FOR UPDATE',
};

/** $1 company id, $2 call ids. The version rises: whoever has read the call before writes nothing of it. */
export const anonymizeCalls = {
  name: 'anonymize_calls',
  text: `UPDATE call SET phone = NULL, caller = NULL, external_id = NULL, contact_id = NULL, metadata = NULL, metadata_text = NULL, screen_pop = NULL,
    screen_pop_text = NULL, customer_name = NULL, record_system = NULL, record_url = NULL, disposition_notes = NULL, notes_draft = NULL, recording_url = NULL, transferred_to = NULL,
    version = version + 1
    WHERE company_id = $1 AND id = ANY ($2::uuid[]) RETURNING id`,
};

/** Calls of others that were handed on to the person. $1 company id, $2 numbers. */
export const forgetHandedOn = {
  name: 'forget_handed_on',
  text: 'UPDATE call SET transferred_to = NULL, version = version + 1 WHERE company_id = $1 AND transferred_to = ANY ($2::text[]) RETURNING id',
};

/** What told of it. $1 company id, $2 call ids. */
export const eraseTransferDeliveries = {
  name: 'erase_transfer_deliveries',
  text: "DELETE FROM webhook_delivery WHERE company_id = $1 AND call_id = ANY ($2::uuid[]) AND event = 'call_transferred' RETURNING id",
};

/** The codes stay, the words go. $1 company id, $2 call ids. */
export const anonymizeCorrections = {
  name: 'anonymize_corrections',
  text: `UPDATE call_correction SET before = before - 'notes' || '{"notes": null}', after = after - 'notes' || '{"notes": null}' WHERE company_id = $1 AND call_id = ANY ($2::uuid[])`,
};

// Those not sent yet too: a delivery with an empty body would tell nothing, and one that waits for an endpoint would keep the person for
// days. Their attempts go with them.

/** $1 company id, $2 call ids, $3 what the body of a webhook that is about no call holds. */
export const eraseWebhookDeliveries = {
  name: 'erase_webhook_deliveries',
  text: `DELETE FROM webhook_delivery WHERE company_id = $1 AND (
      call_id = ANY ($2::uuid[]) OR (call_id IS NULL AND EXISTS (SELECT FROM unnest($3::text[]) AS held WHERE position(held IN body) > 0))
    ) RETURNING id`,
};
/** $1 company id, $2 call ids. */
export const eraseCrmDeliveries = { name: 'erase_crm_deliveries', text: 'DELETE FROM crm_delivery WHERE company_id = $1 AND call_id = ANY ($2::uuid[]) RETURNING id' };

/** $1 company id, $2 numbers. */
export const erasePushed = { name: 'erase_pushed', text: 'DELETE FROM screen_pop_entry WHERE company_id = $1 AND phone = ANY ($2::text[]) RETURNING phone' };

/** $1 company id, $2 contact ids, $3 numbers. */
export const eraseTasks = {
  name: 'erase_tasks',
  text: 'DELETE FROM task WHERE company_id = $1 AND (contact_id = ANY ($2::uuid[]) OR phone = ANY ($3::text[])) RETURNING id',
};

/** Deals are the company's: one stays, under a dash where its name holds that of the person. $1 company id, $2 contact ids, $3 the name or null, $4 now. */
export const unlinkDeals = {
  name: 'unlink_deals',
  text: `UPDATE deal SET contact_id = NULL, name = CASE WHEN position(lower($3::text) IN lower(name)) > 0 THEN '–' ELSE name END, version = version + 1, updated_at = $4
    WHERE company_id = $1 AND contact_id = ANY ($2::uuid[]) RETURNING id`,
};

/**
 * Rows that were about the contact, and those with one of its numbers, however it is spelled, or addresses.
 * $1 company id, $2 contact ids, $3 the last nine digits of each number, $4 addresses.
 */
export const blankImportRows = {
  name: 'blank_import_rows',
  text: `UPDATE import_row SET cells = '[]', before = NULL, contact_id = NULL, contact_version = NULL, reason = NULL
    WHERE company_id = $1 AND cells <> '[]' AND (contact_id = ANY ($2::uuid[]) OR EXISTS (
      SELECT FROM jsonb_array_elements_text(cells) AS cell, regexp_split_to_table(cell, '[;,|]') AS part
      WHERE right(regexp_replace(part, '[^0-9]', '', 'g'), 9) = ANY ($3::text[]) OR lower(btrim(part)) = ANY ($4::text[])
    )) RETURNING import_id AS id, row`,
};

/** Where a file has no header, its first row is kept beside the rows too. $1 company id, $2 import ids. */
export const blankFirstRows = {
  name: 'blank_first_rows',
  text: `UPDATE import SET first_row = (SELECT coalesce(jsonb_agg(''::text), '[]') FROM jsonb_array_elements(first_row)) WHERE company_id = $1 AND id = ANY ($2::uuid[]) AND NOT has_header`,
};

/** $1 company id, $2 keys. */
export const eraseImportKeys = { name: 'erase_import_keys', text: 'DELETE FROM import_key WHERE company_id = $1 AND key = ANY ($2::text[]) RETURNING key' };

/** The key stays spent: a request that comes again makes nobody anew. $1 company id, $2 what the answer holds. */
export const blankAnswers = {
  name: 'blank_answers',
  text: `UPDATE idempotency_key SET response = '{}' WHERE company_id = $1 AND status IS NOT NULL
    AND EXISTS (SELECT FROM unnest($2::text[]) AS held WHERE position(held IN lower(response::text)) > 0) RETURNING key`,
};

/** $1 company id, $2 contact id. The rest of what is the contact's alone goes with its row. */
export const eraseTimeline = { name: 'erase_timeline', text: 'DELETE FROM contact_change WHERE company_id = $1 AND contact_id = $2 RETURNING id' };

/** $1 company id, $2 hashes, $3 now. */
export const rememberErased = {
  name: 'remember_erased',
  text: 'INSERT INTO erased_number (company_id, hash, at) SELECT $1, hash, $3 FROM unnest($2::text[]) AS hash ON CONFLICT DO NOTHING',
};

/** $1 company id, $2 contact id, $3 to $5 the webhook that tells of it or nulls, $6 now. */
export const removeErased = {
  name: 'remove_erased_contact',
  text: `WITH written AS (DELETE FROM contact WHERE company_id = $1 AND id = $2 RETURNING id), ${announced('written', 3, '$6')} SELECT EXISTS (SELECT FROM written) AS written`,
};

/** $1 company id, $2 hashes. */
export const findErased = { name: 'find_erased', text: 'SELECT hash FROM erased_number WHERE company_id = $1 AND hash = ANY ($2::text[])' };

/** Erases the contact and what is kept of it, in one transaction. `not_written`: it has another version; `on_call`: one of its calls has not ended. */
export async function eraseWhole(pool: Pool, contact: Contact, erasure: Erasure): Promise<ErasedCounts | 'not_written' | 'on_call'> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('BEGIN');
    const erased = await erase(client, contact, erasure);
    await client.query(typeof erased === 'string' ? 'ROLLBACK' : 'COMMIT');
    broken = false;
    return erased;
  } catch (error) {
    if (isDeadlock(error)) return 'not_written';
    throw error;
  } finally {
    client.release(broken);
  }
}

async function erase(client: PoolClient, contact: Contact, { hashes, id: entryId, by, at, events }: Erasure): Promise<ErasedCounts | 'not_written' | 'on_call'> {
  const { companyId, id, name, externalId } = contact;
  const phones = contact.phones.map(({ phone }) => phone as string);
  const emails = contact.emails.map(({ email }) => email);
  const [locked] = await run<{ version: number }>(client, lockContacts, [companyId, [id]]);
  if (locked?.version !== contact.version) return 'not_written';
  const ids = (await run<{ id: ContactId }>(client, idsOfContact, [companyId, id])).map((row) => row.id as string);
  const found = await run<{ id: string; live: boolean }>(client, lockCallsOfContact, [companyId, ids, phones]);
  if (found.some(({ live }) => live)) return 'on_call';
  const calls = found.map((call) => call.id);
  const count = async (...[statement, values]: [Parameters<typeof run>[1], unknown[]]) => (await run(client, statement, values)).length;
  const blanked = await run<{ id: string; row: number }>(client, blankImportRows, [companyId, ids, phones.map((phone) => phone.replace(/\D/g, '').slice(-9)), emails]);
  const headless = blanked.flatMap((each) => (each.row === 1 ? [each.id] : []));
  if (headless.length > 0) await run(client, blankFirstRows, [companyId, headless]);
  const keys = [...ids.map((each) => `c:${each}`), ...(externalId === null ? [] : [`x:${externalId}`]), ...phones.map((phone) => `p:${phone}`), ...emails.map((email) => `e:${email}`)];
  await run(client, anonymizeCorrections, [companyId, calls]);
  const handedOn = (await run<{ id: string }>(client, forgetHandedOn, [companyId, phones])).map((call) => call.id);
  const counts: ErasedCounts = {
    calls: await count(anonymizeCalls, [companyId, calls]),
    webhook_deliveries: (await count(eraseWebhookDeliveries, [companyId, calls, ids])) + (await count(eraseTransferDeliveries, [companyId, handedOn])),
    crm_deliveries: await count(eraseCrmDeliveries, [companyId, calls]),
    pushed_records: await count(erasePushed, [companyId, phones]),
    tasks: await count(eraseTasks, [companyId, ids, phones]),
    deals: await count(unlinkDeals, [companyId, ids, name, at]),
    import_rows: blanked.length,
    import_keys: await count(eraseImportKeys, [companyId, keys]),
    answers: await count(blankAnswers, [companyId, [...ids, ...calls, ...phones, ...emails]]),
    timeline_entries: await count(eraseTimeline, [companyId, id]),
  };
  await run(client, rememberErased, [companyId, hashes, at]);
  const [event] = events;
  await run(client, removeErased, [companyId, id, event?.id ?? null, event?.event ?? null, event?.body ?? null, at]);
  await addToAudit(client, companyId, { id: entryId, kind: 'contact_erased', contactId: id, otherId: null, by, counts, at });
  return counts;
}
