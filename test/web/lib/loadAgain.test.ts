import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadAgain } from '../../../web/src/lib/loadAgain.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it.each([
  ['Chromium', 'Failed to fetch dynamically imported module: https://gateway.example/assets/WrapUp-x.js'],
  ['Firefox', 'error loading dynamically imported module: https://gateway.example/assets/WrapUp-x.js'],
  ['Safari', 'Importing a module script failed.'],
])('asks again, ever more rarely, until a file that did not come is there, as %s says it', async (_browser, says) => {
  const asked: number[] = [];
  const begun = Date.now();
  const loading = loadAgain(async () => {
    asked.push(Date.now() - begun);
    if (asked.length < 10) throw new TypeError(says);
    return 'it';
  });
  await vi.runAllTimersAsync();
  expect(await loading).toBe('it');
  expect(asked).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750, 30_750, 45_750, 60_750]);
});

it('does not ask again for a file that came and is wrong', async () => {
  const load = vi.fn<() => Promise<never>>(async () => {
    throw new TypeError('x is not a function');
  });
  await expect(loadAgain(load)).rejects.toThrow('x is not a function');
  expect(load).toHaveBeenCalledOnce();
});
