import type { SessionTelephony } from '../../../src/contract/telephony.ts';
import type { KeyValueStore } from '../phone/keyValueStore.ts';
import type { Phone } from '../phone/phone.ts';
import type { Channel } from './handover.ts';
import type { LeftDialog } from './leftDialog.ts';
import type { Timers } from './timers.ts';
import type { Sounds } from './voice.ts';

/** What a workplace is given of the page that it is in. */
export type AgentWorkplaceNeeds = {
  /** Where the gateway is, e.g. `https://gateway.example.com`. */
  url: string;
  /** From the log-in. */
  token: string;
  /** Finds the session of the page before this one in the same tab. */
  session: () => Promise<string | undefined>;
  makePhone: (telephony: SessionTelephony) => Phone;
  /** Of this tab, for the page that follows this one in it. */
  store: KeyValueStore;
  /** Of the agent's pages in all tabs of this browser. */
  left: LeftDialog;
  /** Reaches the other tabs of this browser; null: there is no way. */
  channel: Channel | null;
  timers: Timers;
  sounds: Sounds;
  /** Called with the session that this page has now. */
  onSession: (session: string) => void;
  onEnd: (how: 'signed_out' | 'left') => void;
};
