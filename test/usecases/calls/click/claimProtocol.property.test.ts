import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryBackend, redisBackend } from '../../../contracts/presenceStores.ts';
import { ClickRoom, recordings, type ClickedRoom } from './clickRoom.ts';
import { createManualClock } from '../../../support/time/manualClock.ts';
import { noon } from '../../../support/stores/presenceFixtures.ts';
import { behaviors } from './scriptedSoftphone.ts';
import { eventually } from '../../../support/time/waiting.ts';

const agents = 3;
const agent = fc.nat(agents - 1);

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('click'), at: fc.option(agent), fallback: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('wait'),
      ms: fc.constantFrom(0, 1, 1_000, 2_000, 2_500, 5_000, 8_000, 31_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('hang_up'), at: agent }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('ready'), at: agent }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('leave'), at: agent }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('return'), at: agent }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('take_over'), at: agent }) },
);
const history = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  /** Which agents are Ready at the start. */
  ready: fc.array(fc.boolean(), { minLength: agents, maxLength: agents }),
  behaviors: fc.array(fc.constantFrom(...behaviors), { maxLength: 8 }),
  recordings: fc.array(fc.constantFrom('ok', 'ok', ...recordings), { maxLength: 6 }),
  lostAnswers: fc.array(fc.constantFrom(false, false, false, true), { maxLength: 6 }),
  /** Now and then the store stalls for longer than a claim lasts. */
  delays: fc.array(fc.oneof({ weight: 20, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.constant(9_000) }), {
    minLength: 1,
    maxLength: 12,
  }),
});
type History = typeof history extends fc.Arbitrary<infer H> ? H : never;

/** Longer than anything that may still lapse: claims, records, checks of records. */
const longEnough = 45_000;
const stepMs = 500;

