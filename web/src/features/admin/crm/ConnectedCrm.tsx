import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { CrmConnectionView } from '../../../../../src/contract/crm.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Facts } from '../components/Facts.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { StateBadge } from '../components/StateBadge.tsx';
import { toast } from '../components/toast.ts';
import { useAsked } from '../components/useAsked.ts';
import { Abilities } from './Abilities.tsx';
import { ConnectForm } from './ConnectForm.tsx';
import { CrmProblem, CrmTrouble } from './CrmTrouble.tsx';
import { CrmSettings } from './CrmSettings.tsx';
import { LogInButton } from './LogInButton.tsx';
import { LiveTest } from './LiveTest.tsx';
import { type ConnectableCrm, type useCheckCrm, useConnectCrm } from './crmQueries.ts';

type Props = {
  provider: ConnectableCrm;
  connection: CrmConnectionView;
  /** Whether it is being asked what the gateway may do there, and what it told. */
  check: ReturnType<typeof useCheckCrm>;
};

/** Everything about the connection to a CRM. */
export function ConnectedCrm({ provider, connection, check }: Props) {
  return (
    <>
      <Standing provider={provider} connection={connection} check={check} />
      <LiveTest name={provider.name} />
      <CrmSettings provider={provider} connection={connection} />
      <Credentials provider={provider} onReplaced={() => check.run()} />
    </>
  );
}

const colors = { connected: 'teal', needs_attention: 'red', needs_login: 'orange' } as const;

/** Who the gateway is there, what it may do, and the way out. */
function Standing({ provider, connection, check }: Props) {
  const { t } = useTranslation();
  const disconnect = useConnectCrm();
  const { isOpen, ask, close } = useAsked(null, disconnect);
  const { name } = provider;

  return (
    <Section
      title={name}
      actions={<StateBadge color={colors[connection.state]}>{t(`admin.crm.state.${connection.state}`)}</StateBadge>}
    >
      <CrmTrouble connection={connection} />
      <Facts
        labelWidth="120px"
        gap="xs"
        facts={[
          [t('admin.crm.reads.account'), connection.account],
          [t('admin.crm.reads.since'), <Moment key="since" at={connection.connected_at} />],
        ]}
      />
      <div aria-live="polite">
        {check.isPending && (
          <Text size="sm" c="dimmed">
            {t('admin.crm.check.waiting', { name })}
          </Text>
        )}
        {check.data !== undefined && <Abilities check={check.data} name={name} />}
      </div>
      <CrmProblem error={check.error} />
      <Group gap="xs">
        {connection.can_log_in && <LogInButton provider={provider} isAgain={connection.state === 'connected'} />}
        <Button
          size="xs"
          variant="default"
          disabled={connection.state === 'needs_login'}
          loading={check.isPending}
          onClick={() => check.run()}
        >
          {t('admin.crm.check.run')}
        </Button>
        <Button size="xs" variant="default" onClick={() => ask(null)}>
          {t('admin.crm.disconnect.action')}
        </Button>
      </Group>
      <Confirm
        isOpen={isOpen}
        title={t('admin.crm.disconnect.title', { name })}
        action={t('admin.crm.disconnect.action')}
        isBusy={disconnect.isPending}
        error={disconnect.error}
        onClose={close}
        onConfirm={() =>
          disconnect.run(
            { provider: provider.id, credentials: null },
            { onSuccess: () => toast(t('admin.crm.disconnect.done', { name })) },
          )
        }
      >
        <Text size="sm">{t('admin.crm.disconnect.text', { name })}</Text>
      </Confirm>
    </Section>
  );
}

/** What the gateway signs in with: never shown, replaced as a whole. */
function Credentials({ provider, onReplaced }: { provider: ConnectableCrm; onReplaced: () => void }) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Section
      title={t('admin.crm.credentials.title')}
      note={t('admin.crm.credentials.note', { name: provider.name })}
      actions={
        <Button size="xs" variant="default" onClick={isOpen ? close : open} aria-expanded={isOpen}>
          {t(isOpen ? 'admin.common.cancel' : 'admin.crm.credentials.change')}
        </Button>
      }
    >
      {isOpen && (
        <ConnectForm
          provider={provider}
          isReplacing
          onConnected={(isLogIn) => {
            close();
            if (isLogIn) return toast(t('admin.crm.logIn.stored', { name: provider.name }));
            onReplaced();
            toast(t('admin.crm.credentials.replaced'));
          }}
        />
      )}
    </Section>
  );
}
