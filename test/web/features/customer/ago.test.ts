import { expect, it } from 'vitest';
import { ago } from '../../../../web/src/features/customer/ago.ts';

// By the clock of whoever runs the tests: days are those of the reader.
const now = new Date(2026, 10, 25, 9, 30).getTime();
const at = (...of: [year: number, month: number, day: number, hour?: number, minute?: number]) =>
  new Date(...(of as [number, number, number])).toISOString();

it.each([
  [now, 'this minute'],
  [now + 60_000, 'this minute'],
  [now - 5 * 60_000, '5 minutes ago'],
  [now - 3 * 3_600_000, '3 hours ago'],
])('tells how long ago a moment of today was', (moment, text) => {
  expect(ago('en', new Date(moment).toISOString(), now)).toBe(text);
});

it.each([
  [at(2026, 10, 24), 'yesterday'],
  [at(2026, 10, 22), '3 days ago'],
  [at(2026, 10, 12), '13 days ago'],
  [at(2026, 10, 4), '3 weeks ago'],
  [at(2026, 7, 25), '3 months ago'],
  [at(2025, 10, 25), '11 months ago'],
  [at(2023, 10, 25), '3 years ago'],
])('tells how many days, weeks, months or years ago another day was', (day, text) => {
  expect(ago('en', day, now)).toBe(text);
});

it('counts the days of the calendar: last night was yesterday', () => {
  expect(ago('en', new Date(2026, 10, 24, 23, 30).toISOString(), new Date(2026, 10, 25, 0, 30).getTime())).toBe(
    'yesterday',
  );
  expect(ago('de', at(2026, 10, 22), now)).toBe('vor 3 Tagen');
});
