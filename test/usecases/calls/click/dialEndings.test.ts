import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CallId } from '../../../../src/domain/ids.ts';
import type { ClaimedPresence } from '../../../../src/ports/softphones.ts';
import { changePresence } from '../../../../src/usecases/agents/changePresence.ts';
import {
  dialEndings,
  guarantees,
  type DialEnding,
  type DialEndingName,
} from '../../../../src/usecases/calls/click/dialEndings.ts';
import { memoryBackend } from '../../../contracts/presenceStores.ts';
import { ClickRoom, type ClickedRoom } from './clickRoom.ts';
import { createManualClock } from '../../../support/time/manualClock.ts';
import { newClaim, noon } from '../../../support/stores/presenceFixtures.ts';

const stepMs = 100;
/** A click has been answered by then, whatever went wrong. */
const answeredMs = 6_200;
/** What a claim and a record that is missing have lapsed after, with the sweep that sees it. */
const lapsedMs = 8_500;
/** What is tried again is, at the latest. */
const againMs = 16_000;

/**
 * Makes an ending happen; what came of the click, or null where nobody clicked or that is another ending's business.
 */
type Play = (room: ClickRoom) => Promise<ClickedRoom | null>;

const click: Play = (room) => room.until(room.click(null, false), stepMs);

/** A click whose store operations from the claim on take so long, each in turn. */
const clickSlowly =
  (...delays: number[]): Play =>
  async (room) => {
    room.delay(delays);
    const clicking = room.click(null, false);
    await room.pass(0, stepMs);
    room.delay([0]);
    const clicked = await room.until(clicking, stepMs);
    await room.pass(10_000, stepMs);
    return clicked;
  };

/** A click that cannot ask the database what became of its record. */
const clickBlindly =
  (recording: 'fails' | 'answer_lost'): Play =>
  (room) => {
    room.recordings = [recording];
    room.databaseIsAway = true;
    return click(room);
  };

/** A gateway claims an agent, and dies. */
async function claimAndDie(room: ClickRoom): Promise<ClaimedPresence & { callId: CallId }> {
  const [seat] = room.seats;
  if (seat === undefined) throw new Error('there is a seat');
  const claim = newClaim();
  const claimed = await room.services.presence.claim(seat.principal.companyId, { agentId: seat.agentId, ...claim });
  if (claimed.kind !== 'claimed') throw new Error('the agent is Ready');
  return { ...claimed.presence, ...claim };
}

/** A gateway claims an agent, confirms, and dies. */
async function confirmAndDie(room: ClickRoom): Promise<ClaimedPresence & { callId: CallId }> {
  const claimed = await claimAndDie(room);
  const { companyId, agentId, claimId, sessionId } = claimed;
  if (sessionId === null) throw new Error('the softphone is connected');
  await changePresence(room.services, companyId, agentId, { type: 'confirm', claimId, sessionId });
  return claimed;
}

