import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCleanup } from '../../src/app/cleanup.ts';
import { shutdownOrder } from '../../src/app/shutdownOrder.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const slow: [step: string, seconds: number][] = [];
const start = () => {
  slow.length = 0;
  return createCleanup((step, seconds) => void slow.push([step, seconds]));
};

describe('the cleanup', () => {
  it('closes what was opened in the order of shutdown, whatever was opened first, once', async () => {
    const closed: string[] = [];
    const cleanup = start();
    for (const step of shutdownOrder.toSorted()) cleanup.add(step, () => void closed.push(step));
    await Promise.all([cleanup.close(), cleanup.close()]);
    expect(closed).toEqual(shutdownOrder);
    expect(slow).toEqual([]);
  });

  it('passes over what was not opened, and lets nothing be closed in two ways', async () => {
    const closed: string[] = [];
    const cleanup = start();
    for (const step of ['Prisma', 'the demo'] as const) cleanup.add(step, () => void closed.push(step));
    expect(() => cleanup.add('Prisma', () => {})).toThrow('Prisma is to be closed already');
    await cleanup.close();
    expect(closed).toEqual(['the demo', 'Prisma']);
  });

  it('names the step that it waits for, again and again', async () => {
    const cleanup = start();
    cleanup.add('Prisma', () => {});
    cleanup.add('webhook attempts under way', () => new Promise((resolve) => void setTimeout(resolve, 12_000)));
    const closing = cleanup.close();
    await vi.advanceTimersByTimeAsync(12_000);
    await closing;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(slow).toEqual([
      ['webhook attempts under way', 5],
      ['webhook attempts under way', 10],
    ]);
  });

  it('closes the others when one fails, and tells which', async () => {
    const closed: string[] = [];
    const cleanup = start();
    cleanup.add('Prisma', () => void closed.push('Prisma'));
    cleanup.add('the webhook sender', () => Promise.reject(new Error('gone')));
    const failure = await cleanup.close().catch((error: unknown) => error);
    expect(closed).toEqual(['Prisma']);
    expect((failure as AggregateError).errors.map(({ message }: Error) => message)).toEqual([
      'the webhook sender could not be closed',
    ]);
  });
});
