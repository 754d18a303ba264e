import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayMs, splitAtRollUps, type Window } from '../../src/domain/reportWindows.ts';

const day = (n: number, hours = 0) => new Date(n * dayMs + hours * 3_600_000);

it('reads whole days from what is rolled up, and the rest from the records', () => {
  expect(splitAtRollUps({ since: day(1, 23), until: day(9, 23) }, day(8), [day(4), day(5), day(20)])).toEqual({
    rolledUp: { since: day(2), until: day(8) },
    records: [
      { since: day(1, 23), until: day(2) },
      { since: day(4), until: day(6) },
      { since: day(8), until: day(9, 23) },
    ],
  });
});

it('reads all from the records where no whole day is rolled up', () => {
  const time = { since: day(3, 1), until: day(4, 23) };
  for (const until of [null, day(3), day(4), day(9)])
    expect(splitAtRollUps(time, until, [])).toEqual({ rolledUp: null, records: [time] });
});

it('has each moment in one of them', () => {
  const at = fc.integer({ min: 0, max: 10 * 24 * 4 }).map((quarters) => new Date(quarters * 900_000));
  fc.assert(
    fc.property(
      at,
      at,
      fc.option(fc.integer({ min: 0, max: 10 }).map((n) => day(n))),
      fc.array(fc.integer({ min: 0, max: 10 }).map((n) => day(n))),
      (one, other, until, stale) => {
        const time = one < other ? { since: one, until: other } : { since: other, until: new Date(one.getTime() + 1) };
        const { records, rolledUp } = splitAtRollUps(time, until, stale);
        const holds = (window: Window | null, moment: number) =>
          window !== null && window.since.getTime() <= moment && moment < window.until.getTime();
        const isStale = (moment: number) =>
          stale.some((wrong) => moment >= wrong.getTime() && moment < wrong.getTime() + dayMs);
        const wrong: number[] = [];
        for (let moment = -900_000; moment < 11 * dayMs; moment += 900_000) {
          const times =
            records.filter((window) => holds(window, moment)).length +
            (holds(rolledUp, moment) && !isStale(moment) ? 1 : 0);
          if (times !== (holds(time, moment) ? 1 : 0)) wrong.push(moment);
        }
        expect(wrong).toEqual([]);
        if (until !== null && rolledUp !== null) expect(rolledUp.until.getTime()).toBeLessThanOrEqual(until.getTime());
      },
    ),
    { numRuns: 200 },
  );
});
