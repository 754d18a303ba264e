import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryBackend, redisBackend } from '../contracts/presenceStores.ts';
import { createManualClock } from '../support/manualClock.ts';
import { noon } from '../support/presenceFixtures.ts';
import { openCallCenter, type ClickOutcome, type OfferScript, type RecordScript } from '../support/scriptedCallCenter.ts';

const agents = 3;

const offerScript = fc.constantFrom<OfferScript>('ack', 'ack', 'decline', 'silence', 'taken over', 'lapsed', 'forced free');
const recordScript = fc.constantFrom<RecordScript>('written', 'written', 'failed', 'answer lost');
const click = fc.record({ named: fc.option(fc.integer({ min: 0, max: agents - 1 })), fallback: fc.boolean() });

/** A round: who goes Ready first, which clicks come at once, what they meet, and who hangs up afterwards. */
const round = fc.record({
  ready: fc.subarray([0, 1, 2]),
  clicks: fc.array(click, { maxLength: 5 }),
  offers: fc.array(offerScript, { maxLength: 8 }),
  records: fc.array(recordScript, { maxLength: 5 }),
  hangUps: fc.subarray([0, 1, 2]),
  timePasses: fc.boolean(),
});

describe.each([
  { backend: memoryBackend(), runs: 400 },
  { backend: redisBackend('redis', false), runs: 60 },
])('the click protocol ($backend.name)', ({ backend, runs }) => {
  beforeAll(() => backend.start());
  afterAll(() => backend.stop());

  it('dials exactly what it answers, from one softphone each, and leaves nobody stuck', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
        const clock = createManualClock(noon);
        const stores = await backend.open(() => clock.now());
        const [store] = stores;
        if (store === undefined) throw new Error('a backend opens a store');
        const center = openCallCenter(store, clock, agents);
        const agentOf = (index: number) => center.agentIds[index] ?? expect.fail('no such agent');
        for (const agentId of center.agentIds) await center.signIn(agentId);
        const dialed = new Map<string, ClickOutcome & { ok: true }>();

        for (const { ready, clicks, offers, records, hangUps, timePasses } of rounds) {
          for (const index of ready) await center.goReady(agentOf(index));
          center.script(offers, records);
          const outcomes = await Promise.all(
            clicks.map(({ named, fallback }) => center.click(named === null ? null : agentOf(named), fallback)),
          );
          for (const outcome of outcomes) {
            if (!outcome.ok) {
              expect(['no_ready_agent', 'agent_not_ready', 'dependency_unavailable']).toContain(outcome.code);
              continue;
            }
            expect(dialed.has(outcome.callId)).toBe(false);
            dialed.set(outcome.callId, outcome);
            expect(center.acknowledged.has(outcome.callId)).toBe(true);
            expect(center.recorded.get(outcome.callId)?.call.agentId).toBe(outcome.agentId);
            expect(center.recorded.get(outcome.callId)?.events.map(({ event }) => event).slice(0, 2)).toEqual([
              'cti_click_to_dial',
              'call_started',
            ]);
          }
          // A refused click has left no call and no event.
          expect([...center.recorded.keys()].sort()).toEqual([...dialed.keys()].sort());
          const lasting = [...center.recorded.values()].filter(({ call }) => call.state !== 'ended');
          expect(new Set(lasting.map(({ call }) => call.agentId)).size).toBe(lasting.length);
          for (const index of hangUps) await center.hangUp(agentOf(index));
          if (timePasses) await center.letTimePass();
        }

        await center.letTimePass();
        for (const agentId of center.agentIds) {
          expect((await center.present(agentId)).state).not.toBe('reserved');
          await center.hangUp(agentId);
          await center.goReady(agentId);
          expect(await center.present(agentId)).toMatchObject({ state: 'ready', callId: null, claimId: null });
        }
        for (const { call } of center.recorded.values()) expect(call.state).toBe('ended');
        await Promise.all(stores.map((opened) => opened.close()));
      }),
      { numRuns: runs },
    );
  }, 120_000);
});
