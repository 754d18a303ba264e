import type { Pool } from 'pg';
import type { ReportOutcome, ReportRhythm } from '../../../domain/reportViews.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import type { LeasedRun, ReportScheduleStore } from '../../../ports/reportViews.ts';
import { announced } from '../deliveries/announce.ts';
import { Prisma, type ReportSchedule as StoredSchedule, type ReportView as StoredView } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { fieldColumns, run, type Statement } from '../queries.ts';
import { readRhythm, readView } from './reportViews.ts';

/** When reports are sent by themselves, in PostgreSQL. */
export function createReportScheduleStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): ReportScheduleStore {
  return {
    set: async ({ companyId, id, version }, rhythm, nextAt, now) =>
      (await run(pool, setSchedule, [companyId, id, version, ...rhythmValues(rhythm), nextAt, now])).length > 0,
    remove: async (companyId, viewId) =>
      (await prisma.reportSchedule.deleteMany({ where: { companyId, viewId } })).count > 0,
    lease: (now, until, limit) => lease(pool, now, until, limit),
    async fire({ view, nextAt, leasedUntil }, next, now, event) {
      const [row] = await run<{ outcome: ReportOutcome }>(pool, fireRun, [
        view.companyId,
        view.id,
        leasedUntil,
        now,
        ...eventValuesOf(event),
        nextAt,
        next,
      ]);
      return row?.outcome ?? 'changed';
    },
    async fireByHand(companyId, viewId, now, event) {
      const [row] = await run<{ fired: boolean; scheduled: boolean }>(pool, fireRunByHand, [
        companyId,
        viewId,
        now,
        ...eventValuesOf(event),
      ]);
      if (row?.fired === true) return 'sent';
      return row?.scheduled === true ? 'no_webhook' : 'changed';
    },
    async nextDue() {
      const [row] = await run<{ at: Date }>(pool, findNextRun, []);
      return row?.at ?? null;
    },
  };
}

/**
 * $1 company id, $2 view id, $3 the version of the view, $4 to $8 when it is sent (see rhythmValues),
 * $9 its next run, $10 now.
 */
export const setSchedule: Statement = {
  name: 'set_report_schedule',
  text: `WITH view AS (
    UPDATE report_view SET version = version + 1, updated_at = $10 WHERE company_id = $1 AND id = $2 AND version = $3
      AND is_shared RETURNING company_id, id
  )
  INSERT INTO report_schedule (company_id, view_id, every, time_of_day, weekday, month_day, time_zone, next_at, due_at)
  SELECT company_id, id, $4::text, $5::text, $6::int, $7::int, $8::text, $9::timestamptz, $9 FROM view
  ON CONFLICT (company_id, view_id) DO UPDATE SET every = $4, time_of_day = $5, weekday = $6, month_day = $7,
    time_zone = $8, next_at = $9, due_at = $9
  RETURNING view_id`,
};

function rhythmValues(rhythm: ReportRhythm): unknown[] {
  return [
    rhythm.every,
    rhythm.timeOfDay,
    rhythm.every === 'week' ? rhythm.weekday : null,
    rhythm.every === 'month' ? rhythm.monthDay : null,
    rhythm.timeZone,
  ];
}

const scheduleFields = ['every', 'timeOfDay', 'weekday', 'monthDay', 'timeZone', 'nextAt'] as const;

/**
 * $1 now, $2 until when they are held, $3 how many at most.
 * What another gateway is taking at this moment is passed over.
 */
export const leaseRuns: Statement = {
  name: 'lease_report_runs',
  text: `WITH due AS MATERIALIZED (
    SELECT company_id, view_id FROM report_schedule WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  UPDATE report_schedule s SET due_at = $2 FROM unnest(ARRAY (SELECT company_id FROM due),
    ARRAY (SELECT view_id FROM due)) AS k (company_id, view_id), report_view v
  WHERE s.company_id = k.company_id AND s.view_id = k.view_id AND v.company_id = k.company_id AND v.id = k.view_id
  RETURNING ${fieldColumns(scheduleFields, { of: 's' })}, s.due_at AS "leasedUntil",
    ${fieldColumns(Prisma.ReportViewScalarFieldEnum, { of: 'v' })}`,
};

type LeasedRow = StoredView & Pick<StoredSchedule, (typeof scheduleFields)[number]> & { leasedUntil: Date };

async function lease(pool: Pool, now: Date, until: Date, limit: number): Promise<LeasedRun[]> {
  const rows = await run<LeasedRow>(pool, leaseRuns, [now, until, limit]);
  return rows.map(({ every, leasedUntil, monthDay, nextAt, timeOfDay, timeZone, weekday, ...view }) => ({
    view: readView(view),
    rhythm: readRhythm({ every, monthDay, timeOfDay, timeZone, weekday }),
    nextAt,
    leasedUntil,
  }));
}

/**
 * $1 company id, $2 view id, $3 until when it is held, $4 now; the webhook as $5 id, $6 event, $7 body, or nulls;
 * $8 the run, $9 the next one.
 */
export const fireRun: Statement = {
  name: 'fire_report_run',
  text: `WITH fired AS (
    UPDATE report_schedule SET next_at = $9, due_at = $9, last_at = $4,
      last_outcome = CASE WHEN $5::uuid IS NULL THEN 'not_chosen' WHEN EXISTS (SELECT FROM webhook_endpoint
        WHERE company_id = $1) THEN 'sent' ELSE 'no_webhook' END,
      last_delivery_id = (SELECT $5::uuid FROM webhook_endpoint WHERE company_id = $1)
    WHERE company_id = $1 AND view_id = $2 AND due_at = $3 AND next_at = $8 RETURNING last_outcome
  ), ${announced('fired', 5, '$4')}
  SELECT last_outcome AS outcome FROM fired`,
};

/** $1 company id, $2 view id, $3 now; the webhook as $4 id, $5 event, $6 body. */
export const fireRunByHand: Statement = {
  name: 'fire_report_run_by_hand',
  text: `WITH fired AS (
    UPDATE report_schedule SET last_at = $3, last_outcome = 'sent', last_delivery_id = $4
    WHERE company_id = $1 AND view_id = $2 AND EXISTS (SELECT FROM webhook_endpoint WHERE company_id = $1)
    RETURNING view_id
  ), ${announced('fired', 4, '$3')}
  SELECT EXISTS (SELECT FROM fired) AS fired, EXISTS (SELECT FROM report_schedule
    WHERE company_id = $1 AND view_id = $2) AS scheduled`,
};

function eventValuesOf(event: OutboxEvent | null): unknown[] {
  return [event?.id ?? null, event?.event ?? null, event?.body ?? null];
}

export const findNextRun: Statement = {
  name: 'find_next_report_run',
  text: 'SELECT due_at AS at FROM report_schedule ORDER BY due_at LIMIT 1',
};
