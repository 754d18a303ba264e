import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { createIdMaker } from '../../../src/adapters/clock/timeOrderedIds.ts';
import { idsSince, idsUntil } from '../../../src/domain/ids.ts';

describe('ids ordered by time', () => {
  it('tell the time of the clock they are made by', () => {
    const time = Date.parse('2031-05-06T07:08:09.010Z');
    const id = createIdMaker({ now: () => time, after: () => () => undefined })();
    expect([validate(id), version(id)]).toEqual([true, 7]);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(time);
    expect(id > idsSince(new Date(time)) && id < idsUntil(new Date(time))).toBe(true);
  });

  it('ascend within a millisecond, and when the clock is set back', () => {
    let time = 5_000;
    const newId = createIdMaker({ now: () => time, after: () => () => undefined });
    const ids = Array.from({ length: 2_000 }, (_, made) => {
      if (made === 700) time = 4_000;
      if (made === 1_400) time = 6_000;
      return newId();
    });
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(2_000);
  });

  it('of two processes in the same millisecond differ', () => {
    const clock = { now: () => 5_000, after: () => () => undefined };
    const [first, second] = [createIdMaker(clock), createIdMaker(clock)];
    const ids = Array.from({ length: 1_000 }, () => [first(), second()]).flat();
    expect(new Set(ids).size).toBe(2_000);
  });
});
