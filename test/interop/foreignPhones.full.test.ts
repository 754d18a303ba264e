import { beforeAll, describe, expect, it } from 'vitest';
import { wholePatienceMs } from '../support/time/pace.ts';
import { makeCalls, type Made } from './callsMadeApart.ts';
import { foreignCalls } from './foreign/foreignCalls.ts';

const programs = ['kamailio', 'rtpengine', 'baresip', 'linphone-daemon', 'pulseaudio'];

describe("a call over the company's own PBX with telephones that others have written", () => {
  let made: Made;

  beforeAll(async () => {
    made = await makeCalls('test/interop/foreign/foreignCalls.interop.ts', programs);
  }, foreignCalls.length * wholePatienceMs());

  it.each(foreignCalls)('%s', (call) => {
    const result = made.outcome.get(call);
    expect(result?.failureMessages ?? [], made.said).toEqual([]);
    expect(result?.status, made.said).toBe('passed');
  });

  it('is one of those above', () => {
    expect([...made.outcome.keys()].sort()).toEqual([...foreignCalls].sort());
  });
});
