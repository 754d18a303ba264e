import fc from 'fast-check';
import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { idsSince, idsUntil } from '../../src/domain/ids.ts';

const minute = 60_000;
const since = new Date('2026-11-21T09:00:00.000Z');
const until = new Date('2026-11-21T10:00:00.000Z');

/** Whether an id made at that time lies between the bounds, as PostgreSQL compares UUIDs. */
function isBetween(ms: number): boolean {
  const id = newId({ msecs: ms });
  return id >= idsSince(since) && id < idsUntil(until);
}

describe('the bounds of the ids of deliveries of a time', () => {
  it('hold every id that was made in it, or up to 15 minutes before or after, and no other', () => {
    const earliest = since.getTime() - 15 * minute;
    const latest = until.getTime() + 15 * minute - 1;
    fc.assert(fc.property(fc.integer({ min: earliest, max: latest }), isBetween));
    expect([earliest, latest, earliest - 1, latest + 1].map(isBetween)).toEqual([true, true, false, false]);
  });

  it('are ids for every date there is', () => {
    const dates = [-8.64e15, -62_135_596_800_000, 0, 253_402_300_799_999, 8.64e15].map((ms) => new Date(ms));
    for (const bound of dates.flatMap((date) => [idsSince(date), idsUntil(date)])) {
      expect(bound).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-0000-0000-000000000000$/);
    }
    expect(idsSince(new Date(0))).toBe('00000000-0000-0000-0000-000000000000');
  });
});
