import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOrderedIndex } from '../../src/adapters/memory/orderedIndex.ts';

describe('the ordered index', () => {
  const key = fc.constantFrom(...'abcdefghijklmnopqrst');
  const step = fc.oneof(
    fc.record({ type: fc.constant('set' as const), key, score: fc.integer({ min: 0, max: 8 }) }),
    fc.record({ type: fc.constant('delete' as const), key, score: fc.constant(0) }),
  );

  it('always holds what a sorted list would hold', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.nat(9), fc.nat(25), (steps, maximum, limit) => {
        const index = createOrderedIndex<string>();
        const model = new Map<string, number>();
        for (const { type, key: name, score } of steps) {
          if (type === 'set') {
            index.set(name, score, name);
            model.set(name, score);
          } else {
            index.delete(name);
            model.delete(name);
          }
          const sorted = [...model].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
          expect(index.first()).toBe(sorted[0]?.[0] ?? null);
          expect(index.first(['a', 'b', name])).toBe(
            sorted.find(([one]) => !['a', 'b', name].includes(one))?.[0] ?? null,
          );
          expect(index.scoreOf(name)).toBe(model.get(name) ?? null);
          const upTo = sorted.filter(([, scored]) => scored <= maximum).map(([name]) => name);
          expect(index.upTo(maximum, limit)).toEqual(upTo.slice(0, limit));
        }
      }),
    );
  });

  it('compares few neighbours even among a hundred thousand', () => {
    const size = 100_000;
    let compared = 0;
    const index = createOrderedIndex<number>();
    for (let i = 0; i < size; i += 1) index.set(`agent ${i}`, (i * 7_919) % size, i);
    const counted = {
      valueOf() {
        compared += 1;
        return -1;
      },
    };
    // A score that counts how often it is compared, on its way from the last place to the first and out again.
    index.set('counted', counted as unknown as number, -1);
    expect(index.first()).toBe(-1);
    index.delete('counted');
    expect(compared).toBeLessThan(200);
  });
});
