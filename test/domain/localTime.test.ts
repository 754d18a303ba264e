import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantOf, localTimeOf } from '../../src/domain/localTime.ts';

const at = (local: string, zone: string) => instantOf(local, zone).toISOString();

describe('a time by the clock on the wall', () => {
  it.each([
    ['2026-07-01T09:30', 'Europe/Berlin', '2026-07-01T07:30:00.000Z'],
    ['2026-12-01T09:30', 'Europe/Berlin', '2026-12-01T08:30:00.000Z'],
    ['2026-12-01T09:30:15', 'America/New_York', '2026-12-01T14:30:15.000Z'],
    ['2026-12-01T09:30', 'Asia/Kathmandu', '2026-12-01T03:45:00.000Z'],
    ['2026-12-01T23:30', 'Pacific/Kiritimati', '2026-12-01T09:30:00.000Z'],
    ['2026-12-01T00:00', 'UTC', '2026-12-01T00:00:00.000Z'],
  ])('%s in %s is %s', (local, zone, instant) => expect(at(local, zone)).toBe(instant));

  it.each([
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z', '2026-03-29T03:30:00'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z', '2026-03-08T03:30:00'],
    // By half an hour.
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45:00.000Z', '2026-10-04T02:45:00'],
  ])('that the clock of %s skips (%s) is taken by the clock of before', (zone, local, instant, shown) => {
    expect(at(local, zone)).toBe(instant);
    expect(localTimeOf(new Date(instant), zone)).toBe(shown);
  });

  it.each([
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['Australia/Sydney', '2026-04-05T02:30', '2026-04-04T15:30:00.000Z'],
  ])('that the clock of %s shows twice (%s) is the first of the two', (zone, local, instant) => {
    expect(at(local, zone)).toBe(instant);
    expect(localTimeOf(new Date(Date.parse(instant) + 3_600_000), zone).slice(0, 16)).toBe(local);
  });

  it('is shown by that clock again, unless the clock skips it', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Sydney',
      'America/Sao_Paulo',
      'Asia/Kolkata',
      'Africa/Casablanca',
      'UTC',
    );
    const moments = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) });
    fc.assert(
      fc.property(moments, zones, (ms, zone) => {
        const local = new Date(ms).toISOString().slice(0, 19);
        const instant = instantOf(local, zone);
        const shown = localTimeOf(instant, zone);
        if (shown !== local) {
          // Skipped: it is later, by an hour at most.
          expect(Date.parse(`${shown}Z`) - Date.parse(`${local}Z`)).toBeLessThanOrEqual(3_600_000);
          expect(Date.parse(`${shown}Z`)).toBeGreaterThan(Date.parse(`${local}Z`));
        } else {
          expect(localTimeOf(new Date(instant.getTime() - 3_600_000), zone)).not.toBe(local);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
