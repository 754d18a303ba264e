import { expect, it } from 'vitest';
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
  const share = createCompanyShare('reports', { atOnce: 2, waiting: 1 });
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
  const share = createCompanyShare('lists', { atOnce: 1, waiting: 1 });
  for (let round = 0; round < 3; round += 1)
    await expect(share.use(ours, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await share.use(ours, () => Promise.resolve(7))).toBe(7);
});

it('is no bound for a company that is alone, where it is shared among those that are there', async () => {
  const neighbours = createNeighbours();
  const share = createCompanyShare('look-ups', { atOnce: 1, waiting: 1, among: neighbours });
  const { begin, ends } = works();
  neighbours.note(ours);
  const alone = [1, 2, 3, 4].map(() => share.use(ours, begin));
  expect(ends).toHaveLength(4);
  neighbours.note(theirs);
  const among = [share.use(ours, begin), share.use(ours, begin)];
  expect(await share.use(ours, begin)).toMatchObject({ kind: 'refused', code: 'rate_limited' });
  await eventually(() => ends.length === 5);
  for (const end of ends) end();
  expect(await Promise.all(alone)).toEqual(['done', 'done', 'done', 'done']);
  await eventually(() => ends.length === 6);
  ends.at(-1)?.();
  expect(await Promise.all(among)).toEqual(['done', 'done']);
});
