import { contactObject } from '../../../contract/callRules.ts';
import { withoutOwnWords } from '../calls/tagRows.ts';
import { announced } from '../deliveries/announce.ts';

// What is kept of a person beside the contact, each with the statement that erases it or takes the person out of it.

/** The last nine digits of a number however it is spelled. */
const lastDigits = (text: string) => `right(regexp_replace(${text}, '[^0-9]', '', 'g'), 9)`;

/** The contact's ids, former ones too. $1 company id, $2 contact id. */
export const idsOfContact = {
  name: 'ids_of_contact',
  text: 'SELECT $2::uuid AS id UNION ALL SELECT id FROM contact_redirect WHERE company_id = $1 AND contact_id = $2',
};

/** What was changed of it, of what people are known by. $1 company id, $2 contact id. */
export const findKnownEdits = {
  name: 'find_known_edits',
  text: `SELECT e->>'field' AS field, e->>'before' AS before, e->>'after' AS after
    FROM contact_change t CROSS JOIN LATERAL jsonb_array_elements(t.edits) e
    WHERE t.company_id = $1 AND t.contact_id = $2 AND e->>'field' IN ('name', 'phones', 'emails', 'external_id')`,
};

/**
 * Which of these another contact is known by now. $1 company id, $2 contact id, $3 numbers, $4 addresses,
 * $5 external ids.
 */
export const findOthersKeys = {
  name: 'find_others_keys',
  text: `SELECT x.key FROM unnest($3::text[]) AS x (key)
    WHERE EXISTS (SELECT FROM contact_phone p WHERE p.company_id = $1 AND p.phone = x.key
      AND p.contact_id <> $2 OFFSET 0)
    UNION ALL SELECT x.key FROM unnest($4::text[]) AS x (key)
    WHERE EXISTS (SELECT FROM contact_email e WHERE e.company_id = $1 AND e.email = x.key
      AND e.contact_id <> $2 OFFSET 0)
    UNION ALL SELECT x.key FROM unnest($5::text[]) AS x (key)
    WHERE EXISTS (SELECT FROM contact c WHERE c.company_id = $1 AND c.external_id = x.key AND c.id <> $2 OFFSET 0)`,
};

/**
 * The calls of its numbers, those that named it, and those at which it popped, whoever has the number now.
 * $1 company id, $2 contact ids, $3 numbers, $4 contact ids as texts. Locked, so that none is written meanwhile.
 */
export const lockCallsOfContact = {
  name: 'lock_calls_of_contact',
  text: `SELECT id, ended_at IS NULL AS live FROM call
    WHERE company_id = $1 AND (phone = ANY ($3::text[]) OR contact_id = ANY ($2::uuid[])
      OR screen_pop->>'contact_id' = ANY ($4::text[])) ORDER BY id FOR UPDATE`,
};

/** $1 company id, $2 call ids, $3 now. The version rises: whoever has read the call before writes nothing of it. */
export const anonymizeCalls = {
  name: 'anonymize_calls',
  text: `UPDATE call SET phone = NULL, caller = NULL, external_id = NULL, contact_id = NULL, metadata = NULL,
    metadata_text = NULL, screen_pop = NULL,
    screen_pop_text = NULL, customer_name = NULL, record_system = NULL, record_url = NULL, disposition_notes = NULL,
    notes_draft = NULL, callback_draft = NULL, tags = ${withoutOwnWords('tags')}, recording_url = NULL,
    transferred_to = NULL, sip_call_id = NULL,
    transferred_from = transferred_from || '{"notes": null}', erased_at = $3, version = version + 1
    WHERE company_id = $1 AND id = ANY ($2::uuid[]) RETURNING id`,
};

/** Calls of others that were handed on to the person. $1 company id, $2 numbers. */
export const forgetHandedOn = {
  name: 'forget_handed_on',
  text: `UPDATE call SET transferred_to = NULL, version = version + 1 WHERE company_id = $1
    AND transferred_to = ANY ($2::text[]) RETURNING id`,
};

