import { expect } from 'vitest';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import type { Played } from './ledger.ts';
import type { ShiftRoom } from './shiftRoom.ts';

const total = <T>(all: readonly T[], fits: (one: T) => boolean) => all.filter(fits).length;
const sum = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((so, one) => so + of(one), 0);

/** What a report has to tell of what was played. */
function countsPlayed(played: readonly Played[]): Record<string, number> {
  return {
    calls: played.length,
    conversations: total(played, ({ from }) => from === null),
    outbound: total(played, ({ direction }) => direction === 'outbound'),
    inbound: total(played, ({ direction }) => direction === 'inbound'),
    answered: total(played, ({ wasAnswered }) => wasAnswered),
    missed: total(played, ({ direction, wasAnswered }) => direction === 'inbound' && !wasAnswered),
    transferred: total(played, ({ endReason }) => endReason === 'transferred'),
  };
}

/** The same of what is recorded, with how long that was. */
function countsRecorded(records: readonly CallSummary[]): Record<string, number> {
  return {
    calls: records.length,
    conversations: total(records, ({ parent_call_id: parent }) => parent === null),
    outbound: total(records, ({ direction }) => direction === 'outbound'),
    inbound: total(records, ({ direction }) => direction === 'inbound'),
    answered: total(records, ({ answered_at: at }) => at !== null),
    missed: total(records, ({ direction, answered_at: at }) => direction === 'inbound' && at === null),
    transferred: total(records, ({ end_reason: reason }) => reason === 'transferred'),
    talk_seconds: sum(records, ({ duration_seconds: seconds }) => seconds ?? 0),
    hold_seconds: sum(records, ({ hold_seconds: seconds }) => seconds),
  };
}

/** However a report is grouped, it has the sums of what was played, and of what is recorded. */
export async function reportsAgree(
  { gateway, boss, since }: ShiftRoom,
  played: readonly Played[],
  records: readonly CallSummary[],
): Promise<void> {
  for (const group_by of ['day', 'hour', 'agent', 'disposition']) {
    const { body } = await gateway.as(boss).get('/api/reports/calls').query({ since, group_by }).expect(200);
    expect(body.total, group_by).toMatchObject({ ...countsPlayed(played), ...countsRecorded(records) });
    const rows = body.rows as Record<string, unknown>[];
    for (const [figure, value] of Object.entries(countsRecorded(records)))
      expect([group_by, figure, sum(rows, (row) => Number(row[figure]))]).toEqual([group_by, figure, value]);
    if (group_by !== 'agent') continue;
    for (const { key, ...figures } of rows) {
      const own = countsRecorded(records.filter(({ agent_id: agentId }) => agentId === key));
      expect(figures, String(key)).toMatchObject(own);
    }
  }
}
