import { useEffect, useState } from 'react';
import { Center, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SignInForm } from '../../shared/SignInForm.tsx';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useSignIn } from '../../lib/gateway/signIn.ts';
import { Crm } from './Crm.tsx';

type Props = {
  /** Null: the address held no passwords. */
  entering: Promise<void> | null;
};

/** A CRM of a company that does not exist, with the softphone beside it: the main job in less than a minute. */
export function DemoPage({ entering }: Props) {
  const { t } = useTranslation();
  const signIn = useSignIn();
  const [isEntering, setEntering] = useState(entering !== null);
  /** Why the passwords of the address were not taken; null: nobody has said so. */
  const [refusal, setRefusal] = useState<unknown>(null);

  useEffect(() => {
    entering?.catch((error: unknown) => setRefusal(error)).finally(() => setEntering(false));
  }, [entering]);

  if (isEntering) {
    return (
      <Center mih="60vh">
        <Loader aria-label={t('demo.signingIn')} />
      </Center>
    );
  }
  if (signIn === null) {
    const notice = refusal === null ? t('demo.signIn') : t('demo.linkRefused', { why: messageOf(t, refusal) });
    return <SignInForm title={t('demo.title')} notice={notice} />;
  }
  return <Crm key={signIn.agent.id} signIn={signIn} />;
}