/** SQL: whether a candidate is one of a contact's ids. @param parameter those ids, as texts */
const isCandidate = (parameter: string) =>
  `one->>'object' = '${contactObject}' AND one->>'id' = ANY (${parameter}::text[])`;

/**
 * Calls of others with a number that is shared, whose pop offered the person, too. $1 company id, $2 numbers,
 * $3 contact ids as texts, $4 the calls of the person. Locked, so that none is written meanwhile.
 */
export const lockOffers = {
  name: 'lock_calls_that_offer_contact',
  text: `SELECT id, ended_at IS NULL AS live FROM call WHERE company_id = $1 AND phone = ANY ($2::text[])
    AND id <> ALL ($4::uuid[])
    AND EXISTS (SELECT FROM jsonb_array_elements(screen_pop->'candidates') AS one WHERE ${isCandidate('$3')})
    ORDER BY id FOR UPDATE`,
};

/** $1 company id, $2 call ids, $3 contact ids as texts. */
export const forgetOffers = {
  name: 'forget_offered_contact',
  text: `UPDATE call SET screen_pop_text = NULL, version = version + 1,
    screen_pop = jsonb_set(screen_pop, '{candidates}', (
      SELECT coalesce(jsonb_agg(one ORDER BY place), '[]')
      FROM jsonb_array_elements(screen_pop->'candidates') WITH ORDINALITY AS each (one, place)
      WHERE NOT (${isCandidate('$3')})
    )) WHERE company_id = $1 AND id = ANY ($2::uuid[])`,
};

/** What a CRM's log told of it; the entry there is still known by its id. $1 company id, $2 call ids. */
export const forgetLoggedTransfers = {
  name: 'forget_logged_transfers',
  text: `WITH told AS (
    UPDATE crm_delivery SET prepared = regexp_replace(prepared, '"transferredTo":"[^"]*"', '"transferredTo":null')
    WHERE company_id = $1 AND call_id = ANY ($2::uuid[]) AND prepared IS NOT NULL RETURNING id
  )
  UPDATE crm_attempt a SET request_body = NULL, response_body = NULL FROM crm_delivery d
  WHERE d.company_id = $1 AND d.call_id = ANY ($2::uuid[]) AND a.company_id = $1 AND a.delivery_id = d.id`,
};

/** What told of it. $1 company id, $2 call ids. */
export const eraseTransferDeliveries = {
  name: 'erase_transfer_deliveries',
  text: `DELETE FROM webhook_delivery WHERE company_id = $1 AND call_id = ANY ($2::uuid[])
    AND event = 'call_transferred' RETURNING id`,
};

/** How a call was wrapped up, without notes and own tags; null stays null. @param column */
function withoutWords(column: string): string {
  return `${column} || jsonb_build_object('notes', NULL, 'tags', ${withoutOwnWords(`${column}->'tags'`)})`;
}

/** The codes stay, the words go. $1 company id, $2 call ids. */
export const anonymizeCorrections = {
  name: 'anonymize_corrections',
  text: `UPDATE call_correction SET before = ${withoutWords('before')}, after = ${withoutWords('after')}
    WHERE company_id = $1 AND call_id = ANY ($2::uuid[])`,
};

// Those not sent yet too: a delivery with an empty body would tell nothing,
// and one that waits for an endpoint would keep the person for days. Their attempts go with them.

/** $1 company id, $2 call ids, $3 what the body of a webhook that is about no call holds. */
export const eraseWebhookDeliveries = {
  name: 'erase_webhook_deliveries',
  text: `DELETE FROM webhook_delivery WHERE company_id = $1 AND (
      call_id = ANY ($2::uuid[]) OR (call_id IS NULL
        AND EXISTS (SELECT FROM unnest($3::text[]) AS held WHERE position(held IN body) > 0))
    ) RETURNING id`,
};
/** $1 company id, $2 call ids. */
export const eraseCrmDeliveries = {
  name: 'erase_crm_deliveries',
  text: 'DELETE FROM crm_delivery WHERE company_id = $1 AND call_id = ANY ($2::uuid[]) RETURNING id',
};

