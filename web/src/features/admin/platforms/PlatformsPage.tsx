import { useState } from 'react';
import { Button, EmptyState, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { platformName, platforms } from '../../../../../src/contract/platforms.ts';
import { CopyField } from '../components/Copyable.tsx';
import { Loaded, Problem } from '../components/Loaded.tsx';
import { Page, ReloadButton } from '../components/Page.tsx';
import { ShownUntilStored } from '../components/ShownUntilStored.tsx';
import { Connection } from './Connection.tsx';
import { FilledFiles } from './FilledFiles.tsx';
import { PopPageFrames } from './PopPageFrames.tsx';
import { connectionsQuery, useNewConnection } from './platformQueries.ts';

/** The telephony platforms that tell of their calls and agents: their addresses, and who their agents are. */
export function PlatformsPage() {
  const { t } = useTranslation();
  const query = useQuery(connectionsQuery);
  const make = useNewConnection();
  const [chosen, setChosen] = useState<string | null>(null);
  const issued = make.data ?? null;
  return (
    <Page title={t('admin.pages.platforms')} actions={<ReloadButton query={query} />} isNarrow>
      <Text size="sm">{t('platforms.note')}</Text>
      <Loaded query={query}>
        {(connections) => (
          <Stack gap="md">
            <Group align="flex-end" gap="xs">
              <Select
                label={t('platforms.connect.label')}
                placeholder={t('platforms.connect.hint')}
                data={platforms
                  .filter(({ id }) => connections.every(({ connector }) => connector !== id))
                  .map(({ id, name }) => ({ value: id, label: t(`platforms.names.${id}`, { name }) }))}
                value={chosen}
                onChange={setChosen}
                flex="1 1 240px"
              />
              <Button
                disabled={chosen === null}
                loading={make.isPending}
                onClick={() => chosen !== null && make.run(chosen, { onSuccess: () => setChosen(null) })}
              >
                {t('platforms.connect.action')}
              </Button>
            </Group>
            <Problem error={make.error} />
            {connections.length === 0 && (
              <EmptyState
                icon={<IconPlugConnected />}
                title={t('platforms.none.title')}
                description={t('platforms.none.text')}
              />
            )}
            {connections.map((connection) => (
              <Connection
                key={connection.connector}
                connection={connection}
                onRenew={(done) => make.run(connection.connector, { onSuccess: done })}
                renewing={make}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      <PopPageFrames />
      <ShownUntilStored isShown={issued !== null} isExpected={make.isPending} onStored={make.reset}>
        {issued !== null && (
          <>
            <Text size="sm">{t('platforms.shown.for', { name: platformName(issued.connector) })}</Text>
            <CopyField
              label={t('platforms.shown.url')}
              value={issued.url.startsWith('/') ? location.origin + issued.url : issued.url}
            />
            {issued.secret !== null && (
              <CopyField
                label={t('platforms.shown.secret')}
                description={t('platforms.shown.secretNote')}
                value={issued.secret}
              />
            )}
            <FilledFiles issued={issued} />
          </>
        )}
      </ShownUntilStored>
    </Page>
  );
}
