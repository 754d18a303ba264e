import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCleanup } from '../../src/app/cleanup.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const slow: [step: string, seconds: number][] = [];
const start = () => {
  slow.length = 0;
  return createCleanup((step, seconds) => void slow.push([step, seconds]));
};

describe('the cleanup', () => {
  it('closes what was opened last first, once', async () => {
    const closed: string[] = [];
    const cleanup = start();
    for (const name of ['pool', 'store', 'server']) cleanup.add(name, () => void closed.push(name));
    await Promise.all([cleanup.close(), cleanup.close()]);
    expect(closed).toEqual(['server', 'store', 'pool']);
    expect(slow).toEqual([]);
  });

  it('names the step that it waits for, again and again', async () => {
    const cleanup = start();
    cleanup.add('the pool', () => {});
    cleanup.add('the webhook attempts', () => new Promise((resolve) => void setTimeout(resolve, 12_000)));
    const closing = cleanup.close();
    await vi.advanceTimersByTimeAsync(12_000);
    await closing;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(slow).toEqual([['the webhook attempts', 5], ['the webhook attempts', 10]]);
  });

  it('closes the others when one fails, and tells which', async () => {
    const closed: string[] = [];
    const cleanup = start();
    cleanup.add('the pool', () => void closed.push('the pool'));
    cleanup.add('the store', () => Promise.reject(new Error('gone')));
    const failure = await cleanup.close().catch((error: unknown) => error);
    expect(closed).toEqual(['the pool']);
    expect((failure as AggregateError).errors.map(({ message }: Error) => message)).toEqual(['the store could not be closed']);
  });
});
