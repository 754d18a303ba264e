import type { Caller } from '../phone/phone.ts';

/** What the agent hears that is no voice. */
export type Sounds = {
  /** Somebody calls; the other side is being called. Until `silence`. */
  ring(which: 'incoming' | 'outgoing'): void;
  silence(): void;
};

/** The one call at this page's telephone. */
export type Voice = {
  /** The gateway's id of it; null: the gateway does not know it (yet). */
  callId: string | null;
  /** `recovering`: a call of the page before this one, or of another tab, is being fetched. */
  phase: 'outgoing' | 'incoming' | 'connected' | 'recovering';
  /** Who called, where it was not the agent. */
  caller: Caller | null;
  /** The gateway has no place for it, such as for a caller without a number. */
  isUnrecorded: boolean;
  isMuted: boolean;
  isHeld: boolean;
  /** Another tab has it now; nothing of it is this page's business any more. */
  isGiven: boolean;
  /** Since when it rings or is connected. Milliseconds since the epoch, by this machine's clock. */
  since: number;
};
