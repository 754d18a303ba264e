import { useCallback, useState } from 'react';
import { setSignIn, setStoredSignIn, type SignIn, signOutEverywhere, useSignIn } from '../../lib/gateway/signIn.ts';
import { SignInForm } from '../../shared/SignInForm.tsx';
import { ElsewhereScreen } from './OpenElsewhere.tsx';
import { SignedIn } from './SignedIn.tsx';

/**
 * The page at `/`: asks who it is, then is that agent's softphone. Where a log-in ends in mid-call, the softphone stays
 * until the call is over and told, or the same agent has logged in again.
 */
export function SoftphonePage() {
  const signIn = useSignIn();
  const [notice, setNotice] = useState<string>();
  const [engaged, setEngaged] = useState<SignIn | null>(null);
  const leave = useCallback((why?: string) => {
    setNotice(why);
    setSignIn(null);
  }, []);
  const signedOut = useCallback((isPassive: boolean) => {
    setNotice(undefined);
    if (isPassive) setSignIn(null);
    else signOutEverywhere();
  }, []);
  const shown = signIn ?? engaged;
  if (shown === null) return <SignInForm title="Readyline softphone" notice={notice} />;
  if (shown.isElsewhere === true) {
    const takeOver = () => setStoredSignIn({ ...shown, isElsewhere: false });
    return <ElsewhereScreen name={shown.agent.name} onTakeOver={takeOver} onSomebodyElse={() => leave()} />;
  }
  return (
    <SignedIn
      key={shown.agent.id}
      signIn={shown}
      hasEnded={signIn === null}
      onEngaged={setEngaged}
      onRefused={leave}
      onSignedOut={signedOut}
    />
  );
}
