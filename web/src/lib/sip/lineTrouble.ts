import type { Refused } from './microphone.ts';
import type { PhoneLine } from './phone.ts';

/** Why the phone cannot be used. */
export type Trouble = Extract<PhoneLine, { state: 'unavailable' }>;

/** Browsers give microphones to secure pages only. */
export const insecurePage: Trouble = { state: 'unavailable', why: 'insecure_page', retrying: false };

export const connectionLost: Trouble = { state: 'unavailable', why: 'connection_lost', retrying: true };

/** The settings are no address, or the SIP library could not be loaded. */
export function notStarted(error: unknown): Trouble {
  return { state: 'unavailable', why: 'not_started', reason: error instanceof Error ? error.message : '', retrying: false };
}

/** @param why what is the matter with the microphone */
export function noMicrophone(why: Refused): Trouble {
  return { state: 'unavailable', why, retrying: false };
}

/** @param code of the network's answer to REGISTER; null: there was none */
export function registrationRefused(code: number | null): Trouble {
  if (code === null) return { state: 'unavailable', why: 'registration_refused', retrying: true };
  const why = code >= 400 && code < 500 ? 'account_refused' : 'registration_refused_with';
  return { state: 'unavailable', why, sipCode: code, retrying: true };
}
