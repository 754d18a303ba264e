import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { forEachConcurrently } from '../../../src/usecases/concurrency/forEachConcurrently.ts';

const items = Array.from({ length: 200 }, (_, at) => at);

/** Works that end when the test says so. */
function heldWork() {
  const begun: number[] = [];
  const ends = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  const work = (item: number) =>
    new Promise<void>((resolve, reject) => {
      begun.push(item);
      ends.set(item, { resolve, reject });
    });
  return { begun, ends, work };
}

describe('work on many items', () => {
  it('is under way for 64 at most, and begins with the next where one ends', async () => {
    const { begun, ends, work } = heldWork();
    const all = forEachConcurrently(items, work);
    await nextTurn();
    expect(begun).toEqual(items.slice(0, 64));
    ends.get(10)?.resolve();
    await nextTurn();
    expect(begun).toEqual(items.slice(0, 65));
    while (begun.length < items.length) {
      for (const { resolve } of ends.values()) resolve();
      await nextTurn();
    }
    for (const { resolve } of ends.values()) resolve();
    await all;
  });

  it('fails with the first failure, and begins nothing after it', async () => {
    const { begun, ends, work } = heldWork();
    const all = forEachConcurrently(items, work);
    await nextTurn();
    ends.get(3)?.reject(new Error('the store is away'));
    await expect(all).rejects.toThrow('the store is away');
    const before = begun.length;
    for (const { resolve } of ends.values()) resolve();
    await nextTurn();
    expect(begun.length).toBe(before);
    expect(before).toBeLessThanOrEqual(65);
  });
});
