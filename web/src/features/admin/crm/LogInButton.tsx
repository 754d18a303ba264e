import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CrmProblem } from './CrmTrouble.tsx';
import { type ConnectableCrm, useLogIn } from './crmQueries.ts';

type Props = {
  provider: ConnectableCrm;
  /** Somebody has logged in before; what they let the gateway do goes on until it is replaced. */
  isAgain?: boolean;
};

/** Sends this browser to the provider, which sends it back to this page. */
export function LogInButton({ provider, isAgain = false }: Props) {
  const { t } = useTranslation();
  const logIn = useLogIn();
  return (
    <>
      <Button
        size="xs"
        variant={isAgain ? 'default' : 'filled'}
        loading={logIn.isPending || logIn.data !== undefined}
        onClick={() => logIn.run(provider.id, { onSuccess: ({ url }) => window.location.assign(url) })}
      >
        {t(isAgain ? 'admin.crm.logIn.actionAgain' : 'admin.crm.logIn.action', { name: provider.name })}
      </Button>
      <CrmProblem error={logIn.error} />
    </>
  );
}
