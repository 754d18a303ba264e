import type { Direction, EndReason } from '../contract/vocabulary.ts';

/** A call that has ended, as it is to be logged. */
export type FinishedCall = {
  /** Of the gateway; marks the entry in the CRM, so that it is found again. */
  id: string;
  direction: Direction;
  /** E.164, or what the network told of the caller. */
  from: string;
  to: string;
  startedAt: Date;
  /** Null: nobody answered. */
  answeredAt: Date | null;
  endedAt: Date;
  /** From the answer to the end, in whole seconds; 0 where nobody answered. */
  durationSeconds: number;
  endReason: EndReason;
  /** `externalValue`: what the admin mapped the code to in the provider's own list. */
  disposition: { code: string; label: string; externalValue: string | null } | null;
  notes: string | null;
  /** `ownerId`: the agent's user in the CRM, found by e-mail; null: there is none. */
  agent: { name: string; ownerId: string | null };
};
