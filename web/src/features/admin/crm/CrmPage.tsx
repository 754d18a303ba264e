import { lazy, Suspense } from 'react';
import { Alert, Box, Grid, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { Loaded, Waiting } from '../components/Loaded.tsx';
import { Page, ReloadButton, Section } from '../components/Page.tsx';
import { integrationQuery, partnerName } from '../connect/integrationQueries.ts';
import { askToLeave } from '../../../shared/form/leaveGuard.ts';
import { ConnectForm } from './ConnectForm.tsx';
import { ConnectedCrm } from './ConnectedCrm.tsx';
import { connectable, type ConnectableCrm, crmQuery, type CrmView, useCheckCrm } from './crmQueries.ts';
import { LogInOutcome } from './LogInOutcome.tsx';
import { CrmWebhooks } from './CrmWebhooks.tsx';
import classes from './CrmPage.module.css';

const ProviderGuide = lazy(async () => ({ default: (await import('./ProviderGuide.tsx')).ProviderGuide }));

/** Connects one CRM, its guide beside the fields; once connected, everything about the connection. */
export function CrmPage() {
  const { t } = useTranslation();
  const overview = useQuery(integrationQuery);
  const crm = useQuery(crmQuery);
  return (
    <Page title={t('admin.crm.title')} actions={<ReloadButton query={crm} />}>
      <Loaded query={overview}>
        {(data) => <Loaded query={crm}>{(view) => <OneCrm overview={data} crm={view} />}</Loaded>}
      </Loaded>
    </Page>
  );
}

type Props = { overview: IntegrationOverview; crm: CrmView };

function OneCrm({ overview, crm: { connection, inbound = [] } }: Props) {
  const { t, i18n } = useTranslation();
  const [params, setParams] = useSearchParams();
  const check = useCheckCrm();
  const all = connectable(overview);
  const asked = params.get('provider') ?? connection?.provider ?? overview.integration.crm_provider;
  const provider = all.find(({ id }) => id === asked) ?? null;

  function choose(id: string | null): void {
    if (id === null || id === provider?.id) return;
    askToLeave(() => {
      check.reset();
      setParams({ provider: id }, { replace: true });
    });
  }

  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack>
          <LogInOutcome
            outcome={params.get('crm')}
            reason={params.get('reason')}
            isConnected={connection?.state === 'connected'}
          />
          <Section title={t('admin.crm.choose.title')} note={t('admin.crm.choose.note')}>
            <Select
              label={t('admin.connect.crm.crm')}
              placeholder={t('admin.connect.choose.one')}
              data={all.map((one) => ({ value: one.id, label: partnerName(t, one) }))}
              value={provider?.id ?? null}
              onChange={choose}
              allowDeselect={false}
              maw={420}
            />
          </Section>
          {provider !== null &&
            (connection?.provider === provider.id ? (
              <ConnectedCrm key={provider.id} provider={provider} connection={connection} check={check} />
            ) : (
              <>
                {connection !== null && (
                  <Alert variant="light" color="orange" role="note">
                    {t('admin.crm.choose.replaces', { name: connection.name, other: provider.name })}
                  </Alert>
                )}
                <NewConnection
                  key={provider.id}
                  provider={provider}
                  onConnected={(isLogIn) => (isLogIn ? undefined : check.run())}
                />
              </>
            ))}
          {provider !== null && provider.inbound != null && (
            <CrmWebhooks
              key={`notices of ${provider.id}`}
              provider={provider}
              address={inbound.find((one) => one.provider === provider.id) ?? null}
            />
          )}
        </Stack>
      </Grid.Col>
      {provider !== null && (
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Box className={classes.guide ?? ''} tabIndex={0}>
            <Section
              title={t('admin.crm.guide.title', { name: partnerName(t, provider) })}
              {...(i18n.language === 'en' ? {} : { note: t('admin.crm.guide.inEnglish') })}
            >
              <Suspense fallback={<Waiting />}>
                <ProviderGuide key={provider.id} id={provider.id} />
              </Suspense>
            </Section>
          </Box>
        </Grid.Col>
      )}
    </Grid>
  );
}

type NewConnectionProps = { provider: ConnectableCrm; onConnected: (isLogIn: boolean) => void };

function NewConnection({ provider, onConnected }: NewConnectionProps) {
  const { t } = useTranslation();
  const name = partnerName(t, provider);
  return (
    <Section title={t('admin.crm.connect.title', { name })} note={t('admin.crm.connect.note', { name })}>
      <ConnectForm provider={provider} onConnected={onConnected} />
    </Section>
  );
}
