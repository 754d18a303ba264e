import { useEffect } from 'react';
import type { SignIn } from '../shared/signIn.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { DeskPage } from './DeskPage.tsx';
import { useRun } from './useRun.ts';
import { useView, useWorkplace } from './useWorkplace.ts';
import { DeskContext } from './workplaceContext.ts';

type Props = {
  signIn: SignIn;
  /** The gateway does not take this agent's log-in any more. */
  onRefused: (why: string) => void;
  onSignedOut: () => void;
};

/** The softphone of an agent who is signed in. */
export function SignedIn(props: Props) {
  const workplace = useWorkplace(props.signIn);
  return workplace === null ? null : <AtWork workplace={workplace} {...props} />;
}

function AtWork({ workplace, signIn, onRefused, onSignedOut }: Props & { workplace: Workplace }) {
  const view = useView(workplace);
  const { run, problem, forget } = useRun();
  const refusal = view.line === 'refused' ? (view.refusal?.detail ?? 'Your log-in has ended.') : null;
  useEffect(() => {
    if (refusal !== null) onRefused(`${refusal} Sign in again.`);
  }, [refusal, onRefused]);

  function signOut(): void {
    const isHeard = view.line === 'connected';
    // Without a line the gateway logs the agent out by itself, after its grace.
    const told = isHeard ? workplace.signOut().catch(() => {}) : Promise.resolve();
    void told.finally(onSignedOut);
  }

  return (
    <DeskContext value={{ workplace, view, agentId: signIn.agent.id, run }}>
      <DeskPage signIn={signIn} problem={problem} onForgetProblem={forget} onSignOut={signOut} />
    </DeskContext>
  );
}