const plays: Record<DialEndingName, Play> = {
  async claim_unanswered(room) {
    room.lostAnswers = [true];
    return click(room);
  },
  claim_too_late: clickSlowly(9_000),
  async declined(room) {
    room.behaviors = ['decline'];
    return click(room);
  },
  async undelivered(room) {
    room.behaviors = ['stay_silent'];
    return click(room);
  },
  // Its look at the claim takes longer than the click waits for that gateway.
  unreachable: clickSlowly(0, 1_000),
  async overtaken(room) {
    room.behaviors = ['be_taken_over'];
    return click(room);
  },
  // At once: the claim, the look at it before the offer. Then the confirmation.
  unconfirmed: clickSlowly(0, 0, 9_000),
  async not_sent(room) {
    room.recordings = ['not_sent'];
    return click(room);
  },
  async recorded(room) {
    room.recordings = ['answer_lost'];
    return click(room);
  },
  async ruled_out(room) {
    room.recordings = ['too_late'];
    return click(room);
  },
  unknown: clickBlindly('fails'),
  async found_recorded(room) {
    await clickBlindly('answer_lost')(room);
    room.databaseIsAway = false;
    await room.pass(againMs, stepMs);
    return null;
  },
  async found_ruled_out(room) {
    await clickBlindly('fails')(room);
    // A new connection owes no acknowledgement, so that its gateway does not ask.
    await room.until(room.connect(0), stepMs);
    room.databaseIsAway = false;
    await room.pass(1_100, stepMs);
    return null;
  },
  async offer_over(room) {
    // The click's gateway dies with what it would try again.
    room.services.retries.stop();
    await clickBlindly('fails')(room);
    room.databaseIsAway = false;
    await room.pass(lapsedMs, stepMs);
    return null;
  },
  async claim_lapsed(room) {
    await claimAndDie(room);
    await room.pass(lapsedMs, stepMs);
    return null;
  },
  async record_missing(room) {
    await confirmAndDie(room);
    await room.pass(lapsedMs, stepMs);
    return null;
  },
  async order_lost(room) {
    const { softphones } = room.services;
    const { callChanged } = softphones;
    room.recordings = ['slow'];
    const clicking = room.click(null, false);
    await room.pass(300, stepMs);
    // A new connection owes no acknowledgement, so that its gateway does not ask; and the message is lost.
    await room.until(room.connect(0), stepMs);
    softphones.callChanged = () => {};
    await room.until(clicking, stepMs);
    softphones.callChanged = callChanged;
    await room.pass(61_000, 1_000);
    return null;
  },
  async taken_back(room) {
    room.recordings = ['slow'];
    const clicking = room.click(null, false);
    await room.pass(300, stepMs);
    const [claimed] = room.claims;
    if (claimed?.callId == null) throw new Error('the agent was claimed');
    room.services.softphones.rescind(claimed, {
      call_id: claimed.callId,
      claim_id: claimed.claimId,
      reason: 'canceled',
    });
    for (const { rescinded } of room.softphones) rescinded.length = 0;
    await room.until(clicking, stepMs);
    await room.pass(1_000, stepMs);
    expect(room.record.calls.get(claimed.callId)).toMatchObject({
      state: 'ended',
      endReason: 'failed',
      endDetail: 'not_dialed',
    });
    return null;
  },
};

describe('the dial of a claimed agent', () => {
  const names = Object.keys(dialEndings) as DialEndingName[];

  it.each(names)('ends as its row in the table says: %s', async (name) => {
    const clock = createManualClock(noon);
    const [store] = await memoryBackend().open(() => clock.now());
    if (store === undefined) throw new Error('a backend opens at least one store');
    // A second agent is there only for the click to go on to.
    const ending: DialEnding = dialEndings[name];
    const room = new ClickRoom(store, clock, ending.click === 'next_agent' ? 2 : 1);
    try {
      for (const at of room.seats.keys()) {
        await room.connect(at);
        await room.goReady(at);
        await room.pass(1, 1);
      }
      const clicked = await plays[name](room);
      await room.pass(0, stepMs);
      const [claimed] = room.claims;
      if (claimed?.callId == null) throw new Error('an agent was claimed');
      expect({
        click: clickOf(clicked, claimed.callId),
        softphone: toldOf(room, claimed.callId),
        agent: agentOf(room, claimed),
        record: recordOf(room, claimed.callId),
      }).toEqual({
        click: expectedClick(ending),
        softphone: ending.softphone,
        agent: ending.agent,
        // Neither decides anything.
        record: ending.record === 'none' || ending.record === 'open' ? 'undecided' : ending.record,
      });
      expect(clock.now() - noon).toBeLessThan(ending.step === 'afterwards' ? 70_000 : answeredMs + 10_000);
    } finally {
      await room.close();
    }
  });

  it('is given up in time, and the agent left as they were, where nobody can say by which number they call', async () => {
    const clock = createManualClock(noon);
    const [store] = await memoryBackend().open(() => clock.now());
    if (store === undefined) throw new Error('a backend opens at least one store');
    const room = new ClickRoom(store, clock, 1);
    try {
      await room.connect(0);
      await room.goReady(0);
      await room.pass(1, 1);
      const { companyOf } = room.services;
      const number = { name: 'Support', phone_number: '+4930222', agent_ids: [], team_ids: ['support'] };
      room.services.companyOf = async (id) => {
        const company = await companyOf(id);
        return { ...company, settings: { ...company.settings, outgoing_numbers: [number] } };
      };
      room.services.ledAgents = () => new Promise(() => {});
      let clicked: ClickedRoom | null = null;
      void room.click(null, false).then((answer) => (clicked = answer));
      await room.pass(answeredMs, stepMs);
      const [claimed] = room.claims;
      if (claimed?.callId == null) throw new Error('an agent was claimed');
      expect([clickOf(clicked, claimed.callId), agentOf(room, claimed)]).toEqual([
        expectedClick(dialEndings.unconfirmed),
        'freed',
      ]);
    } finally {
      await room.close();
    }
  });

  it('has every ending in its table on the page for operators, and the promise that each of them keeps', () => {
    const page = readFileSync(new URL('../../../../docs/dial-endings.md', import.meta.url), 'utf8');
    const table = page
      .replaceAll(/ +/g, ' ')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(table).toEqual(names.map(rowOf));
    const promises = readFileSync(new URL('../../../../docs/scaling.md', import.meta.url), 'utf8');
    for (const promise of Object.values(guarantees)) expect(promises).toContain(`| **${promise}`);
    for (const [id, promise] of Object.entries(guarantees))
      expect(page.replaceAll(/\s+/g, ' ')).toContain(`- \`${id}\`: ${promise}`);
  });
});

