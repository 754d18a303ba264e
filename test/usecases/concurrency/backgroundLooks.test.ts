import { expect, it } from 'vitest';
import { backgroundLooks } from '../../../src/usecases/concurrency/backgroundLooks.ts';
import { gate } from '../../support/time/gate.ts';
import { createManualClock } from '../../support/time/manualClock.ts';

function looking(look: () => Promise<number | void>) {
  const clock = createManualClock(0);
  const failures: unknown[] = [];
  let looked = 0;
  const looks = backgroundLooks({
    clock,
    everyMs: 1_000,
    failed: (error) => failures.push(error),
    look: () => ((looked += 1), look()),
  });
  return { clock, failures, looks, looked: () => looked };
}

it('looks at the start, when it is woken, and again after a while, until it is stopped', async () => {
  const { clock, looks, looked } = looking(async () => {});
  looks.start();
  await clock.advance(999);
  expect(looked()).toBe(1);
  await clock.advance(1);
  expect(looked()).toBe(2);
  looks.wake();
  await clock.advance(999);
  expect(looked()).toBe(3);
  await clock.advance(1);
  expect(looked()).toBe(4);
  await looks.stop();
  looks.wake();
  await clock.advance(10_000);
  expect(looked()).toBe(4);
});

it('looks again when the look before has said', async () => {
  const { clock, looks, looked } = looking(async () => 50);
  looks.start();
  await clock.advance(50);
  expect(looked()).toBe(2);
  await looks.stop();
});

it('never looks twice at once: whoever wakes it meanwhile is served by one more look', async () => {
  const { pass, shut, open } = gate();
  shut();
  const { clock, looks, looked } = looking(() => pass(async () => {}));
  looks.start();
  looks.wake();
  looks.wake();
  expect(looked()).toBe(1);
  open();
  await clock.advance(1);
  expect(looked()).toBe(2);
  await looks.stop();
});

it('goes on after failures, and tells of the first of several in a row', async () => {
  let trouble: Error | null = new Error('away');
  const { clock, failures, looks, looked } = looking(async () => {
    if (trouble !== null) throw trouble;
  });
  looks.start();
  await clock.advance(1_000);
  await clock.advance(1_000);
  expect([looked(), failures.length]).toEqual([3, 1]);
  trouble = null;
  await clock.advance(1_000);
  trouble = new Error('away again');
  await clock.advance(1_000);
  expect(failures).toEqual([new Error('away'), trouble]);
  await looks.stop();
});
