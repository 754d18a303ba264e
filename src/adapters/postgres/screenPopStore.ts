import type { Pool } from 'pg';
import { JsonText } from '../../contract/jsonText.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { PhoneNumber } from '../../domain/phones/phoneNumbers.ts';
import type { ScreenPopEntry } from '../../domain/screenPop.ts';
import type { ScreenPopStore } from '../../ports/screenPops.ts';
import { batchOf, createBatchWriter } from './batchWriter.ts';
import type { StoreParts } from './pool.ts';
import { isDataError } from './postgresErrors.ts';
import { deleteOld, run } from './queries.ts';
import { jsonFor, textFor } from './storableValues.ts';

const maxRows = 500;
/** Characters of JSON per statement: bounds memory when many large customers arrive at once. */
const maxWeight = 4_000_000;
/** Statements under way at once, each of another company: the other connections are for clicks. */
const companiesAtOnce = 4;

/** Customers in PostgreSQL. Pushes of a company that arrive while a write of it is under way share the next one. */
export function createScreenPopStore({ pool, prisma, clock }: StoreParts): ScreenPopStore {
  const writer = createBatchWriter<ScreenPopWrite>({
    write: (rows) => writeScreenPops(pool, rows),
    groupOf: (row) => row.companyId,
    atOnce: companiesAtOnce,
    keyOf: (row) => row.phone,
    weightOf: (row) => row.data.length,
    maxRows,
    maxWeight,
    isRowFault: isDataError,
  });

  return {
    async upsert(companyId, entry) {
      await writer.add(writeOf(companyId, entry));
    },

    async upsertMany(companyId, entries) {
      const rows = entries.map((entry, index) => writeOf(companyId, entry, index));
      // In chunks, so that single pushes need not wait behind a long list.
      for (let start = 0; start < rows.length;) {
        const chunk = batchOf(rows.slice(start, start + maxRows), (row) => row.data.length, maxRows, maxWeight);
        await Promise.all(chunk.map((row) => writer.add(row)));
        start += chunk.length;
      }
    },

    async keepLookedUp(companyId, entry, until) {
      const { data, externalSystem, externalId, tier, externalObject, recordUrl } = writeOf(companyId, entry);
      const candidates = entry.candidates === null ? null : JSON.stringify(entry.candidates);
      if (candidates !== null) jsonFor('candidates', new JsonText(candidates));
      await run(pool, keepScreenPop, [
        companyId,
        entry.phone,
        data,
        externalSystem,
        externalId,
        tier,
        recordUrl,
        candidates,
        until,
        externalObject,
      ]);
    },

    async find(companyId, phone) {
      const row = await screenPopOf(pool, companyId, phone, new Date(clock.now()));
      return row === undefined ? null : { ...row, data: new JsonText(row.data) };
    },

    async forget(companyId, phone) {
      const { count } = await prisma.screenPopEntry.deleteMany({ where: { companyId, phone } });
      return count > 0;
    },

    async forgetRecord(companyId, { externalSystem, object, id }, except = []) {
      // Whoever pushes by the API tells no kind.
      const ofItsKind = [{ externalObject: null }, { externalObject: object }];
      const { count } = await prisma.screenPopEntry.deleteMany({
        where: { companyId, externalSystem, externalId: id, OR: ofItsKind, phone: { notIn: [...except] } },
      });
      const undecided = await run(pool, forgetChoiceOfRecord, [
        companyId,
        externalSystem,
        JSON.stringify([{ object, id }]),
      ]);
      return count + undecided.length;
    },

    async prune(before, limit) {
      return (await run(pool, pruneScreenPops, [before, limit])).length;
    },
  };
}

/** Throws InvalidTextError before the row can fail a batch shared with others. */
function writeOf(companyId: CompanyId, entry: ScreenPopEntry, index: number | null = null): ScreenPopWrite {
  return {
    companyId,
    phone: entry.phone,
    data: jsonFor('data', entry.data, index),
    externalSystem: textFor('external_system', entry.externalSystem, index),
    externalId: textFor('external_id', entry.externalId, index),
    tier: textFor('tier', entry.tier, index),
    externalObject: textFor('external_object', entry.externalObject, index),
    recordUrl: textFor('record_url', entry.recordUrl, index),
  };
}

