import { createContext, useContext } from 'react';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';

/** Who is signed in to the console, and the way out. */
export const AccountContext = createContext<{ agent: SignedInAgent; onSignOut: () => void } | null>(null);

/** For components inside the console only. */
export function useAccount(): { agent: SignedInAgent; onSignOut: () => void } {
  const account = useContext(AccountContext);
  if (account === null) throw new Error('nobody is signed in around this component');
  return account;
}
