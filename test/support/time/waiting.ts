// oxlint-disable-next-line no-restricted-imports -- the pause between two looks
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ManualClock } from './manualClock.ts';
import { Patience } from './pace.ts';

/** As often as the gateway sweeps. */
const stepMs = 200;

/**
 * Moves a gateway's clock on by `ms` and then in small steps, until what is expected has come true. The gateway's
 * work between two timers takes real time, so the clock must not run ahead of it: each step waits for a turn.
 */
export async function passTime(
  clock: Pick<ManualClock, 'advance'>,
  ms: number,
  comesTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const patience = new Patience();
  await clock.advance(ms);
  while (!(await comesTrue())) {
    if (patience.isOver()) expect.fail(`did not come true after ${ms} ms of the gateway's time`);
    await clock.advance(stepMs);
    await nextTurn();
  }
}

/** Between two looks, which grow rarer, so that whoever waits for long leaves the machine to what is waited for. */
const pauseMs = { first: 4, growth: 1.5, longest: 50 };

/**
 * Looks again and again, without moving any clock, until what is expected has come true: until `look` neither throws
 * nor returns false. It may look by assertions, whose last failure is then the test's.
 *
 * @returns what the last look returned
 */
export async function eventually(look: () => boolean | void | Promise<boolean | void>): Promise<void>;
export async function eventually<T extends object | string>(look: () => T | false | Promise<T | false>): Promise<T>;
export async function eventually(look: () => unknown): Promise<unknown> {
  const patience = new Patience();
  for (let ms = pauseMs.first; ; ms = Math.min(ms * pauseMs.growth, pauseMs.longest)) {
    // Before the look, so that the last one sees what came in time.
    const isLast = patience.isOver();
    try {
      const seen = await look();
      if (seen !== false) return seen;
      if (isLast) expect.fail(`it did not come true that ${textOf(look)}`);
    } catch (error) {
      if (isLast) throw error;
    }
    await pause(ms);
  }
}

/** A condition as its test has it. */
function textOf(look: () => unknown): string {
  return String(look)
    .replaceAll(/\(0,\s*(?:__vi_import_\d+__\.)?([\w.]+)\)|__vi_import_\d+__\./g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:async )?\(\) => /, '');
}