describe.each([
  { backend: memoryBackend(), numRuns: 400 },
  { backend: redisBackend('redis', false), numRuns: 60 },
])('after any history of clicks ($backend.name)', ({ backend, numRuns }) => {
  beforeAll(() => backend.start());
  afterAll(() => backend.stop());

  it('every 201 is one acknowledged offer, one call and one dial, nothing else was dialed, and nobody is stuck', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (story) => play(story)),
      { numRuns },
    );
  });

  it('no softphone is shown an offer that was held up until its claim had lapsed and another click held the agent', async () => {
    await inRoom(1, async (room) => {
      await room.connect(0);
      await room.goReady(0);
      room.behaviors = ['stay_silent'];
      // The claim at once, the look at it before the offer 9 s later.
      room.delay([0, 9_000]);
      const first = room.click(null, false);
      await room.pass(0, stepMs);
      room.delay([0]);
      await room.pass(8_500, stepMs);
      await room.goReady(0);
      const second = room.click(null, false);
      await room.pass(1_000, stepMs);
      expect(room.shownLate).toEqual([]);
      expect(await room.presence(0)).toMatchObject({ state: 'reserved' });
      const clicks = await room.until(Promise.all([first, second]), stepMs);
      expect(clicks.map(({ kind }) => kind)).toEqual(['refused', 'refused']);
    });
  });

  it('an agent whom a claim took without anybody hearing of it is Ready again, without having been Not Ready', async () => {
    await inRoom(1, async (room) => {
      await room.connect(0);
      await room.goReady(0);
      room.lostAnswers = [true];
      expect(await room.click(null, false)).toEqual({ kind: 'refused', code: 'dependency_unavailable' });
      // It is released in the background; a lapse would have made it Not Ready.
      await eventually(async () => (await room.presence(0))?.state !== 'reserved');
      expect(await room.presence(0)).toMatchObject({ state: 'ready', callId: null });
      expect((await room.click(0, false)).kind).toBe('ok');
    });
  });

  async function play(story: History): Promise<void> {
    await inRoom(agents, (room) => perform(room, story));
  }

  async function inRoom(seats: number, action: (room: ClickRoom) => Promise<void>): Promise<void> {
    const clock = createManualClock(noon);
    const [store] = await backend.open(() => clock.now());
    if (store === undefined) throw new Error('a backend opens at least one store');
    const room = new ClickRoom(store, clock, seats);
    try {
      await action(room);
    } finally {
      await room.close();
    }
  }

  async function perform(room: ClickRoom, story: History): Promise<void> {
    for (let at = 0; at < agents; at++) {
      await room.connect(at);
      if (story.ready[at] === true) await room.goReady(at);
    }
    room.behaviors = [...story.behaviors];
    room.recordings = [...story.recordings];
    room.lostAnswers = [...story.lostAnswers];
    room.delay(story.delays);
    const clicks: Promise<ClickedRoom>[] = [];
    const reports: Promise<void>[] = [];
    for (const one of story.steps) {
      switch (one.type) {
        case 'click':
          clicks.push(room.click(one.at, one.fallback));
          break;
        case 'wait':
          await room.pass(one.ms, stepMs);
          break;
        case 'hang_up':
          // Not waited for: it waits for a dial that is being recorded, which waits for the clock.
          reports.push(room.hangUp(one.at));
          break;
        case 'ready':
          await room.until(room.goReady(one.at), stepMs);
          break;
        case 'leave':
          await room.until(room.leave(one.at), stepMs);
          break;
        case 'return':
          await room.until(room.connect(one.at), stepMs);
          break;
        case 'take_over':
          await room.until(room.connect(one.at, true), stepMs);
          break;
      }
    }
    await room.pass(longEnough, stepMs);
    await room.until(Promise.all([...clicks, ...reports]), stepMs);
    room.delay([0]);
    await room.pass(longEnough, stepMs);
    expectOnlyWhatWasPromised(room, await Promise.all(clicks));
    await expectNobodyStuck(room);
  }

  function expectOnlyWhatWasPromised(room: ClickRoom, clicks: ClickedRoom[]): void {
    const promised = clicks.flatMap((click) => (click.kind === 'ok' ? [click.callId] : []));
    const acknowledged = room.softphones.flatMap((softphone) => [...softphone.acknowledged]);
    const dials = room.softphones.flatMap((softphone) => softphone.dials);
    // What was promised is recorded, once. A refused click leaves no call, however late its record came.
    const calls = [...room.record.calls.values()];
    expect(calls.map(({ id }) => id).toSorted()).toEqual(promised.toSorted());
    expect(new Set(promised).size).toBe(promised.length);
    for (const callId of promised) expect(acknowledged.filter((id) => id === callId)).toHaveLength(1);
    for (const { id: callId } of calls) {
      const events = room.record.events.filter((event) => event.callId === callId).map(({ event }) => event);
      expect(events).toEqual(['cti_click_to_dial', 'call_started']);
    }
    expect(room.record.events).toHaveLength(2 * calls.length);
    // Nothing is dialed that was not promised, and nothing twice; a softphone that vanished may not have dialed.
    expect(dials.filter((id) => !promised.includes(id))).toEqual([]);
    expect(new Set(dials).size).toBe(dials.length);
    expect(room.shownLate).toEqual([]);
    const popped = room.softphones
      .filter(({ replaced, connected }) => connected && !replaced)
      .flatMap(({ pops }) => [...pops]);
    expect(popped.filter((callId) => !promised.includes(callId))).toEqual([]);
  }

  async function expectNobodyStuck(room: ClickRoom): Promise<void> {
    room.behaviors = [];
    room.recordings = [];
    room.lostAnswers = [];
    for (let at = 0; at < agents; at++) {
      expect((await room.presence(at))?.state).not.toBe('reserved');
      await room.connect(at, true);
      await room.hangUp(at);
      await room.goReady(at);
      expect(await room.presence(at)).toMatchObject({ state: 'ready', callId: null, claimId: null });
    }
    for (let at = 0; at < agents; at++) {
      const click = await room.click(at, false);
      expect(click.kind).toBe('ok');
      expect((await room.presence(at))?.state).toBe('on_call');
    }
  }
});
