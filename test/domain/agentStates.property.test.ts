import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentState, agentStates } from '../../src/contract/vocabulary.ts';
import { decidePresence } from '../../src/domain/agentStates.ts';
import { agentTransitions, type AgentTrigger, mayMove } from '../../src/domain/agentTransitions.ts';
import type { AgentId, CompanyId } from '../../src/domain/ids.ts';
import {
  isBusyHere,
  isClaimable,
  logoutAfterMs,
  nextDeadline,
  platformSilenceMs,
  type Presence,
  type PresenceCommand,
  type PresenceDecision,
} from '../../src/domain/presence.ts';
import { lapseUntil } from '../../src/domain/presenceLapse.ts';
import { commandOf, createIdSource, step, type Step } from '../support/stores/presenceCommands.ts';
import { newClaim, noon } from '../support/stores/presenceFixtures.ts';

type Turn = { before: Presence | null; command: PresenceCommand; decision: PresenceDecision; now: number };

const stories = fc.array(step, { maxLength: 60 });
/** Enough for every pair of states to be walked many times. */
const numRuns = 2_000;

/** Plays the steps as a store would: an offline presence is forgotten. Presences are frozen: rules change no input. */
function play(steps: Step[]): { turns: Turn[]; presence: Presence | null; now: number } {
  const newId = createIdSource();
  const who = { companyId: newId<CompanyId>(), agentId: newId<AgentId>() };
  const turns: Turn[] = [];
  let presence: Presence | null = null;
  let now = noon;
  for (const one of steps) {
    now += one.wait;
    const command = commandOf(one, who, presence, newId, now);
    const decision = decidePresence(presence, command, now);
    turns.push({ before: presence, command, decision, now });
    if (decision.kind === 'changed') presence = decision.next.state === 'offline' ? null : Object.freeze(decision.next);
  }
  return { turns, presence, now };
}

function everyTurn(check: (turn: Turn) => void): void {
  fc.assert(
    fc.property(stories, (steps) => play(steps).turns.forEach(check)),
    { numRuns },
  );
}

function everyChange(check: (next: Presence, turn: Turn) => void): void {
  everyTurn((turn) => {
    if (turn.decision.kind === 'changed') check(turn.decision.next, turn);
  });
}

/** What each command may set off. Commands that settle what has lapsed may set off several in a row. */
const lapses = ['canceled', 'ring_unanswered', 'wrap_up_over', 'connection_lost', 'signed_out'] as const;
const triggersOf: Record<PresenceCommand['type'], readonly AgentTrigger[]> = {
  open_session: [...lapses, 'session_opened'],
  lose_connection: [],
  keep_connection: lapses,
  ask: ['asked', 'call_ended', 'canceled', 'signed_out'],
  claim: ['claimed'],
  ring: ['ring'],
  confirm: ['confirmed'],
  await_ring: [],
  answer: ['answered'],
  fail_offer: ['offer_failed', 'signed_out'],
  offer_unreachable: ['canceled', 'signed_out'],
  miss_ring: ['ring_unanswered', 'signed_out'],
  cancel: ['canceled', 'signed_out'],
  dial_by_hand: ['manual_dial'],
  drop_unrecorded: ['dial_not_recorded', 'signed_out'],
  keep_recorded: [],
  end_call: ['call_ended', 'signed_out'],
  extend_wrap_up: [],
  finish_wrap_up: ['wrap_up_over', 'signed_out'],
  restore_call: ['call_found'],
  rename: [],
  fall_due: lapses,
  follow_platform: lapses,
  leave_platform: ['signed_out'],
  pass_to_platform: ['signed_out'],
};

/** Whether the table leads from one state to another by these triggers, in one move or, where `often`, in several. */
function leads(from: AgentState, to: AgentState, triggers: readonly AgentTrigger[], often: boolean): boolean {
  const reached = new Set([from]);
  for (const state of reached) {
    const next = agentStates.filter((one) => triggers.some((trigger) => mayMove(state, trigger, one)));
    if (next.includes(to)) return true;
    if (often) next.forEach((one) => reached.add(one));
  }
  return false;
}

