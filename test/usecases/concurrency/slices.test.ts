import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { createSlices, idleFor, inSlices } from '../../../src/usecases/concurrency/slices.ts';

/** Keeps the process busy for so long. Milliseconds. */
function busy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

it('keeps nobody waiting for more than a slice, however many such works there are', async () => {
  const done: string[] = [];
  const work = async (name: string) => {
    for await (const item of inSlices([1, 2, 3, 4, 5, 6])) {
      busy(6);
      done.push(`${name}${item}`);
    }
  };
  const works = [work('a'), work('b')];
  // Somebody who needs ten turns of the process, as a click does.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((goOn) => setImmediate(goOn));
  expect(done.length).toBeLessThanOrEqual(4);
  await Promise.all(works);
  expect(done.filter((item) => item.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
});

it('goes on without a rest while nothing took long', async () => {
  const slices = createSlices();
  const items: number[] = [];
  for await (const item of inSlices([1, 2, 3])) items.push(item);
  expect(items).toEqual([1, 2, 3]);
  await slices.rest();
  expect(slices.isOver()).toBe(false);
});

it('rests until the process has had nothing to do for as long, and not for ever', async () => {
  const { idle } = performance.eventLoopUtilization();
  await idleFor(20);
  expect(performance.eventLoopUtilization().idle - idle).toBeGreaterThan(15);
  let isOver = false;
  const keepBusy = async () => {
    while (!isOver) {
      busy(10);
      await new Promise((goOn) => setImmediate(goOn));
    }
  };
  const others = keepBusy();
  await idleFor(10_000, 50);
  isOver = true;
  await others;
});
