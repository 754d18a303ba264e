import { useSyncExternalStore } from 'react';
import type { LoginAnswer, SignedInAgent } from '../../../src/contract/auth.ts';

/** Who is signed in on this tab. `expiresAt`: ISO 8601. */
export type SignIn = { token: string; expiresAt: string; agent: SignedInAgent };

/**
 * Kept in the tab's session storage: it survives a reload, ends with the tab, is shared with no other tab, and works
 * in a CRM's iframe, where browsers refuse cookies (docs/decisions/0017).
 */
const softphoneKey = 'readyline.sign-in';
/** A page that holds the softphone in an iframe shares its storage, and keeps a sign-in of its own: `<html data-sign-in>`. */
const storageKey = document.documentElement.dataset['signIn'] ?? softphoneKey;
const listeners = new Set<() => void>();
let current = read();

function read(): SignIn | null {
  const text = sessionStorage.getItem(storageKey);
  if (text === null) return null;
  const stored = JSON.parse(text) as SignIn;
  return Date.parse(stored.expiresAt) > Date.now() ? stored : null;
}

/** Null: nobody. */
export function signedIn(): SignIn | null {
  return current;
}

function signInOf({ token, expires_at, agent }: LoginAnswer): SignIn {
  return { token, expiresAt: expires_at, agent };
}

/** Takes the answer of a log-in, or null to sign out. */
export function setSignIn(answer: LoginAnswer | null): void {
  current = answer === null ? null : signInOf(answer);
  if (current === null) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, JSON.stringify(current));
  for (const listener of listeners) listener();
}

/** Signs in on the softphone that this tab will hold in an iframe. */
export function signInSoftphone(answer: LoginAnswer): void {
  sessionStorage.setItem(softphoneKey, JSON.stringify(signInOf(answer)));
}

/** The sign-in, and a rendering for each change of it. */
export function useSignIn(): SignIn | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, signedIn);
}