/** A platform's word moves an agent whenever its softphone has nothing for it. */
function isOfPlatform(presence: Presence | null): boolean {
  return presence?.platform != null;
}

describe('whatever happens to an agent', () => {
  it('raises the version by exactly one per change', () => {
    everyChange((next, { before }) => expect(next.version).toBe((before?.version ?? 0) + 1));
  });

  it('makes only moves of the table', () => {
    everyChange((next, { before, command }) => {
      const from = before?.state ?? 'offline';
      const often = command.type === 'fall_due' || command.type === 'open_session';
      const triggers = [
        ...triggersOf[command.type],
        ...(isOfPlatform(before) || isOfPlatform(next) ? (['platform_said'] as const) : []),
      ];
      if (from !== next.state && !leads(from, next.state, triggers, often || command.type === 'follow_platform')) {
        throw new Error(`${command.type} moved ${from} to ${next.state}`);
      }
    });
  });

  it('leaves who the agent is, and what was stored, alone', () => {
    everyChange((next, { before }) => {
      if (before) expect(next).toMatchObject({ companyId: before.companyId, agentId: before.agentId });
      expect(next).not.toBe(before);
    });
  });

  it('lets only Ready agents with a place in the idle order be claimed, whose softphone is connected or whose platform dials', () => {
    everyChange((next, { now }) => {
      const claimed = decidePresence(next, { type: 'claim', ...newClaim() }, now);
      expect(claimed.kind === 'changed').toBe(
        next.state === 'ready' &&
          (next.platform?.dialsBy === 'platform' ||
            (next.connection === 'connected' && next.platform?.dialsBy !== 'nobody')),
      );
      if (isClaimable(next)) expect(next.idleSince).not.toBeNull();
    });
  });

  it('changes nothing by a command under a stale lease', () => {
    everyTurn(({ before, command, decision }) => {
      if (!('lease' in command) || command.type === 'open_session' || command.lease === null) return;
      if (command.lease !== (before?.lease ?? null)) expect(decision.kind).toBe('refused');
    });
  });

  it('lets a session that resumes take over from no other', () => {
    everyChange((next, { before, command, now }) => {
      if (command.type !== 'open_session' || !command.resumes || before === null) return;
      const known = lapseUntil(before, now).sessionId;
      expect(known === null || known === next.sessionId).toBe(true);
    });
  });

  it('keeps in each state exactly the fields that belong to it', () => {
    everyChange((next) => {
      // What a platform says has no claim, no deadline, and a call only where it says so.
      if (next.platform !== null && !isBusyHere(next)) {
        expect([next.claimId, next.reservedFor, next.expiresAt, next.pending]).toEqual([null, null, null, null]);
        return;
      }
      const has = (field: keyof Presence) => next[field] !== null;
      const busy = next.state === 'reserved' || next.state === 'on_call' || next.state === 'wrap_up';
      expect(has('callId')).toBe(busy);
      if (has('claimId')) expect(next.state).toBe('reserved');
      if (next.reservedFor === 'offer') expect(has('claimId')).toBe(true);
      if (has('second')) expect(next.state).toBe('on_call');
      if (!busy) expect(next.toWrapUp).toEqual([]);
      expect(has('reservedFor')).toBe(next.state === 'reserved');
      if (next.state === 'reserved' || next.state === 'wrap_up') expect(has('expiresAt')).toBe(true);
      if (!busy) expect([next.expiresAt, next.pending]).toEqual([null, null]);
      if (next.state === 'ready') expect(has('idleSince')).toBe(true);
      else if (next.state !== 'reserved') expect(has('idleSince')).toBe(false);
      if (next.state === 'offline' || next.connection === 'connected') {
        expect(has('lease') && has('sessionId') && has('nodeId')).toBe(next.state !== 'offline');
      }
    });
  });

  it('loses no call that it is at, and no wrap-up, but by its own end, by force, by a log-out or by a lapse', () => {
    const leaving: PresenceCommand['type'][] = [
      'ask',
      'fall_due',
      'open_session',
      'keep_connection',
      'follow_platform',
    ];
    everyChange((next, { before, command }) => {
      if (before === null || leaving.includes(command.type) || next.state === 'offline') return;
      const own = 'callId' in command ? command.callId : null;
      const has = ({ callId, second, toWrapUp }: Presence) =>
        [callId, second?.callId, ...toWrapUp.map((one) => one.callId)].filter((id) => id != null);
      if (before.second === null && before.toWrapUp.length === 0) return;
      expect(has(next)).toEqual(expect.arrayContaining(has(before).filter((id) => id !== own)));
      expect(new Set(has(next)).size).toBe(has(next).length);
    });
  });

  it('dates every move of the state, and nothing else', () => {
    everyChange((next, { before, now }) => {
      if (next.state !== before?.state) expect(next.since).toBe(now);
      expect(next.since).toBeLessThanOrEqual(now);
    });
  });

  it('does what a supervisor forces, unless the softphone is lost', () => {
    everyChange((next, { before, command }) => {
      if (command.type !== 'ask' || !command.force || next.platform !== null) return;
      // Freed from a call of a softphone that is gone, of an agent whom the platform has as offline:
      // nobody is there any more.
      if (before?.platform?.state === 'offline' && next.state === 'offline' && command.wanted.state !== 'offline')
        return expect(before.sessionId).toBeNull();
      if (next.reason === 'connection_lost') expect(next.connection).toBe('lost');
      else expect(next).toMatchObject({ state: command.wanted.state, pending: null });
    });
  });

  it('leaves nothing overdue but a record check once what is due was settled', () => {
    everyChange((next, { now }) => {
      const due = decidePresence(next, { type: 'fall_due' }, now + 1);
      const after = due.kind === 'changed' ? due.next : next;
      const deadline = nextDeadline(after);
      if (after.state !== 'on_call' && deadline !== null) expect(deadline).toBeGreaterThan(now + 1);
      expect(decidePresence(after, { type: 'fall_due' }, now + 1).kind).not.toBe('changed');
    });
  });

  it('ends offline when no softphone comes back', () => {
    fc.assert(
      fc.property(stories, fc.array(fc.integer({ min: 1, max: 90_000 }), { maxLength: 20 }), (steps, waits) => {
        const story = play(steps);
        if (story.presence === null) return;
        const lease = story.presence.lease;
        const lost = lease && decidePresence(story.presence, { type: 'lose_connection', lease }, story.now);
        let presence = lost && lost.kind === 'changed' ? lost.next : story.presence;
        let now = story.now;
        for (const wait of [...waits, platformSilenceMs, logoutAfterMs]) {
          now += wait;
          const decision = decidePresence(presence, { type: 'fall_due' }, now);
          if (decision.kind === 'changed') presence = decision.next;
        }
        expect(presence).toMatchObject({ state: 'offline', callId: null, lease: null });
        expect(nextDeadline(presence)).toBeNull();
      }),
      { numRuns },
    );
  });

  it('walks every pair of states in the table', () => {
    const walked = new Set<string>();
    const sample = fc.sample(stories, { numRuns: 5_000, seed: 7 });
    for (const { before, decision } of sample.flatMap((steps) => play(steps).turns)) {
      if (decision.kind === 'changed') walked.add(`${before?.state ?? 'offline'} → ${decision.next.state}`);
    }
    const table = Object.entries(agentTransitions).flatMap(([from, moves]) =>
      Object.values(moves).flatMap((targets: readonly AgentState[]) => targets.map((to) => `${from} → ${to}`)),
    );
    expect([...walked]).toEqual(expect.arrayContaining(table));
  });
});
