import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { createFairDoor, type FairDoor } from '../../../src/usecases/concurrency/fairDoor.ts';
import { createNeighbours } from '../../../src/usecases/concurrency/neighbours.ts';

/** Longer than it is counted for before it is looked at. Milliseconds. */
const windowMs = 110;

function busy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

/** More than there is time for, most of it for `a` where others ask, too. */
async function overload(door: FairDoor, others: string[]): Promise<void> {
  await new Promise((goOn) => setTimeout(goOn, windowMs));
  const before = performance.eventLoopUtilization();
  // All of them within one window: the next one is looked at when somebody asks after it.
  await Promise.all(['a', ...others, ...Array<string>(20).fill('a')].map((who) => door.enter(who)));
  // However slowly they came in.
  do busy(windowMs);
  while (performance.eventLoopUtilization(before).utilization < 0.95);
}

it('lets everybody in at once while there is time', async () => {
  const door = createFairDoor(createNeighbours());
  await new Promise((goOn) => setTimeout(goOn, windowMs));
  const before = performance.eventLoopUtilization();
  expect(await Promise.all(['a', 'b', 'a', 'b', 'c'].map((who) => door.enter(who)))).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(before.idle).toBe(performance.eventLoopUtilization().idle);
});

it('lets two of one among several in at once, and the next ones two by two when there is nothing to do for others', async () => {
  const door = createFairDoor(createNeighbours());
  const order: string[] = [];
  const came = (who: string, number: number) => door.enter(who).then(() => order.push(`${who}${number}`));
  await came('b', 0);
  const { idle } = performance.eventLoopUtilization();
  const burst = [1, 2, 3, 4, 5].map((number) => came('a', number));
  await came('b', 1);
  await came('b', 2);
  expect(order).toEqual(['b0', 'a1', 'a2', 'b1', 'b2']);
  expect(performance.eventLoopUtilization().idle).toBe(idle);
  await Promise.all(burst);
  expect(order.slice(5)).toEqual(['a3', 'a4', 'a5']);
  await new Promise((goOn) => setTimeout(goOn, windowMs));
  const later = performance.eventLoopUtilization().idle;
  await Promise.all([came('a', 6), came('a', 7)]);
  expect(performance.eventLoopUtilization().idle).toBe(later);
});

it('refuses nothing of a burst, however large, as long as there is time for it', async () => {
  const door = createFairDoor(createNeighbours());
  await door.enter('b');
  expect(new Set(await Promise.all(Array.from({ length: 1_000 }, () => door.enter('a'))))).toEqual(new Set([null]));
});

it('holds back whoever asks for most of more than can be done, one request after the other, and nobody else', async () => {
  const door = createFairDoor(createNeighbours());
  await overload(door, ['b', 'c']);
  const order: string[] = [];
  const came = (who: string, number: number) => door.enter(who).then(() => order.push(`${who}${number}`));
  const all = [came('a', 1), came('a', 2), came('b', 1), came('c', 1)];
  await Promise.all(all);
  expect(order).toEqual(['b1', 'c1', 'a1', 'a2']);
});

it('is open again to those who were held back, once none of them has waited for a while', async () => {
  const door = createFairDoor(createNeighbours());
  await overload(door, ['b']);
  await door.enter('a');
  // Two of its windows with nothing to do.
  for (let round = 0; round < 4; round += 1) await new Promise((goOn) => setTimeout(goOn, windowMs));
  const { idle } = performance.eventLoopUtilization();
  await door.enter('a');
  expect(performance.eventLoopUtilization().idle).toBe(idle);
});

it('holds nobody back who is alone', async () => {
  const door = createFairDoor(createNeighbours());
  await overload(door, []);
  const { idle } = performance.eventLoopUtilization();
  await Promise.all(Array.from({ length: 600 }, () => door.enter('a')));
  expect(performance.eventLoopUtilization().idle).toBe(idle);
});

it('refuses what would wait for too long, and says for whom there is too much', async () => {
  const door = createFairDoor(createNeighbours());
  await overload(door, ['b']);
  const asked = Array.from({ length: 502 }, () => door.enter('a'));
  expect(await asked.at(-1)).toMatchObject({ kind: 'refused', code: 'rate_limited', limit: 500 });
  expect(await asked[0]).toBeNull();
  expect(await door.enter('b')).toBeNull();
  await Promise.all(asked);
});
