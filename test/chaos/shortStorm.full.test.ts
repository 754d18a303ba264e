import { expect, it } from 'vitest';
import { storm } from './storm/storm.ts';

// The reconnect storm, shortened: the whole of it is `npm run test:chaos`.

it('has 300 softphones back, all of them, after the gateway that held them was killed', async () => {
  const { figures, astray, clicks } = await storm(300);
  expect(figures).toMatchObject({ softphones: 300, away: 300, lost: 0, forgotten: 0, tooLate: 0 });
  expect(astray).toEqual([]);
  expect(clicks).toEqual({ dialed: 2 });
});
