import type { TelephonyMode } from '../contract/vocabulary.ts';

/** How the agents of a company telephone, as it is stored. */
export type Telephony = {
  mode: TelephonyMode;
  /** Set whenever `mode` is `sip`. */
  sipWssUrl: string | null;
  /** Null: the host of `sipWssUrl`. */
  sipDomain: string | null;
  /** The list with its credentials, sealed as one text. Null: none. */
  iceServersEncrypted: string | null;
  /** 5 to 300; null: the usual. */
  noAnswerSeconds: number | null;
  /** Null: the usual. */
  deskPhoneScheme: 'tel' | 'sip' | null;
  /** Null: nothing was ever set. */
  updatedAt: Date | null;
};

/** How long an outbound call rings, where nothing else is set. */
export const usualNoAnswerSeconds = 60;
/** The link for desk phones, where nothing else is set. */
export const usualDeskPhoneScheme = 'tel';
