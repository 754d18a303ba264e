import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CtiConnectionView } from '../../../../../src/contract/ctiConnections.ts';
import { platformName } from '../../../../../src/contract/platforms.ts';
import { Problem } from '../components/Loaded.tsx';
import { toast } from '../components/toast.ts';
import { AccountForm, Verdict } from './AccountForm.tsx';
import { useCheckAccount, useSaveAccount } from './platformQueries.ts';

type Props = { connector: string; account: NonNullable<CtiConnectionView['account']> };

/** The company's account at a platform, and whether the platform takes it. */
export function Account({ connector, account: { fields, settings, agent_fields: agentFields } }: Props) {
  const { t } = useTranslation();
  const name = platformName(connector);
  const save = useSaveAccount(connector);
  const check = useCheckAccount(connector);
  const isTried = agentFields.length === 0;
  return (
    <AccountForm
      title={t('platforms.account.title', { name })}
      fields={fields}
      settings={settings}
      save={save}
      onSaved={() => {
        // It was about the account of before.
        check.reset();
        toast(t('platforms.account.saved'));
      }}
      actions={(isChanged) =>
        isTried && (
          <Button
            variant="default"
            disabled={settings === null || isChanged}
            loading={check.isPending}
            onClick={() => check.run()}
          >
            {t('platforms.account.check')}
          </Button>
        )
      }
    >
      {!isTried && <Text size="sm">{t('platforms.account.ofAgents', { name })}</Text>}
      <Problem error={check.error} />
      <Verdict name={name} found={check.data} />
    </AccountForm>
  );
}
