import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setSignIn, setStoredSignIn, type SignIn, signOutEverywhere, useSignIn } from '../../lib/gateway/signIn.ts';
import type { Refusal } from '../../../../src/contract/socket.ts';
import { refusalText } from '../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { SignInForm } from '../../shared/SignInForm.tsx';
import { ElsewhereScreen } from './OpenElsewhere.tsx';
import { SignedIn } from './SignedIn.tsx';

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
  if (shown === null) return <SignInForm title={t('softphone.title')} notice={ended === null ? undefined : endText(t, ended.why)} />;
  if (shown.isElsewhere === true) {
    const takeOver = () => setStoredSignIn({ ...shown, isElsewhere: false });
    return <ElsewhereScreen name={shown.agent.name} onTakeOver={takeOver} onSomebodyElse={() => leave(null)} />;
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
  return t('softphone.notice.signInAgain', { why: why === null ? t('softphone.notice.logInEnded') : refusalText(t, why) });
}
