import type { PhoneLine } from './phone.ts';

/** Why the telephone cannot be used. */
export type Trouble = Extract<PhoneLine, { state: 'unavailable' }>;

/** Browsers give microphones to secure pages only. */
export const insecurePage: Trouble = {
  state: 'unavailable',
  why: 'insecure_page',
  detail: 'The browser gives no microphone to a page without https. Ask your admin for the https address of this page.',
  retrying: false,
};

export const connectionLost = trouble(
  'connection_lost',
  'The telephone network cannot be reached. It is tried again by itself.',
);

/** The settings are no address, or the SIP library could not be loaded. */
export function notStarted(error: unknown): Trouble {
  const why = error instanceof Error ? error.message : '';
  return { ...trouble('connection_lost', `The telephone could not be started (${why}). Reload the page.`), retrying: false };
}

/** @param detail what to do about it */
export function noMicrophone(detail: string): Trouble {
  return { ...trouble('no_microphone', detail), retrying: false };
}

/** @param code of the network's answer to REGISTER; null: there was none */
export function registrationRefused(code: number | null): Trouble {
  const told = code === null ? '' : ` (${code})`;
  const isAccount = code !== null && code >= 400 && code < 500;
  const detail = isAccount
    ? `The telephone network refuses your account${told}. Ask your admin to check your SIP user and secret.`
    : `The telephone network does not take your registration now${told}. It is tried again by itself.`;
  return trouble('registration_refused', detail);
}

function trouble(why: Trouble['why'], detail: string): Trouble {
  return { state: 'unavailable', why, detail, retrying: true };
}
