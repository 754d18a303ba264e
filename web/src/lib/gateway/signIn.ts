import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { LoginAnswer, SignedInAgent } from '../../../../src/contract/auth.ts';

/**
 * Who is signed in on this tab. `expiresAt`: ISO 8601. `isElsewhere`: it was handed over by the tab that is this
 * person's softphone, and this one is to be none until it is told to.
 */
export type SignIn = { token: string; expiresAt: string; agent: SignedInAgent; isElsewhere?: boolean };

/**
 * Kept in the tab's session storage: it survives a reload, ends with the tab, and works in a CRM's iframe,
 * where browsers refuse cookies (docs/decisions/0017). Other tabs get it by asking; see signInSharing.
 */
const softphoneKey = 'readyline.sign-in';
/**
 * A page that holds the softphone in an iframe shares its storage,
 * and keeps a sign-in of its own: `<html data-sign-in>`.
 */
const storageKey = document.documentElement.dataset['signIn'] ?? softphoneKey;
const kindByPath = /^\/(?:admin|crm)(?:\/|$)/.test(location.pathname) ? 'console' : 'softphone';
/** Pages of one kind share their sign-in over all tabs: who opens the console need not be who telephones. */
export const pageKind = storageKey === softphoneKey ? kindByPath : storageKey;
let tellSignOut: (agentId: string) => void = () => {};
const store = createStore<{ signIn: SignIn | null }>(() => ({ signIn: read() }));

function read(): SignIn | null {
  const text = sessionStorage.getItem(storageKey);
  if (text === null) return null;
  const stored = JSON.parse(text) as SignIn;
  return Date.parse(stored.expiresAt) > Date.now() ? stored : null;
}

/** Null: nobody. */
export function signedIn(): SignIn | null {
  return store.getState().signIn;
}

function signInOf({ token, expires_at, agent }: LoginAnswer): SignIn {
  return { token, expiresAt: expires_at, agent };
}

/** Takes the answer of a log-in, or null where it is not taken any more. */
export function setSignIn(answer: LoginAnswer | null): void {
  setStoredSignIn(answer === null ? null : signInOf(answer));
}

/** The person wants to be signed out, in every tab. */
export function signOutEverywhere(): void {
  const agentId = signedIn()?.agent.id;
  setStoredSignIn(null);
  if (agentId !== undefined) tellSignOut(agentId);
}

/** @param tell called with the agent's id when the person of this tab signs out */
export function onSignOut(tell: (agentId: string) => void): void {
  tellSignOut = tell;
}

/** Takes a sign-in as another tab has it; null: nobody is signed in here any more. */
export function setStoredSignIn(signIn: SignIn | null): void {
  if (signIn === null) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, JSON.stringify(signIn));
  store.setState({ signIn });
}

/** Signs in on the softphone that this tab will hold in an iframe. */
export function signInSoftphone(answer: LoginAnswer): void {
  sessionStorage.setItem(softphoneKey, JSON.stringify(signInOf(answer)));
}

/** The sign-in, and a rendering for each change of it. */
export function useSignIn(): SignIn | null {
  return useStore(store, ({ signIn }) => signIn);
}
