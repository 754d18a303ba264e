import { describe, expect, it } from 'vitest';
import { beginningOfQuarter, monthsBefore, timesOfRange } from '../../src/domain/reportTimes.ts';

/** Both ends, as UTC. */
const times = (range: Parameters<typeof timesOfRange>[0], at: string, zone: string) => {
  const { since, until } = timesOfRange(range, new Date(at), zone);
  return [since.toISOString(), until.toISOString()];
};

describe('the times of a range', () => {
  // Wednesday noon in Berlin.
  const at = '2026-11-25T11:00:00.000Z';

  it.each([
    ['today', '2026-11-24T23:00:00.000Z', '2026-11-25T23:00:00.000Z'],
    ['yesterday', '2026-11-23T23:00:00.000Z', '2026-11-24T23:00:00.000Z'],
    ['week', '2026-11-18T23:00:00.000Z', '2026-11-25T23:00:00.000Z'],
    ['month', '2026-10-26T23:00:00.000Z', '2026-11-25T23:00:00.000Z'],
    ['last_week', '2026-11-15T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
    ['last_month', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
  ] as const)('are whole days of the zone: %s', (range, since, until) => {
    expect(times(range, at, 'Europe/Berlin')).toEqual([since, until]);
  });

  it('are those of the day that it is there', () => {
    // Still Tuesday on Hawaii, and Wednesday is over in Auckland.
    expect(times('today', '2026-11-25T09:00:00.000Z', 'Pacific/Honolulu')[0]).toBe('2026-11-24T10:00:00.000Z');
    expect(times('today', '2026-11-25T12:00:00.000Z', 'Pacific/Auckland')[0]).toBe('2026-11-25T11:00:00.000Z');
  });

  it('are 23 or 25 hours where the clock changes, and begin later where it skips midnight', () => {
    const hours = (day: string, zone: string) => {
      const { since, until } = timesOfRange('today', new Date(day), zone);
      return (until.getTime() - since.getTime()) / 3_600_000;
    };
    expect(hours('2026-03-29T12:00:00Z', 'Europe/Berlin')).toBe(23);
    expect(hours('2026-10-25T12:00:00Z', 'Europe/Berlin')).toBe(25);
    expect(times('today', '2026-09-06T15:00:00Z', 'America/Santiago')).toEqual([
      '2026-09-06T04:00:00.000Z',
      '2026-09-07T03:00:00.000Z',
    ]);
  });

  it('have the week before end on Monday, also when it is Sunday or Monday, and the month before in January', () => {
    expect(times('last_week', '2026-11-22T12:00:00Z', 'UTC')).toEqual([
      '2026-11-09T00:00:00.000Z',
      '2026-11-16T00:00:00.000Z',
    ]);
    expect(times('last_week', '2026-11-23T00:00:00Z', 'UTC')).toEqual([
      '2026-11-16T00:00:00.000Z',
      '2026-11-23T00:00:00.000Z',
    ]);
    expect(times('last_month', '2027-01-31T12:00:00Z', 'UTC')).toEqual([
      '2026-12-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ]);
  });
});

it('goes so many months back, to the last day of a shorter one', () => {
  const before = (at: string, months: number) => monthsBefore(Date.parse(at), months).toISOString();
  expect(before('2026-11-25T11:07:00Z', 13)).toBe('2025-10-25T11:07:00.000Z');
  expect(before('2026-03-31T00:00:00Z', 1)).toBe('2026-02-28T00:00:00.000Z');
  expect(before('2026-01-31T00:00:00Z', 120)).toBe('2016-01-31T00:00:00.000Z');
});

it('finds the quarter of an hour', () => {
  expect(beginningOfQuarter(Date.parse('2026-11-25T11:14:59.999Z')).toISOString()).toBe('2026-11-25T11:00:00.000Z');
  expect(beginningOfQuarter(Date.parse('2026-11-25T11:15:00.000Z')).toISOString()).toBe('2026-11-25T11:15:00.000Z');
});
