import { expect } from 'vitest';
import type { CallList, CallSummary } from '../../../../src/contract/calls.ts';
import type { Customer } from '../../../support/sip/customer.ts';
import type { Played } from './ledger.ts';
import type { ShiftRoom } from './shiftRoom.ts';

/** The gateway's clock is the database's, and whole seconds are rounded. Milliseconds. */
const clocksDiffer = 1_500;

/** Every call since the shift began, the earliest first. */
export async function recordsOf({ gateway, company, since }: ShiftRoom): Promise<CallSummary[]> {
  const all: CallSummary[] = [];
  for (let cursor: string | null = null; ;) {
    const query = { since, limit: 100, ...(cursor === null ? {} : { cursor }) };
    const { body } = await gateway.as(company).get('/api/calls').query(query).expect(200);
    const { calls, next_cursor: next } = body as CallList;
    all.push(...calls);
    if (next === null) return all.toReversed();
    cursor = next;
  }
}

/** What was played, with the record of it: each has one, and there are no others. */
export function pair(played: readonly Played[], records: readonly CallSummary[]): [Played, CallSummary][] {
  const keyOf = (phone: string | null, agentId: string) => `${String(phone)} of ${agentId}`;
  expect(records.map((one) => keyOf(one.phone, one.agent_id)).toSorted()).toEqual(
    played.map((one) => keyOf(one.phone, one.agentId)).toSorted(),
  );
  return played.map((one) => {
    const record = records.find(({ phone, agent_id }) => phone === one.phone && agent_id === one.agentId);
    if (record === undefined) throw new Error(`${one.phone} has no record`);
    return [one, record];
  });
}

/** Each record tells what was played. */
export function tellWhatWasPlayed(pairs: readonly [Played, CallSummary][]): void {
  for (const [played, record] of pairs) {
    const parent = pairs.find(([other]) => other.phone === played.phone && other.agentId === played.from);
    expect(record).toMatchObject({
      direction: played.direction,
      trigger: played.trigger,
      state: 'ended',
      end_reason: played.endReason,
      ended_by: played.endedBy,
      end_detail: played.endDetail,
      transferred_to: played.transferredTo,
      parent_call_id: parent?.[1].id ?? null,
      notes_draft: null,
      held_at: null,
    });
    expect(record.transferred_from?.agent_id ?? null).toBe(played.from);
    expect([record.disposition?.label, record.disposition?.notes]).toEqual([
      played.disposition?.label,
      played.disposition?.notes,
    ]);
    lastedAsPlayed(played, record);
  }
}

/** It was answered once the test had it answered, and was over by when the test saw so: no matter how fast that was. */
function lastedAsPlayed({ answeredAfter, endedBefore, holds, wasAnswered }: Played, record: CallSummary): void {
  expect(record.answered_at !== null, `${String(record.phone)} was answered`).toBe(wasAnswered);
  const { duration_seconds: talk, hold_seconds: hold } = record;
  if (!wasAnswered) return expect([talk, hold]).toEqual([0, 0]);
  const [answered, ended] = [record.answered_at, record.ended_at].map((at) => Date.parse(at ?? ''));
  expect(answered).toBeGreaterThanOrEqual(answeredAfter - clocksDiffer);
  expect(ended).toBeLessThanOrEqual(endedBefore + clocksDiffer);
  expect(Math.abs((talk ?? 0) * 1_000 - ((ended ?? 0) - (answered ?? 0)))).toBeLessThanOrEqual(500);
  expect(hold).toBeLessThanOrEqual((talk ?? 0) + 1);
  if (holds === 0) expect(hold).toBe(0);
}

/** Each step of a call is told once: as often put on hold, and taken back, as it was. */
export async function stepsFit(
  { gateway, company }: ShiftRoom,
  pairs: readonly [Played, CallSummary][],
): Promise<void> {
  for (const [played, { id }] of pairs) {
    const { body } = await gateway.as(company).get(`/api/calls/${id}/steps`).expect(200);
    const count = (step: string) => (body.steps as { step: string }[]).filter((one) => one.step === step).length;
    expect([played.phone, count('held'), count('answered')]).toEqual([
      played.phone,
      played.holds,
      played.wasAnswered ? 1 : 0,
    ]);
    expect(count('ended') + count('transferred')).toBe(1);
    // A call that is handed on, or left, while it is on hold is not taken back.
    expect(played.holds - count('resumed')).toBeLessThanOrEqual(1);
  }
}

/** What customers saw is what the records tell of them: of the last agent whom they had, how it ended. */
export function customersAgree(customers: readonly Customer[], pairs: readonly [Played, CallSummary][]): void {
  for (const { call, calls, number } of customers) {
    expect([number, calls]).toEqual([number, 1]);
    const theirs = pairs.filter(([{ phone }]) => phone === number).map(([, record]) => record);
    // To whom a call was handed on there is none with any agent.
    if (theirs.length === 0) {
      expect(pairs.some(([{ transferredTo }]) => transferredTo === number)).toBe(true);
      continue;
    }
    const talked = theirs.filter(({ answered_at: at, end_detail: detail }) => at !== null && detail !== 'consulted');
    expect(call).toMatchObject({ direction: theirs[0]?.direction, wasAnswered: talked.length > 0 });
    expect(call?.endedBy, `${number} is over`).not.toBeNull();
    const last = talked.find(({ end_reason: reason }) => reason !== 'transferred') ?? theirs.at(-1);
    if (last?.end_reason !== 'transferred') expect([number, last?.ended_by]).toEqual([number, call?.endedBy]);
  }
}