function clickOf(clicked: ClickedRoom | null, callId: CallId): string | null {
  if (clicked === null) return null;
  if (clicked.kind === 'refused') return clicked.code;
  return clicked.callId === callId ? 'dialed' : 'next_agent';
}

function expectedClick({ click: after }: DialEnding): string | null {
  if (after === 'store_failed') return 'dependency_unavailable';
  return after === null || typeof after === 'string' ? after : after.code;
}

/** What the agent's softphones heard of the call. */
function toldOf(room: ClickRoom, callId: CallId): string | null {
  if (room.softphones.some(({ dials }) => dials.includes(callId))) return 'dial';
  const reasons = room.softphones.flatMap(({ rescinded }) => rescinded.filter((one) => one.callId === callId));
  return reasons[0]?.reason ?? null;
}

/** The agent's first state after the call, or the state on it. */
function agentOf({ written }: ClickRoom, { agentId, callId }: ClaimedPresence): string {
  const own = written.filter((presence) => presence.agentId === agentId);
  const last = own.findLastIndex((presence) => presence.callId === callId);
  const presence = own[last + 1] ?? own[last];
  if (presence?.state !== 'ready') return presence?.state ?? 'unknown';
  return presence.connection === 'connected' ? 'freed' : 'suspected';
}

function recordOf({ record }: ClickRoom, callId: CallId): 'recorded' | 'ruled_out' | 'undecided' {
  if (record.calls.has(callId)) return 'recorded';
  return record.decided.has(callId) ? 'ruled_out' : 'undecided';
}

/** A row as the page has it. */
function rowOf(name: DialEndingName): string {
  const { step, when, by, click: after, softphone, agent, record, serves }: DialEnding = dialEndings[name];
  const answer: Record<string, string> = {
    dialed: '201',
    next_agent: 'next agent',
    store_failed: '503 `dependency_unavailable`',
  };
  const refusal = typeof after === 'object' && after !== null ? `503 \`${after.code}\`` : '–';
  const said = typeof after === 'string' ? answer[after] : refusal;
  const reason = softphone === null ? '–' : `\`${softphone}\``;
  const told = softphone === 'dial' ? 'dials' : reason;
  const words = {
    on_call: 'on the call',
    not_ready: 'Not Ready',
    freed: 'as before',
    suspected: 'as before, suspected',
  };
  const kept = { recorded: 'recorded', ruled_out: 'ruled out', none: 'none', open: 'not known yet' };
  const cells = [`\`${name}\``, step, when, by, said, told, words[agent], kept[record], `\`${serves}\``];
  return `| ${cells.join(' | ')} |`;
}
