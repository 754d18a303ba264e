import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Refusal } from '../../../../src/contract/socket.ts';
import type { SignIn } from '../../lib/gateway/signIn.ts';
import { setSoftphoneHere } from '../../lib/gateway/signInSharing.ts';
import { createWorkplace } from '../workplace/createWorkplace.ts';
import type { Workplace, WorkplaceView } from '../workplace/workplace.ts';
import { WorkplaceContext } from '../workplace/workplaceContext.ts';
import { failureText } from '../calls/phoneWords.ts';
import { SoftphoneScreen } from './SoftphoneScreen.tsx';

type Props = {
  signIn: SignIn;
  /** The log-in has ended; a call still needs the page. */
  hasEnded: boolean;
  /** The gateway does not take this agent's log-in any more. */
  onRefused: (why: Refusal | null) => void;
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
  const { t } = useTranslation();
  const view = useView(workplace);
  const { run, problem, forget } = useRun();
  const { refusal } = view;
  const isRefused = view.line === 'refused';
  const { isEngaged } = view;
  const isHere = view.line !== 'replaced' && view.line !== 'refused' && view.line !== 'closed';
  useEffect(() => {
    setSoftphoneHere(isHere);
    return () => setSoftphoneHere(false);
  }, [isHere]);
  // In this order: the page is kept for a call before the log-in is given up.
  useEffect(() => onEngaged(isEngaged ? signIn : null), [isEngaged, signIn, onEngaged]);
  useEffect(() => {
    if (isRefused) onRefused(refusal);
  }, [isRefused, refusal, onRefused]);

  function signOut(): void {
    const isPassive = view.line === 'replaced';
    run(async () => {
      await workplace.signOut();
      onSignedOut(isPassive);
    });
  }

  return (
    <WorkplaceContext value={{ workplace, view, agentId: signIn.agent.id, run }}>
      <SoftphoneScreen signIn={signIn} hasEnded={hasEnded} problem={problem === null ? null : failureText(t, problem)} onForgetProblem={forget} onSignOut={signOut} />
    </WorkplaceContext>
  );
}

/** Does what an agent asked for, and keeps why it was refused until the next request or until it is forgotten. */
function useRun(): { run: (what: () => Promise<unknown>) => void; problem: unknown; forget: () => void } {
  const [problem, setProblem] = useState<unknown>(null);
  const run = useCallback((what: () => Promise<unknown>) => {
    setProblem(null);
    what().catch((error: unknown) => setProblem(error));
  }, []);
  const forget = useCallback(() => setProblem(null), []);
  return { run, problem, forget };
}

/** Opens the workplace of who is signed in, for as long as the component lives. Null: about to be. */
function useOpenWorkplace({ token, agent }: SignIn): Workplace | null {
  const [workplace, setWorkplace] = useState<Workplace | null>(null);
  // A renewed token is handed to the workplace that is there.
  const [firstToken] = useState(token);
  useEffect(() => {
    let opened: Workplace | null = null;
    // In a moment: an effect that is undone at once, as React does in development, opens nothing.
    const opening = setTimeout(() => {
      opened = createWorkplace({ url: location.origin, token: firstToken, agentId: agent.id });
      setWorkplace(opened);
    });
    return () => {
      clearTimeout(opening);
      opened?.close();
    };
  }, [firstToken, agent.id]);
  return workplace;
}

/** What it looks like, and a rendering for each change of it. */
function useView(workplace: Workplace): WorkplaceView {
  const subscribe = useCallback((listener: () => void) => workplace.subscribe(listener), [workplace]);
  return useSyncExternalStore(subscribe, () => workplace.view());
}
