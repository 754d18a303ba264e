import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AccountFieldView, PlatformAgentView } from '../../../../../src/contract/ctiConnections.ts';
import { platformName } from '../../../../../src/contract/platforms.ts';
import { toast } from '../components/toast.ts';
import { AccountForm, Verdict } from './AccountForm.tsx';
import { useSetAgentAccount } from './platformQueries.ts';

type Props = {
  connector: string;
  fields: readonly AccountFieldView[];
  agent: PlatformAgentView;
  /** As the list names the agent. */ who: string;
};

/** What an agent logs in with at a platform that dials for nobody else. It is tried when it is saved. */
export function AgentAccount({ connector, fields, agent: { account, platform_id: platformId }, who }: Props) {
  const { t } = useTranslation();
  const name = platformName(connector);
  const set = useSetAgentAccount(connector, platformId);
  const settings = account?.settings ?? null;
  return (
    <AccountForm
      title={t('platforms.agents.login.title', { who, name })}
      fields={fields}
      settings={settings}
      save={set}
      onSaved={() => toast(t('platforms.account.saved'))}
      actions={() => (
        <Button
          variant="default"
          disabled={settings === null || set.isPending}
          onClick={() =>
            set.run(null, {
              onSuccess: () => {
                set.reset();
                toast(t('platforms.agents.login.removed'));
              },
            })
          }
        >
          {t('platforms.agents.login.remove')}
        </Button>
      )}
    >
      <Verdict name={name} found={set.data} />
    </AccountForm>
  );
}
