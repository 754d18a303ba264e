import { beforeAll, describe, expect, it } from 'vitest';
import { wholePatienceMs } from '../support/time/pace.ts';
import { calls, needOwnNetwork } from './calls.ts';
import { makeCalls, type Made } from './callsMadeApart.ts';
import { privateNetwork } from './networkOfItsOwn.ts';

describe("a call over the company's own PBX", () => {
  let made: Made;

  beforeAll(async () => {
    made = await makeCalls('test/interop/calls.interop.ts', ['kamailio', 'rtpengine', 'sipp']);
  }, calls.length * wholePatienceMs());

  it.each(calls)('%s', (call) => {
    const result = made.outcome.get(call);
    expect(result?.failureMessages ?? [], made.said).toEqual([]);
    const isLeftOut = privateNetwork().kind === 'shared' && needOwnNetwork.includes(call);
    expect(result?.status, made.said).toBe(isLeftOut ? 'skipped' : 'passed');
  });

  it('is one of those above', () => {
    expect([...made.outcome.keys()].sort()).toEqual([...calls].sort());
  });
});
