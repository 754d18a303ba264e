import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { createFairDoor, type FairDoor } from '../../../src/usecases/concurrency/fairDoor.ts';
import { createNeighbours } from '../../../src/usecases/concurrency/neighbours.ts';
import { gate } from '../../support/time/gate.ts';

/** Longer than none of theirs may have waited before they are let in as others are. Milliseconds. */
const calmMs = 110;

/** A request that is served at once. */
const asks = (door: FairDoor, who: string) => door.enter(who, () => Promise.resolve(null));

/** The process has nothing but work for so long, while others have their turn. */
async function busy(ms: number): Promise<void> {
  for (const until = performance.now() + ms; performance.now() < until;) {
    for (const pause = performance.now() + 2; performance.now() < pause;);
    await new Promise(setImmediate);
  }
}

/** A few requests of `a` take longer than there is time for, while others ask for many that do not. */
async function overload(door: FairDoor, others: string[]): Promise<void> {
  for (const who of others) await asks(door, who);
  const answer = gate();
  answer.shut();
  const slow = Array.from({ length: 20 }, () => door.enter('a', () => answer.pass(() => Promise.resolve(null))));
  const quick = others.flatMap((who) => Array.from({ length: 10 }, () => asks(door, who)));
  await busy(150);
  answer.open();
  await Promise.all([...slow, ...quick]);
}

it('lets everybody in at once while there is time', async () => {
  const door = createFairDoor(createNeighbours());
  const before = performance.eventLoopUtilization();
  expect(await Promise.all(['a', 'b', 'a', 'b', 'c'].map((who) => asks(door, who)))).toEqual([
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
  const came = (who: string, number: number) => asks(door, who).then(() => order.push(`${who}${number}`));
  await came('b', 0);
  const { idle } = performance.eventLoopUtilization();
  const burst = [1, 2, 3, 4, 5].map((number) => came('a', number));
  await came('b', 1);
  await came('b', 2);
  expect(order).toEqual(['b0', 'a1', 'a2', 'b1', 'b2']);
  expect(performance.eventLoopUtilization().idle).toBe(idle);
  await Promise.all(burst);
  expect(order.slice(5)).toEqual(['a3', 'a4', 'a5']);
  await new Promise((goOn) => setTimeout(goOn, calmMs));
  const later = performance.eventLoopUtilization().idle;
  await Promise.all([came('a', 6), came('a', 7)]);
  expect(performance.eventLoopUtilization().idle).toBe(later);
});

it('refuses nothing of a burst, however large, as long as there is time for it', async () => {
  const door = createFairDoor(createNeighbours());
  await asks(door, 'b');
  expect(new Set(await Promise.all(Array.from({ length: 1_000 }, () => asks(door, 'a'))))).toEqual(new Set([null]));
});

it('holds back whose few slow requests are most of more than can be done, one after the other, and nobody else', async () => {
  const door = createFairDoor(createNeighbours());
  await overload(door, ['b', 'c']);
  const order: string[] = [];
  const came = (who: string, number: number) => asks(door, who).then(() => order.push(`${who}${number}`));
  const all = [came('a', 1), came('a', 2), came('b', 1), came('c', 1)];
  await Promise.all(all);
  expect(order).toEqual(['b1', 'c1', 'a1', 'a2']);
});

it('is open again to those who were held back, once none of them has waited for a while', async () => {
  const door = createFairDoor(createNeighbours());
  await overload(door, ['b']);
  await asks(door, 'a');
  for (let round = 0; round < 4; round += 1) await new Promise((goOn) => setTimeout(goOn, calmMs));
  const { idle } = performance.eventLoopUtilization();
  await asks(door, 'a');
  expect(performance.eventLoopUtilization().idle).toBe(idle);
});

it('holds nobody back who is alone', async () => {
  const door = createFairDoor(createNeighbours());
  await overload(door, []);
  const { idle } = performance.eventLoopUtilization();
  await Promise.all(Array.from({ length: 600 }, () => asks(door, 'a')));
  expect(performance.eventLoopUtilization().idle).toBe(idle);
});

it('refuses what would wait for too long, and says for whom there is too much', async () => {
  const door = createFairDoor(createNeighbours());
  await overload(door, ['b']);
  const asked = Array.from({ length: 502 }, () => asks(door, 'a'));
  expect(await asked.at(-1)).toMatchObject({ kind: 'refused', code: 'rate_limited', limit: 500 });
  expect(await asked[0]).toBeNull();
  expect(await asks(door, 'b')).toBeNull();
  await Promise.all(asked);
});
