import type { CallView } from '../../../../src/contract/calls.ts';

/** A call as it was played: what its record has to tell. */
export type Played = {
  phone: string;
  /** Whose record it is. */
  agentId: string;
  direction: CallView['direction'];
  trigger: CallView['trigger'];
  wasAnswered: boolean;
  endReason: NonNullable<CallView['end_reason']>;
  endedBy: NonNullable<CallView['ended_by']>;
  endDetail: string | null;
  transferredTo: string | null;
  /** Of a call that was handed on, or asked about: the agent who did so. */
  from: string | null;
  /** How often it was put on hold. */
  holds: number;
  /** Null: it is not wrapped up. */
  disposition: { label: string; notes: string } | null;
  /** When the test had the call answered, and when it saw that it was over. Milliseconds since the epoch. */
  answeredAfter: number;
  endedBefore: number;
};

/** What most calls have in common. */
const usual = {
  trigger: 'click_to_dial',
  wasAnswered: true,
  endReason: 'completed',
  endedBy: 'agent',
  endDetail: null,
  transferredTo: null,
  from: null,
  holds: 0,
  disposition: null,
} as const satisfies Partial<Played>;

/** All calls of a shift as they were played. */
export class Ledger {
  readonly calls: Played[] = [];
  #customers = 0;
  #notes = 0;

  /** Of a customer of whom nobody knows yet. None of them ends as a number that the PBX itself would answer. */
  newNumber(): string {
    this.#customers += 1;
    return `+1555200${String(1_010 + this.#customers)}`;
  }

  /** Notes of their own for each call. */
  newNotes(): string {
    this.#notes += 1;
    return `What was said, ${String(this.#notes)}.`;
  }

  begin(call: Pick<Played, 'phone' | 'agentId' | 'direction'> & Partial<Played>): Played {
    const played: Played = {
      ...usual,
      ...(call.direction === 'inbound' ? { trigger: 'inbound_ring' as const } : {}),
      answeredAfter: 0,
      endedBefore: 0,
      ...call,
    };
    this.calls.push(played);
    return played;
  }
}
