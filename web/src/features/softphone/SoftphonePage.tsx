import { Suspense, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Refusal } from '../../../../src/contract/socket.ts';
import { refusalText } from '../../lib/gateway/apiProblem.ts';
import { setSignIn, setStoredSignIn, type SignIn, signOutEverywhere, useSignIn } from '../../lib/gateway/signIn.ts';
import { setSoftphoneHere } from '../../lib/gateway/signInSharing.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { SignInForm } from '../../shared/lazySignIn.ts';
import { canCallAnyway } from '../calls/mayOverride.ts';
import { failureText } from '../calls/callWords.ts';
import { createWorkplace } from '../workplace/createWorkplace.ts';
import type { DialOptions, Workplace, WorkplaceView } from '../workplace/workplace.ts';
import { WorkplaceContext, type WorkplaceContextValue } from '../workplace/workplaceContext.ts';
import { BesideCrm } from './BesideCrm.tsx';
import { ElsewhereScreen } from './lazyElsewhere.ts';
import { SoftphoneScreen } from './SoftphoneScreen.tsx';

/**
 * The page at `/`: asks who it is, then is that agent's softphone. Where a log-in ends in mid-call, the softphone stays
 * until the call is over and told, or the same agent has logged in again.
 */
export function SoftphonePage() {
  const { t } = useTranslation();
  const signIn = useSignIn();
  const [ended, setEnded] = useState<{ why: Refusal | null } | null>(null);
  const [engaged, setEngaged] = useState<SignIn | null>(null);
  const leave = useCallback((by: { why: Refusal | null } | null) => {
    setEnded(by);
    setSignIn(null);
  }, []);
  const refused = useCallback((why: Refusal | null) => leave({ why }), [leave]);
  const signedOut = useCallback((isPassive: boolean) => {
    setEnded(null);
    if (isPassive) setSignIn(null);
    else signOutEverywhere();
  }, []);
  const shown = signIn ?? engaged;
  if (shown === null) {
    return (
      <Suspense fallback={null}>
        <SignInForm title={t('softphone.title')} notice={ended === null ? undefined : endText(t, ended.why)} />
      </Suspense>
    );
  }
  if (shown.isElsewhere === true) {
    const takeOver = () => setStoredSignIn({ ...shown, isElsewhere: false });
    return (
      <Suspense fallback={null}>
        <ElsewhereScreen name={shown.agent.name} onTakeOver={takeOver} onSomebodyElse={() => leave(null)} />
      </Suspense>
    );
  }
  return (
    <SignedIn
      key={shown.agent.id}
      signIn={shown}
      hasEnded={signIn === null}
      onEngaged={setEngaged}
      onRefused={refused}
      onSignedOut={signedOut}
    />
  );
}

function endText(t: Translate, why: Refusal | null): string {
  return t('softphone.notice.signInAgain', {
    why: why === null ? t('softphone.notice.logInEnded') : refusalText(t, why),
  });
}

type SignedInProps = {
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
function SignedIn(props: SignedInProps) {
  const workplace = useOpenWorkplace(props.signIn);
  return workplace === null ? null : <AtWork workplace={workplace} {...props} />;
}

function AtWork({
  workplace,
  signIn,
  hasEnded,
  onRefused,
  onEngaged,
  onSignedOut,
}: SignedInProps & { workplace: Workplace }) {
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
      <BesideCrm>
        <SoftphoneScreen
          signIn={signIn}
          hasEnded={hasEnded}
          problem={problem === null ? null : { text: failureText(t, problem.error), callAnyway: problem.callAnyway }}
          onForgetProblem={forget}
          onSignOut={signOut}
        />
      </BesideCrm>
    </WorkplaceContext>
  );
}

/**
 * Why something failed. `callAnyway`: does it again although the number is not to be called;
 * null: it is not that, or not for who is signed in.
 */
type Problem = { error: unknown; callAnyway: (() => void) | null };

/** Does what an agent asked for, and keeps why it was refused until the next request or until it is forgotten. */
function useRun(): { run: WorkplaceContextValue['run']; problem: Problem | null; forget: () => void } {
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = useCallback((what: (options: DialOptions) => Promise<unknown>) => {
    const attempt = (options: DialOptions) => {
      setProblem(null);
      what(options).catch((error: unknown) =>
        setProblem({ error, callAnyway: canCallAnyway(error) ? () => attempt({ overrideDoNotCall: true }) : null }),
      );
    };
    attempt({});
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
