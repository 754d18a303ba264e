import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ManualClock } from './manualClock.ts';

const patienceMs = 15_000;
/** As often as the gateway sweeps. */
const stepMs = 200;

/**
 * Moves a gateway's clock on by `ms` and then in small steps, until what is expected has come true. The gateway's
 * work between two timers takes real time, so the clock must not run ahead of it: each step waits for a turn.
 */
export async function passTime(clock: ManualClock, ms: number, comesTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs;
  await clock.advance(ms);
  while (!(await comesTrue())) {
    if (Date.now() > end) expect.fail(`did not come true after ${ms} ms of the gateway's time`);
    await clock.advance(stepMs);
    await nextTurn();
  }
}

/** Between two looks, so that whoever waits leaves the machine to what is waited for. */
const lookEveryMs = 10;

/** Waits for what is expected without moving any clock. */
export async function eventually(comesTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await comesTrue())) {
    if (Date.now() > end) expect.fail('did not come true');
    await pause(lookEveryMs);
  }
}
