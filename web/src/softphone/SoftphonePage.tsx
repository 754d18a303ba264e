import { useState } from 'react';
import { SignInForm } from '../shared/SignInForm.tsx';
import { setSignIn, useSignIn } from '../shared/signIn.ts';
import { SignedIn } from './SignedIn.tsx';

/** The page at `/`: asks who it is, then is that agent's softphone. */
export function SoftphonePage() {
  const signIn = useSignIn();
  const [notice, setNotice] = useState<string>();
  if (signIn === null) return <SignInForm title="Readyline softphone" notice={notice} />;
  return (
    <SignedIn
      key={signIn.agent.id}
      signIn={signIn}
      onRefused={(why) => {
        setNotice(why);
        setSignIn(null);
      }}
      onSignedOut={() => {
        setNotice(undefined);
        setSignIn(null);
      }}
    />
  );
}