/**
 * $1 company id, $2 phone number in E.164, $3 now. The columns are those of ScreenPopEntry, `data` as JSON text.
 * An older gateway that wrote last has changed `data` alone.
 */
export const findScreenPop = {
  name: 'find_screen_pop',
  text: `SELECT phone, CASE WHEN data_text::jsonb = data THEN data_text ELSE data::text END AS data,
    external_system AS "externalSystem", external_id AS "externalId", tier,
    external_object AS "externalObject", record_url AS "recordUrl", candidates
  FROM screen_pop_entry WHERE company_id = $1 AND phone = $2 AND (expires_at IS NULL OR expires_at > $3)`,
};

export type EntryRow = Omit<ScreenPopEntry, 'data'> & { data: string };

/** The cached entry of a phone number. */
async function screenPopOf(
  pool: Pool,
  companyId: CompanyId,
  phone: PhoneNumber,
  now: Date,
): Promise<EntryRow | undefined> {
  const [row] = await run<EntryRow>(pool, findScreenPop, [companyId, phone, now]);
  return row;
}

/** One entry ready to be written; `data` is JSON text. */
type ScreenPopWrite = Omit<ScreenPopEntry, 'data' | 'candidates'> & { companyId: CompanyId; data: string };

/** What both ways of writing an entry replace. */
const whatIsKnown = ['data', 'data_text', 'external_system', 'external_id', 'tier', 'external_object', 'record_url']
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/**
 * $1 company id; arrays of equal length, one element per row, no two rows for one phone number: $2 phone numbers,
 * $3 data as JSON text, $4 external systems, $5 external ids, $6 tiers, $7 kinds of the records, $8 their URLs.
 */
export const upsertScreenPops = {
  name: 'upsert_screen_pops',
  text: `INSERT INTO screen_pop_entry (company_id, phone, data, data_text, external_system, external_id, tier,
    external_object, record_url)
  SELECT $1::uuid, phone, data::jsonb, data, external_system, external_id, tier, external_object, record_url
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
    AS pushed (phone, data, external_system, external_id, tier, external_object, record_url)
  ON CONFLICT (company_id, phone) DO UPDATE SET
    ${whatIsKnown},
    candidates = NULL,
    expires_at = NULL,
    updated_at = excluded.updated_at`,
};

/**
 * $1 company id, $2 phone number, $3 data as JSON text, $4 external system, $5 external id, $6 tier,
 * $7 URL of the record, $8 candidates as JSON, $9 until when, $10 the record's kind. What was pushed stays.
 */
export const keepScreenPop = {
  name: 'keep_screen_pop',
  text: `INSERT INTO screen_pop_entry AS kept
    (company_id, phone, data, data_text, external_system, external_id, tier, record_url, candidates,
      expires_at, external_object)
  VALUES ($1, $2, $3::jsonb, $3, $4, $5, $6, $7, $8::jsonb, $9, $10)
  ON CONFLICT (company_id, phone) DO UPDATE SET
    ${whatIsKnown},
    candidates = excluded.candidates,
    expires_at = excluded.expires_at,
    updated_at = excluded.updated_at
  WHERE kept.expires_at IS NOT NULL`,
};

/** $1 company id, $2 external system, $3 the record as a list of one candidate, JSON. */
export const forgetChoiceOfRecord = {
  name: 'forget_choice_of_record',
  text: `DELETE FROM screen_pop_entry WHERE company_id = $1 AND candidates IS NOT NULL AND external_system = $2
    AND candidates @> $3::jsonb RETURNING phone`,
};

/** $1 before when it expired, $2 how many at most. */
export const pruneScreenPops = {
  name: 'prune_screen_pops',
  text: deleteOld('screen_pop_entry', ['company_id', 'phone'], 'WHERE expires_at < $1 ORDER BY expires_at LIMIT $2'),
};

/** Inserts or replaces all of them, or none; they are of one company. */
async function writeScreenPops(pool: Pool, rows: ScreenPopWrite[]): Promise<void> {
  await run(pool, upsertScreenPops, [
    rows[0]?.companyId,
    rows.map((row) => row.phone),
    rows.map((row) => row.data),
    rows.map((row) => row.externalSystem),
    rows.map((row) => row.externalId),
    rows.map((row) => row.tier),
    rows.map((row) => row.externalObject),
    rows.map((row) => row.recordUrl),
  ]);
}
