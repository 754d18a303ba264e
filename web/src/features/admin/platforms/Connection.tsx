import { useState } from 'react';
import { Button, Select, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type CtiConnectionView, type DialVia, dialVias } from '../../../../../src/contract/ctiConnections.ts';
import { platformName } from '../../../../../src/contract/platforms.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Facts } from '../components/Facts.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { useAsked } from '../components/useAsked.ts';
import { Account } from './Account.tsx';
import { PlatformAgents } from './PlatformAgents.tsx';
import { SetUp } from './SetUp.tsx';
import { useDialVia, useListens, useRemoveConnection } from './platformQueries.ts';

type Props = {
  connection: CtiConnectionView;
  /** Makes a new address in place of this one. @param done it is made */
  onRenew: (done: () => void) => void;
  renewing: { isPending: boolean; error: unknown; reset: () => void };
};

type Step = 'renew' | 'remove';

/** One platform: whether it tells anything, who dials for its agents, and who they are. */
export function Connection({ connection, onRenew, renewing }: Props) {
  const { t } = useTranslation();
  const {
    account,
    agents,
    connector,
    dial_via: dialVia,
    last_received_at: lastReceivedAt,
    listening_error: listeningError,
    listens,
    url,
  } = connection;
  const name = platformName(connector);
  const remove = useRemoveConnection();
  const dial = useDialVia(connector);
  const listen = useListens(connector);
  const { isOpen, about: step, ask, close } = useAsked<Step>('renew', remove);
  const [showsAgents, setShowsAgents] = useState(false);
  const [showsSteps, setShowsSteps] = useState(lastReceivedAt === null);

  function confirm(): void {
    if (step === 'renew') onRenew(close);
    else {
      remove.run(connector, {
        onSuccess: () => {
          close();
          toast(t('platforms.remove.done', { name }));
        },
      });
    }
  }

  return (
    <Section
      title={name}
      actions={
        <>
          <Button size="xs" variant="default" onClick={() => ask('renew')}>
            {t('platforms.renew.action')}
          </Button>
          <Button size="xs" variant="default" onClick={() => ask('remove')}>
            {t('platforms.remove.action')}
          </Button>
        </>
      }
    >
      <Stack gap="sm">
        <Button
          size="xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          aria-expanded={showsSteps}
          onClick={() => setShowsSteps(!showsSteps)}
        >
          {t(showsSteps ? 'platforms.recipe.hide' : 'platforms.recipe.show', { name })}
        </Button>
        {showsSteps && <SetUp connector={connector} />}
        <Facts
          facts={[
            [t('platforms.address'), url],
            [
              t('platforms.heard'),
              lastReceivedAt === null ? t('platforms.never') : <Moment key="heard" at={lastReceivedAt} />,
            ],
          ]}
        />
        <Select
          label={t('platforms.dialVia.label')}
          description={t('platforms.dialVia.note', { name })}
          data={dialVias
            .filter((value) => value !== 'platform' || account !== null)
            .map((value) => ({ value, label: t(`platforms.dialVia.${value}`, { name }) }))}
          value={dialVia}
          allowDeselect={false}
          disabled={dial.isPending}
          onChange={(value) => value !== null && dial.run(value as DialVia)}
        />
        <Problem error={dial.error} />
        {account !== null && (
          <>
            {account.can_listen && (
              <Switch
                label={t('platforms.listens.label', { name })}
                description={t('platforms.listens.note')}
                checked={listens}
                disabled={listen.isPending}
                onChange={(event) => listen.run(event.currentTarget.checked)}
              />
            )}
            <Problem error={listen.error} />
            {listeningError !== null && (
              <Text size="sm" c="red" component="output">
                {t('platforms.listens.failed', { words: listeningError })}
              </Text>
            )}
            <Account connector={connector} account={account} />
          </>
        )}
        <Text size="sm">
          {t('platforms.agents.count', { mapped: agents.mapped })}
          {agents.unmapped > 0 && (
            <Text span fw={600}>
              {' '}
              {t('platforms.agents.unmapped', { unmapped: agents.unmapped })}
            </Text>
          )}
        </Text>
        {agents.mapped + agents.unmapped > 0 && (
          <Button
            size="xs"
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            aria-expanded={showsAgents}
            onClick={() => setShowsAgents(!showsAgents)}
          >
            {t(showsAgents ? 'platforms.agents.hide' : 'platforms.agents.show', { name })}
          </Button>
        )}
        {showsAgents && <PlatformAgents connector={connector} loginFields={account?.agent_fields ?? []} />}
      </Stack>
      <Confirm
        isOpen={isOpen}
        title={t(`platforms.${step}.title`, { name })}
        action={t(`platforms.${step}.action`)}
        isBusy={renewing.isPending || remove.isPending}
        error={step === 'renew' ? renewing.error : remove.error}
        onConfirm={confirm}
        onClose={close}
      >
        {t(`platforms.${step}.text`, { name })}
      </Confirm>
    </Section>
  );
}
