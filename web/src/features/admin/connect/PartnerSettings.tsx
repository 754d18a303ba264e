import { Button, Select, SimpleGrid } from '@mantine/core';
import { Link } from 'react-router';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { bareDigitsRules } from '../../../../../src/contract/vocabulary.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { mentions } from '../../../shared/foldText.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { useCountryOptions } from '../components/countries.ts';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { connectorNote, crmNote, crmStanding, partnerName, useUpdateIntegration } from './integrationQueries.ts';

type Props = { overview: IntegrationOverview };

const options = (t: Translate, catalog: readonly { id: string; name: string }[]) =>
  catalog.map((entry) => ({ value: entry.id, label: partnerName(t, entry) }));

/** Which CRM and connector, what fills a screen pop, and the country of national numbers. */
export function PartnerSettings({ overview }: Props) {
  const { t } = useTranslation();
  const { integration, providers, cti_connectors: connectors, modes } = overview;
  const { crm_provider, cti_connector, mode, default_country, bare_digits } = integration;
  const record = useRecordForm(
    { crm_provider, cti_connector, mode, default_country, bare_digits },
    {
      action: useUpdateIntegration(),
      body: (changes) => changes,
      onSaved: () => toast(t('admin.connect.crm.saved')),
    },
  );
  const { form } = record;
  const countryOptions = useCountryOptions();

  return (
    <Section
      title={t('admin.connect.crm.title')}
      actions={<ToCrm overview={overview} chosen={form.values.crm_provider} />}
    >
      <RecordPanel record={record} fields={Object.keys(form.values)}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={t('admin.connect.crm.crm')}
            data={options(t, providers)}
            description={crmNote(t, overview, form.values.crm_provider)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('crm_provider')}
            allowDeselect={false}
          />
          <Select
            label={t('admin.connect.crm.connector')}
            data={options(t, connectors)}
            description={connectorNote(t, overview, form.values.cti_connector)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('cti_connector')}
            placeholder={t('admin.connect.crm.noneChosen')}
            allowDeselect={false}
          />
          <Select
            label={t('admin.connect.crm.mode')}
            data={options(t, modes)}
            {...form.getInputProps('mode')}
            allowDeselect={false}
          />
          <Select
            label={t('admin.connect.crm.country')}
            description={t('admin.connect.crm.countryHint')}
            data={countryOptions}
            {...form.getInputProps('default_country')}
            placeholder={t('admin.connect.crm.countryNone')}
            searchable
            filter={({ options, search }) =>
              options.filter((option) => 'label' in option && mentions([option.label], search))
            }
            clearable
            clearButtonProps={{ 'aria-label': t('admin.connect.crm.noCountry') }}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <Select
            label={t('admin.connect.crm.digits')}
            description={t('admin.connect.crm.digitsHint')}
            data={bareDigitsRules.map((value) => ({ value, label: t(`admin.connect.crm.digitsAre.${value}`) }))}
            {...form.getInputProps('bare_digits')}
            allowDeselect={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        </SimpleGrid>
      </RecordPanel>
    </Section>
  );
}

type ToCrmProps = { overview: IntegrationOverview; chosen: string | null };

/** The way to the page that connects the chosen CRM, and keeps its settings. */
function ToCrm({ overview, chosen }: ToCrmProps) {
  const { t } = useTranslation();
  const crm = overview.providers.find(({ id, credentials }) => id === chosen && credentials !== null);
  if (crm === undefined) return null;
  const isConnected = ['connected', 'needs_attention', 'needs_login'].includes(crmStanding(overview, crm.id));
  return (
    <Button
      component={Link}
      to={`/connect/crm?provider=${crm.id}`}
      size="xs"
      variant={isConnected || crm.id === 'custom' ? 'default' : 'filled'}
    >
      {t(isConnected ? 'admin.connect.crm.look' : 'admin.connect.crm.connect', { name: partnerName(t, crm) })}
    </Button>
  );
}
