import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTimeOf } from '../../src/domain/localTime.ts';
import { nextRun, type ReportRhythm } from '../../src/domain/reportViews.ts';

/** The runs that follow, one after the other. */
function runs(rhythm: ReportRhythm, after: string, count: number): string[] {
  const found: string[] = [];
  for (let last = new Date(after); found.length < count;) {
    last = nextRun(rhythm, last);
    found.push(last.toISOString());
  }
  return found;
}

describe('when a report is sent next', () => {
  it('is at the same time of day on the wall, over a change of the clock', () => {
    const daily: ReportRhythm = { every: 'day', timeOfDay: '07:00', timeZone: 'Europe/Berlin' };
    expect(runs(daily, '2026-10-23T12:00:00Z', 3)).toEqual([
      '2026-10-24T05:00:00.000Z',
      '2026-10-25T06:00:00.000Z',
      '2026-10-26T06:00:00.000Z',
    ]);
  });

  it('is once where the clock shows that time twice, and an hour later where it skips it', () => {
    const early: ReportRhythm = { every: 'day', timeOfDay: '02:30', timeZone: 'Europe/Berlin' };
    expect(runs(early, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
    expect(runs(early, '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z']);
  });

  it('is on the day of the week, and on the last day of a month that is too short', () => {
    const weekly: ReportRhythm = { every: 'week', weekday: 7, timeOfDay: '00:00', timeZone: 'Asia/Kathmandu' };
    expect(runs(weekly, '2026-11-25T00:00:00Z', 2)).toEqual(['2026-11-28T18:15:00.000Z', '2026-12-05T18:15:00.000Z']);
    const monthly: ReportRhythm = { every: 'month', monthDay: 31, timeOfDay: '06:00', timeZone: 'UTC' };
    expect(runs(monthly, '2027-01-31T06:00:00Z', 3)).toEqual([
      '2027-02-28T06:00:00.000Z',
      '2027-03-31T06:00:00.000Z',
      '2027-04-30T06:00:00.000Z',
    ]);
  });

  it('is later than before, and once on each day of the calendar there', () => {
    const zones = [
      'Europe/Berlin',
      'America/Santiago',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'Africa/Cairo',
      'Asia/Kolkata',
    ];
    const year = { min: Date.parse('2026-01-01T00:00:00Z'), max: Date.parse('2027-06-01T00:00:00Z') };
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 24 * 60 - 1 }),
        fc.integer(year),
        (timeZone, minute, from) => {
          const timeOfDay = [Math.floor(minute / 60), minute % 60]
            .map((part) => String(part).padStart(2, '0'))
            .join(':');
          const found = runs({ every: 'day', timeOfDay, timeZone }, new Date(from).toISOString(), 8).map(
            (at) => new Date(at),
          );
          for (const [place, at] of found.entries())
            expect(at.getTime()).toBeGreaterThan(place === 0 ? from : (found[place - 1]?.getTime() ?? 0));
          const days = found.map((at) => localTimeOf(at, timeZone).slice(0, 10));
          expect(new Set(days).size).toBe(days.length);
          // No day is left out.
          expect(Date.parse(days.at(-1) ?? '') - Date.parse(days[0] ?? '')).toBe(7 * 86_400_000);
        },
      ),
      { numRuns: 60 },
    );
  });
});
