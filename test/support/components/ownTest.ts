import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { expect, onTestFinished } from 'vitest';
import { cameLate } from '../cameLate.ts';

/** A test. Whatever it starts carries it along: a timer, a promise, what is asked because of them. */
export type Owner = { name: string; isOver: boolean };

const owners = new AsyncLocalStorage<Owner>();
/**
 * The timers that a test has started, by test. Watched where they are made: tests put clocks of their own
 * in place of the functions.
 */
const timers = new WeakMap<Owner, Set<NodeJS.Timeout>>();
createHook({
  init(_id, type, _trigger, timer) {
    const owner = type === 'Timeout' ? owners.getStore() : undefined;
    if (owner !== undefined) timers.get(owner)?.add(timer as NodeJS.Timeout);
  },
}).enable();

/**
 * The test under way. Files share a process, so that what a page of one test does later would be met by another one:
 * timers that are left end with their test, and `isFromElsewhere` tells what comes all the same.
 */
export function ownTest(): Owner {
  const name = `${expect.getState().testPath ?? ''} > ${expect.getState().currentTestName ?? ''}`;
  const known = owners.getStore();
  if (known?.name === name && !known.isOver) return known;
  const owner: Owner = { name, isOver: false };
  owners.enterWith(owner);
  timers.set(owner, new Set());
  onTestFinished(() => {
    owner.isOver = true;
    for (const timer of timers.get(owner) ?? []) clearTimeout(timer);
  });
  return owner;
}

/** Whether what is happening now was begun by another test, which is told: `what` it did. */
export function isFromElsewhere(owner: Owner, what: string): boolean {
  const asking = owners.getStore() ?? owner;
  if (asking === owner && !owner.isOver) return false;
  cameLate.push(`${asking.name}: ${what}`);
  return true;
}
