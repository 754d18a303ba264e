import { expect, it } from 'vitest';
import { storm } from './storm/storm.ts';

it('has 5,000 softphones back, all of them, after the gateway that held them was killed', async () => {
  const { figures, allBackMs, astray, clicks } = await storm(5_000);
  console.log(
    `5,000 softphones: all back after ${allBackMs} ms; away for ${figures.medianAwayMs} ` +
      `ms (median), ${figures.longestAwayMs} ms (longest); ${figures.setbacks} setbacks, ${figures.tooLate} ` +
      'after the grace',
  );
  expect(figures).toMatchObject({ softphones: 5_000, away: 5_000, lost: 0, forgotten: 0 });
  expect(astray).toEqual([]);
  expect(clicks).toEqual({ dialed: 20 });
});