/** $1 company id, $2 numbers. */
export const erasePushed = {
  name: 'erase_pushed',
  text: 'DELETE FROM screen_pop_entry WHERE company_id = $1 AND phone = ANY ($2::text[]) RETURNING phone',
};

/**
 * What was pushed of the person for a number that is shared.
 * $1 company id, $2 numbers, $3 external ids, $4 addresses, $5 names in lower case.
 */
export const erasePushedOf = {
  name: 'erase_pushed_of_person',
  text: `DELETE FROM screen_pop_entry WHERE company_id = $1 AND phone = ANY ($2::text[])
    AND (external_id = ANY ($3::text[]) OR lower(data::jsonb->>'email') = ANY ($4::text[])
      OR lower(data::jsonb->>'name') = ANY ($5::text[])) RETURNING phone`,
};

/**
 * What platforms told within the last hour of calls with one of its numbers.
 * $1 company id, $2 the last nine digits of each number.
 */
export const eraseHeardCalls = {
  name: 'erase_heard_calls',
  text: `DELETE FROM heard_call WHERE company_id = $1 AND ${lastDigits('customer')} = ANY ($2::text[])`,
};

/** $1 company id, $2 the last nine digits of each number. */
export const eraseWaitingEvents = {
  name: 'erase_waiting_events',
  text: `DELETE FROM waiting_platform_event WHERE company_id = $1
    AND ${lastDigits("event ->> 'customer'")} = ANY ($2::text[])`,
};

/** $1 company id, $2 contact ids, $3 numbers, $4 call ids. */
export const eraseTasks = {
  name: 'erase_tasks',
  text: `DELETE FROM task WHERE company_id = $1
    AND (contact_id = ANY ($2::uuid[]) OR phone = ANY ($3::text[]) OR call_id = ANY ($4::uuid[])) RETURNING id`,
};

/** A list of speed dials without the numbers of $2. */
const isOfOthers = (list: string) => `coalesce((SELECT jsonb_agg(one ORDER BY place)
  FROM jsonb_array_elements(${list}) WITH ORDINALITY AS each (one, place)
  WHERE one->>'phone_number' <> ALL ($2::text[])), '[]')`;

/** Whom agents dial by one press. $1 company id, $2 numbers. */
export const forgetSpeedDials = {
  name: 'forget_speed_dials',
  text: `UPDATE agent_softphone SET speed_dials = ${isOfOthers('speed_dials')},
    speed_dial_version = speed_dial_version + 1
    WHERE company_id = $1 AND EXISTS (SELECT FROM jsonb_array_elements(speed_dials) AS one
      WHERE one->>'phone_number' = ANY ($2::text[]))`,
};

/** The company's own. $1 company id, $2 numbers. */
export const forgetSharedSpeedDials = {
  name: 'forget_shared_speed_dials',
  text: `UPDATE company SET settings = jsonb_set(settings, '{speed_dials}', ${isOfOthers("settings->'speed_dials'")})
    WHERE id = $1 AND EXISTS (SELECT FROM jsonb_array_elements(settings->'speed_dials') AS one
      WHERE one->>'phone_number' = ANY ($2::text[]))`,
};

/** That nobody dials the number stays, and why it is on the list goes. $1 company id, $2 numbers. */
export const forgetListNotes = {
  name: 'forget_list_notes',
  text: 'UPDATE do_not_dial SET note = NULL WHERE company_id = $1 AND pattern = ANY ($2::text[]) AND note IS NOT NULL',
};

/**
 * Deals are the company's: one stays, under a dash where its name holds one of the person.
 * $1 company id, $2 contact ids, $3 its names, $4 now.
 */
