import { useEffect } from 'react';
import type { SignIn } from '../../lib/gateway/signIn.ts';
import { setSoftphoneHere } from '../../lib/gateway/signInSharing.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { SoftphoneScreen } from './SoftphoneScreen.tsx';
import { useRun } from './useRun.ts';
import { useView, useOpenWorkplace } from './useOpenWorkplace.ts';
import { WorkplaceContext } from '../workplace/workplaceContext.ts';

type Props = {
  signIn: SignIn;
  /** The log-in has ended; a call still needs the page. */
  hasEnded: boolean;
  /** The gateway does not take this agent's log-in any more. */
  onRefused: (why: string) => void;
  /** Whose call needs the page, with or without a log-in; null: nobody's. */
  onEngaged: (whose: SignIn | null) => void;
  /** `isPassive`: another tab is the softphone, and goes on. */
  onSignedOut: (isPassive: boolean) => void;
};

/** The softphone of an agent who is signed in. */
export function SignedIn(props: Props) {
  const workplace = useOpenWorkplace(props.signIn);
  return workplace === null ? null : <AtWork workplace={workplace} {...props} />;
}

function AtWork({ workplace, signIn, hasEnded, onRefused, onEngaged, onSignedOut }: Props & { workplace: Workplace }) {
  const view = useView(workplace);
  const { run, problem, forget } = useRun();
  const refusal = view.line === 'refused' ? (view.refusal?.detail ?? 'Your log-in has ended.') : null;
  const { isEngaged } = view;
  const isHere = view.line !== 'replaced' && view.line !== 'refused' && view.line !== 'closed';
  useEffect(() => {
    setSoftphoneHere(isHere);
    return () => setSoftphoneHere(false);
  }, [isHere]);
  // In this order: the page is kept for a call before the log-in is given up.
  useEffect(() => onEngaged(isEngaged ? signIn : null), [isEngaged, signIn, onEngaged]);
  useEffect(() => {
    if (refusal !== null) onRefused(`${refusal} Sign in again.`);
  }, [refusal, onRefused]);

  function signOut(): void {
    const isPassive = view.line === 'replaced';
    run(async () => {
      await workplace.signOut();
      onSignedOut(isPassive);
    });
  }

  return (
    <WorkplaceContext value={{ workplace, view, agentId: signIn.agent.id, run }}>
      <SoftphoneScreen signIn={signIn} hasEnded={hasEnded} problem={problem} onForgetProblem={forget} onSignOut={signOut} />
    </WorkplaceContext>
  );
}
