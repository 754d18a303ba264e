import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CrmProblem } from './CrmTrouble.tsx';
import { type ConnectableCrm, useLogIn } from './crmQueries.ts';

/** Sends this browser to the provider, which sends it back to this page. */
export function LogInButton({ provider }: { provider: ConnectableCrm }) {
  const { t } = useTranslation();
  const logIn = useLogIn();
  return (
    <>
      <Button size="xs" loading={logIn.isPending || logIn.data !== undefined} onClick={() => logIn.run(provider.id, { onSuccess: ({ url }) => window.location.assign(url) })}>
        {t('admin.crm.logIn.action', { name: provider.name })}
      </Button>
      <CrmProblem error={logIn.error} />
    </>
  );
}