export const unlinkDeals = {
  name: 'unlink_deals',
  text: `UPDATE deal SET contact_id = NULL, name = CASE WHEN EXISTS (SELECT FROM unnest($3::text[]) AS held
    WHERE position(lower(held) IN lower(deal.name)) > 0) THEN '–' ELSE name END, version = version + 1, updated_at = $4
    WHERE company_id = $1 AND contact_id = ANY ($2::uuid[]) RETURNING id`,
};

const blank = "cells = '[]', before = NULL, contact_id = NULL, contact_version = NULL, reason = NULL, remarks = NULL";

/**
 * Rows that were about the contact, and those with one of its numbers, however it is spelled, or addresses, or its id.
 * $1 company id, $2 contact ids, $3 the last nine digits of each number, $4 addresses and ids.
 */
export const blankImportRows = {
  name: 'blank_import_rows',
  text: `UPDATE import_row SET ${blank}
    WHERE company_id = $1 AND cells <> '[]' AND (contact_id = ANY ($2::uuid[]) OR EXISTS (
      SELECT FROM jsonb_array_elements_text(cells) AS cell, regexp_split_to_table(cell, '[;,|]|:::') AS part
      WHERE ${lastDigits('part')} = ANY ($3::text[])
        OR EXISTS (SELECT FROM regexp_split_to_table(part, '[\\s<>:?]+') AS word WHERE lower(word) = ANY ($4::text[]))
    )) RETURNING import_id AS id, row`,
};

/** SQL: whether all words of a name stand in a text that is folded. */
const holdsName = (name: string, folded: string) =>
  `NOT EXISTS (SELECT FROM regexp_split_to_table(crm_fold(${name}), ' ') AS word
    WHERE position(word IN ${folded}) = 0)`;

/**
 * Rows with a number that is shared, and with all words of one of its names.
 * $1 company id, $2 the last nine digits of each number, $3 names.
 */
export const blankSharedRows = {
  name: 'blank_rows_of_shared_numbers',
  text: `UPDATE import_row SET ${blank}
    WHERE company_id = $1 AND cells <> '[]' AND EXISTS (
      SELECT FROM jsonb_array_elements_text(cells) AS cell, regexp_split_to_table(cell, '[;,|]|:::') AS part
      WHERE ${lastDigits('part')} = ANY ($2::text[])
    ) AND EXISTS (SELECT FROM unnest($3::text[]) AS name, LATERAL (SELECT crm_fold(cells::text) AS folded OFFSET 0) AS f
      WHERE ${holdsName('name', 'f.folded')})
    RETURNING import_id AS id, row`,
};

/** Rows that have one of its external ids in the column that is read as such. $1 company id, $2 external ids. */
export const blankRowsOfExternalIds = {
  name: 'blank_rows_of_external_ids',
  text: `WITH known AS MATERIALIZED (
    SELECT i.id AS of_import, (m->>'column')::int AS place FROM import i
    CROSS JOIN LATERAL jsonb_array_elements(i.mapping) m WHERE i.company_id = $1 AND m->>'field' = 'external_id'
  )
  UPDATE import_row SET ${blank} FROM known
    WHERE company_id = $1 AND import_id = known.of_import AND cells <> '[]'
      AND regexp_replace(regexp_replace(regexp_replace(cells->>known.place, '^''(?=''*[=+@\\t\\r-])', ''),
        '^\\s*="(.*)"\\s*$', '\\1'), '^\\s+|\\s+$', '', 'g') = ANY ($2::text[])
    RETURNING import_id AS id, row`,
};

/**
 * What is kept of a file beside its rows: the first of them where it has no header,
 * and words by which its encoding is told. $1 company id, $2 import ids and $3 rows.
 */
