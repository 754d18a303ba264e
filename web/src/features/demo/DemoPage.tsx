import { useEffect, useState } from 'react';
import { Center, Loader } from '@mantine/core';
import { SignInForm } from '../../shared/SignInForm.tsx';
import { useSignIn } from '../../lib/gateway/signIn.ts';
import { Crm } from './Crm.tsx';

type Props = {
  /** Null: the address held no passwords. */
  entering: Promise<void> | null;
};

/** A CRM of a company that does not exist, with the softphone beside it: the main job in less than a minute. */
export function DemoPage({ entering }: Props) {
  const signIn = useSignIn();
  const [isEntering, setEntering] = useState(entering !== null);
  const [notice, setNotice] = useState('Sign in as the admin of the demo company; the terminal shows the password.');

  useEffect(() => {
    entering
      ?.catch((error: unknown) => {
        const why = error instanceof Error ? error.message : 'no reason was given';
        setNotice(`The link does not fit: ${why} Sign in as the admin of the demo company.`);
      })
      .finally(() => setEntering(false));
  }, [entering]);

  if (isEntering) {
    return (
      <Center mih="60vh">
        <Loader aria-label="Signing in" />
      </Center>
    );
  }
  if (signIn === null) return <SignInForm title="Acme CRM" notice={notice} />;
  return <Crm key={signIn.agent.id} signIn={signIn} />;
}
