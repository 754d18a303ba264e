import { expect, it, onTestFinished, vi } from 'vitest';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
import { createCompanyShare } from '../../../src/usecases/concurrency/companyShare.ts';
import { createNeighbours } from '../../../src/usecases/concurrency/neighbours.ts';
import { eventually } from '../../support/time/waiting.ts';

const [ours, theirs] = ['01a210dd-a630-73ec-ac0d-000000000001', '01a210dd-a630-73ec-ac0d-000000000002'].map((id) =>
  toId<CompanyId>(id),
) as [CompanyId, CompanyId];

/** Works that end when they are told to. */
function works() {
  const ends: (() => void)[] = [];
  return { ends, begin: () => new Promise<'done'>((resolve) => ends.push(() => resolve('done'))) };
}

it('has a company do so much at once, the rest in its turn, and what is too much not at all, while others go on', async () => {
  const share = createCompanyShare('reports', { atOnce: 2, waiting: 1, rests: true }, createNeighbours());
  const { begin, ends } = works();
  const [first, second, third] = [share.use(ours, begin), share.use(ours, begin), share.use(ours, begin)];
  const fourth = await share.use(ours, begin);
  expect(fourth).toMatchObject({ kind: 'refused', code: 'rate_limited', retryAfterSeconds: 1 });
  expect(ends).toHaveLength(2);
  const other = share.use(theirs, begin);
  await Promise.resolve();
  expect(ends).toHaveLength(3);
  ends[2]?.();
  await other;
  ends[0]?.();
  await first;
  // The one that waited begins once the others have had their time; then there is room for one more.
  await eventually(() => ends.length === 4);
  const last = share.use(ours, begin);
  for (const end of ends) end();
  expect(await Promise.all([second, third])).toEqual(['done', 'done']);
  await eventually(() => ends.length === 5);
  ends.at(-1)?.();
  expect(await last).toBe('done');
});

it('gives a place back where the work fails', async () => {
  const share = createCompanyShare('lists', { atOnce: 1, waiting: 1, rests: true }, createNeighbours());
  for (let round = 0; round < 3; round += 1)
    await expect(share.use(ours, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await share.use(ours, () => Promise.resolve(7))).toBe(7);
});

it('gives a company that is alone more at once', async () => {
  const neighbours = createNeighbours();
  const share = createCompanyShare('look-ups', { atOnce: 1, alone: 3, waiting: 1, rests: false }, neighbours);
  const { begin, ends } = works();
  neighbours.note(ours);
  const alone = [1, 2, 3].map(() => share.use(ours, begin));
  await eventually(() => ends.length === 3);
  neighbours.note(theirs);
  // Those that are under way count.
  expect(await share.use(ours, begin)).toMatchObject({ kind: 'refused', code: 'rate_limited', limit: 1 });
  for (const end of ends) end();
  expect(await Promise.all(alone)).toEqual(['done', 'done', 'done']);
  const among = [share.use(ours, begin), share.use(ours, begin)];
  await eventually(() => ends.length === 4);
  ends.at(-1)?.();
  await eventually(() => ends.length === 5);
  ends.at(-1)?.();
  expect(await Promise.all(among)).toEqual(['done', 'done']);
});

it('refuses what has waited for too long, does it no more, and keeps no place for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const given = { atOnce: 1, waiting: 1, patienceMs: 2_000, rests: false };
  const share = createCompanyShare('look-ups', given, createNeighbours());
  const { begin, ends } = works();
  const first = share.use(ours, begin);
  const second = share.use(ours, begin);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await second).toMatchObject({ kind: 'refused', code: 'rate_limited' });
  const third = share.use(ours, begin);
  ends[0]?.();
  expect(await first).toBe('done');
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  expect(await third).toBe('done');
});