export const blankFirstRows = {
  name: 'blank_first_rows',
  text: `WITH blanked AS MATERIALIZED (SELECT id AS of_import, array_agg(row) AS rows
    FROM unnest($2::uuid[], $3::int[]) AS b (id, row) GROUP BY id)
  UPDATE import SET samples = CASE WHEN samples IS NULL THEN NULL ELSE '[]'::jsonb END,
    first_row = CASE WHEN has_header OR first_row_number <> ALL (blanked.rows) THEN first_row
      ELSE (SELECT coalesce(jsonb_agg(''::text), '[]') FROM jsonb_array_elements(first_row)) END
  FROM blanked WHERE company_id = $1 AND id = blanked.of_import`,
};

/**
 * What rows of imports that are under way are known by. $1 company id, $2 keys, $3 numbers and addresses
 * (`n:+4930120001|ada`, `q:7:+4930120001`), $4 numbers that are shared, $5 its names as `nameKey` has them, $6 its
 * external ids. What others are known by, too, is left without the name and the id, and without what follows from them.
 */
export const eraseImportKeys = {
  name: 'erase_import_keys',
  text: `WITH forgotten AS (
    DELETE FROM import_key WHERE company_id = $1 AND (
      key = ANY ($2::text[]) OR substring(key from '^(?:[psetua]|[nt](?=.*\\|)|q:[0-9]+):([^|]*)') = ANY ($3::text[])
      OR name = ANY ($5::text[]) AND (key ~ '^w:' OR substring(key from '^[nt]:([^|]*)\\|') = ANY ($4::text[]))
      OR external_id = ANY ($6::text[]) AND key ~ '^i:'
    ) RETURNING key
  ), left_over AS (
    UPDATE import_key SET name = CASE WHEN name = ANY ($5::text[]) THEN '' ELSE name END,
      external_id = CASE WHEN external_id = ANY ($6::text[]) THEN NULL ELSE external_id END,
      also = translate(also, CASE WHEN name = ANY ($5::text[]) THEN 'nw' ELSE '' END
        || CASE WHEN external_id = ANY ($6::text[]) THEN 'i' ELSE '' END, '')
    WHERE company_id = $1 AND (name = ANY ($5::text[]) OR external_id = ANY ($6::text[]))
      AND (key ~ '^q:[0-9]+:$' OR substring(key from '^[psu]:(.*)$') = ANY ($4::text[]))
    RETURNING key
  ) SELECT key FROM forgotten UNION ALL SELECT key FROM left_over`,
};

/** The key stays spent: a request that comes again makes nobody anew. $1 company id, $2 what the answer holds. */
export const blankAnswers = {
  name: 'blank_answers',
  text: `UPDATE idempotency_key SET response = '{}' WHERE company_id = $1 AND status IS NOT NULL
    AND EXISTS (SELECT FROM unnest($2::text[]) AS held WHERE position(held IN lower(response::text)) > 0)
    RETURNING key`,
};

/** $1 company id, $2 contact id. The rest of what is the contact's alone goes with its row. */
export const eraseTimeline = {
  name: 'erase_timeline',
  text: 'DELETE FROM contact_change WHERE company_id = $1 AND contact_id = $2 RETURNING id',
};

/** $1 company id, $2 hashes, $3 now. */
export const rememberErased = {
  name: 'remember_erased',
  text: `INSERT INTO erased_number (company_id, hash, at) SELECT $1, hash, $3 FROM unnest($2::text[]) AS hash
    ON CONFLICT DO NOTHING`,
};

/** $1 company id, $2 contact id, $3 to $5 the webhook that tells of it or nulls, $6 now. */
export const removeErased = {
  name: 'remove_erased_contact',
  text: `WITH written AS (DELETE FROM contact WHERE company_id = $1 AND id = $2 RETURNING id),
    ${announced('written', 3, '$6')} SELECT EXISTS (SELECT FROM written) AS written`,
};

/** $1 company id, $2 hashes. */
export const findErased = {
  name: 'find_erased',
  text: 'SELECT hash FROM erased_number WHERE company_id = $1 AND hash = ANY ($2::text[])',
};
