import type { Pool } from 'pg';
import type { Deal } from '../../../domain/deals.ts';
import type { RememberedAnswer } from '../../../ports/calls.ts';
import type { DealWritten, WithDeal } from '../../../ports/deals.ts';
import { answeredBy, holdsKey, keyValues } from '../calls/idempotencyStore.ts';
import { announced } from '../deliveries/announce.ts';
import { brokenReference } from '../postgresErrors.ts';
import { run } from '../queries.ts';
import { textFor } from '../storableValues.ts';

/**
 * Beside `written`, which has no row when nothing is to be written: $16 the id of the deal's move or null, $17 who, $18
 * and $19 from which stage, $20 and $21 to which; $22 the id of the entry on the timeline of its contact; the webhook
 * as $23 id, $24 event, $25 body.
 */
const withIt = `move AS (
    INSERT INTO deal_move (company_id, deal_id, id, at, agent_id, from_stage_id, from_stage, to_stage_id, to_stage)
    SELECT $1, $2, $16::uuid, $15, $17::uuid, $18::uuid, $19::text, $20::uuid, $21::text FROM written
    WHERE $16::uuid IS NOT NULL
  ), entry AS (
    INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id, text, edits, record_id)
    SELECT $1, $9, $22::uuid, $15, CASE WHEN $18::uuid IS NULL THEN 'deal_created' ELSE 'deal_moved' END, $17::uuid, $5,
      jsonb_build_array(jsonb_build_object('field', 'stage', 'before', $19::text, 'after', $21::text)), $2
    FROM written WHERE $16::uuid IS NOT NULL AND $9::uuid IS NOT NULL
  ), ${announced('written', 23, '$15')}
  SELECT EXISTS (SELECT FROM written) AS written`;

/**
 * $1 to $15 the deal (see dealValues), $16 to $25 what hangs on it; $26 to $30 the request's key (see answeredBy).
 * A request that no longer holds its key writes nothing.
 */
export const createDeal = {
  name: 'create_deal',
  text: `WITH ${answeredBy(26)}, written AS (
    INSERT INTO deal (company_id, id, pipeline_id, stage_id, name, value, currency, owner_id, contact_id,
      organisation_id, expected_close, version, moved_at, created_at, updated_at)
    SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::text, $6::numeric, $7, $8::uuid, $9::uuid, $10::uuid, $11::date,
      $12::int, $13::timestamptz, $14::timestamptz, $15::timestamptz
    WHERE ${holdsKey(26)}
    RETURNING id
  ), ${withIt}`,
};

/** $1 to $15 the deal as changed, $16 to $25 what hangs on it. */
export const updateDeal = {
  name: 'update_deal',
  text: `WITH written AS (
    UPDATE deal SET pipeline_id = $3, stage_id = $4, name = $5, value = $6::numeric, currency = $7, owner_id = $8,
      contact_id = $9, organisation_id = $10,
      expected_close = $11::date, version = $12, moved_at = $13, created_at = $14::timestamptz,
      updated_at = $15::timestamptz
    WHERE company_id = $1 AND id = $2 AND version = $12 - 1 RETURNING id
  ), ${withIt}`,
};

function dealValues(deal: Deal, { move, entryId, events }: WithDeal): unknown[] {
  const {
    companyId,
    id,
    pipelineId,
    stage,
    name,
    value,
    currency,
    owner,
    contactId,
    organisation,
    expectedClose,
    version,
    movedAt,
    createdAt,
    updatedAt,
  } = deal;
  const [event] = events;
  return [
    companyId,
    id,
    pipelineId,
    stage.id,
    textFor('name', name),
    value,
    currency,
    owner?.id ?? null,
    contactId,
    organisation?.id ?? null,
    expectedClose,
    version,
    movedAt,
    createdAt,
    updatedAt,
    move?.id ?? null,
    move?.by ?? null,
    move?.from?.id ?? null,
    move?.from?.name ?? null,
    move?.to.id ?? null,
    move?.to.name ?? null,
    entryId,
    event?.id ?? null,
    event?.event ?? null,
    event?.body ?? null,
  ];
}

export async function insertDeal(
  pool: Pool,
  deal: Deal,
  more: WithDeal,
  remember: RememberedAnswer | undefined,
): Promise<DealWritten> {
  return write(() => run(pool, createDeal, [...dealValues(deal, more), ...keyValues(remember)]));
}

export async function replaceDeal(pool: Pool, deal: Deal, more: WithDeal): Promise<DealWritten> {
  return write(() => run(pool, updateDeal, dealValues(deal, more)));
}

/** By their columns, as the names of the keys have them. */
const references = ['stage_id', 'owner_id', 'contact_id', 'organisation_id'] as const;

async function write(statement: () => Promise<{ written: boolean }[]>): Promise<DealWritten> {
  try {
    const [row] = await statement();
    return row?.written === true ? 'written' : 'not_written';
  } catch (error) {
    const reference = brokenReference(error);
    if (reference === null) throw error;
    // A contact may also go between the deal and the entry on its timeline.
    return { kind: 'unknown', field: references.find((field) => reference.includes(field)) ?? 'contact_id' };
  }
}
