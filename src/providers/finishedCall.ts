import type { Direction, EndReason } from '../contract/vocabulary.ts';

/** A call that has ended, as it is to be logged. */
export type FinishedCall = {
  /** Of the gateway; marks the entry in the CRM, so that it is found again. */
  id: string;
  direction: Direction;
  /** E.164, or what the network told of the caller. */
  from: string;
  to: string;
  /**
   * Of an inbound call, the number that the customer called, and what the company calls that line. Null: not told,
   * or it has no name. Gateways of before wrote neither.
   */
  dialedNumber?: string | null;
  line?: string | null;
  /** Where it waited; null: not told. Likewise. */
  queue?: string | null;
  /** SIP’s Call-ID; null: not told. Likewise. */
  sipCallId?: string | null;
  startedAt: Date;
  /** Null: nobody answered. */
  answeredAt: Date | null;
  endedAt: Date;
  /** From the answer to the end, in whole seconds; 0 where nobody answered. */
  durationSeconds: number;
  endReason: EndReason;
  /** Why, more closely, such as `answered_elsewhere`. Gateways of before wrote none. */
  endDetail?: string | null;
  /**
   * Whom the agent handed it on to: E.164, or as it was dialed; null: nobody, or not told.
   * Gateways of before wrote none.
   */
  transferredTo?: string | null;
  /** The name of the colleague who handed it on to this agent; null: nobody did. Likewise. */
  transferredFrom?: string | null;
  /** `externalValue`: what the admin mapped the code to in the provider's own list. */
  disposition: { code: string; label: string; externalValue: string | null } | null;
  notes: string | null;
  /** What the agent marked it with, as people read it. Gateways of before wrote none. */
  tags?: readonly string[];
  /** `ownerId`: the agent's user in the CRM, found by e-mail; null: there is none. */
  agent: { name: string; ownerId: string | null };
};
