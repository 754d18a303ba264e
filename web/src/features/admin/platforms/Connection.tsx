import { useState } from 'react';
import { Button, DataList, Select, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type CtiConnectionView, type DialVia, dialVias } from '../../../../../src/contract/ctiConnections.ts';
import { platformName } from '../../../../../src/contract/platforms.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
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
  const [asked, setAsked] = useState<Step | null>(null);
  // The dialog keeps its words while it fades out.
  const [last, setLast] = useState<Step>('renew');
  const [showsAgents, setShowsAgents] = useState(false);
  const [showsSteps, setShowsSteps] = useState(lastReceivedAt === null);

  function ask(step: Step): void {
    remove.reset();
    setLast(step);
    setAsked(step);
  }

  function confirm(): void {
    const close = () => setAsked(null);
    if (last === 'renew') onRenew(close);
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
        <DataList>
          <DataList.Item>
            <DataList.ItemLabel>{t('platforms.address')}</DataList.ItemLabel>
            <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{url}</DataList.ItemValue>
          </DataList.Item>
          <DataList.Item>
            <DataList.ItemLabel>{t('platforms.heard')}</DataList.ItemLabel>
            <DataList.ItemValue>
              {lastReceivedAt === null ? t('platforms.never') : <Moment at={lastReceivedAt} />}
            </DataList.ItemValue>
          </DataList.Item>
        </DataList>
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
        isOpen={asked !== null}
        title={t(`platforms.${last}.title`, { name })}
        action={t(`platforms.${last}.action`)}
        isBusy={renewing.isPending || remove.isPending}
        error={last === 'renew' ? renewing.error : remove.error}
        onConfirm={confirm}
        onClose={() => setAsked(null)}
      >
        {t(`platforms.${last}.text`, { name })}
      </Confirm>
    </Section>
  );
}
