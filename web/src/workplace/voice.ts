import type { CallView } from '../../../src/contract/calls.ts';
import type { Caller, PhoneDialog, VoiceTrouble } from '../phone/phone.ts';

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
  /** What the gateway told of it last; null: nothing. */
  record: CallView | null;
  /** `recovering`: a call of the page before this one, or of another tab, is being fetched. */
  phase: 'outgoing' | 'incoming' | 'connected' | 'recovering';
  /** Who called, where it was not the agent. */
  caller: Caller | null;
  /** The agent has said yes to the caller; the telephone is about to be through. */
  isAnswering: boolean;
  /** The network plays its own ringing tone, or an announcement. */
  hasRingBack: boolean;
  /** What is to be fetched; null: nothing, or it is not known yet. */
  fetches: PhoneDialog | null;
  /** The telephone is taking it over. */
  isFetching: boolean;
  /** The gateway has no place for it, or counts it as over while they talk. */
  isUnrecorded: boolean;
  isMuted: boolean;
  /** What is wrong with the voice; null: nothing. */
  trouble: VoiceTrouble | null;
  isHeld: boolean;
  /** The other side holds the call: nobody there hears the agent. The gateway is not told, the agent is. */
  isHeldByOther: boolean;
  /** Another tab may fetch it; what it tells is not this page's business any more. */
  isGiven: boolean;
  /** Since when it rings or is connected. Milliseconds since the epoch, by this machine's clock. */
  since: number;
};
