import { NumberInput, Radio, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import type { CrmConnectionView, LoggedCalls } from '../../../../../src/contract/crm.ts';
import { dispositionLabel } from '../../../shared/dispositionLabel.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { companyQuery } from '../../../shared/sharedQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { type ConnectableCrm, useConnectCrm } from './crmQueries.ts';
import { inWords } from './fieldTexts.ts';
import { fieldSets, initialValues } from './schemaFields.ts';
import { SchemaFields } from './SchemaFields.tsx';

type Props = { provider: ConnectableCrm; connection: CrmConnectionView };

/** What the admin chooses of a connection that stands. */
export function CrmSettings({ provider, connection }: Props) {
  const { t } = useTranslation();
  const company = useQuery(companyQuery);
  return (
    <Section title={t('admin.crm.settings.title')}>
      <Loaded query={company}>
        {(data) => <SettingsForm provider={provider} connection={connection} dispositions={data.dispositions} />}
      </Loaded>
    </Section>
  );
}

const choices = ['all', 'answered', 'none'] as const satisfies readonly LoggedCalls[];

type SettingsFormProps = Props & { dispositions: CompanyView['dispositions'] };

function SettingsForm({ provider, connection, dispositions }: SettingsFormProps) {
  const { t } = useTranslation();
  const [own = []] = fieldSets(provider.options);
  const record = useRecordForm(
    {
      minutes: connection.keep_seconds / 60,
      log_calls: connection.log_calls,
      dispositions: Object.fromEntries(dispositions.map(({ code }) => [code, connection.dispositions[code] ?? ''])),
      options: { ...initialValues([own]), ...connection.options },
    },
    {
      action: useConnectCrm(),
      body: (_changes, { minutes, log_calls, dispositions: mapped, options }) => ({
        provider: provider.id,
        keep_seconds: Math.round(minutes * 60),
        log_calls,
        dispositions: Object.fromEntries(
          Object.entries(mapped).flatMap(([code, value]) => (value.trim() === '' ? [] : [[code, value.trim()]])),
        ),
        ...(own.length === 0 ? {} : { options }),
      }),
      fieldOf: (path) => (path === 'keep_seconds' ? 'minutes' : path),
      onSaved: () => toast(t('admin.crm.settings.saved')),
    },
  );
  const { form } = record;

  return (
    <RecordPanel record={record} fields={['keep_seconds', 'log_calls', 'dispositions', 'options']} gap="md">
      <NumberInput
        label={t('admin.crm.settings.keep')}
        description={t('admin.crm.settings.keepHint', { name: provider.name })}
        suffix={t('admin.crm.settings.minutes')}
        {...form.getInputProps('minutes')}
        onChange={(value) => form.setFieldValue('minutes', typeof value === 'number' ? value : 0)}
        min={0}
        max={1440}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maw={420}
      />
      <Radio.Group label={t('admin.crm.settings.log')} {...form.getInputProps('log_calls')}>
        <Stack gap={6} mt={6}>
          {choices.map((choice) => (
            <Radio key={choice} value={choice} label={t(`admin.crm.settings.logs.${choice}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.log_calls !== 'none' && (
        <div>
          <Text size="sm" fw={500}>
            {t('admin.crm.settings.dispositions')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('admin.crm.settings.dispositionsHint', { name: provider.name })}
          </Text>
          <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('admin.crm.settings.ours')}</Table.Th>
                <Table.Th>{t('admin.crm.settings.theirs', { name: provider.name })}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {dispositions
                .map((disposition) => ({ code: disposition.code, label: dispositionLabel(t, disposition) }))
                .map(({ code, label }) => (
                  <Table.Tr key={code}>
                    <Table.Td pr="sm">{label}</Table.Td>
                    <Table.Td>
                      <TextInput
                        aria-label={t('admin.crm.settings.valueOf', { name: provider.name, disposition: label })}
                        {...form.getInputProps(`dispositions.${code}`)}
                        spellCheck={false}
                      />
                    </Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {own.length > 0 && (
        <SchemaFields
          fields={own.map((field) => inWords(t, provider.id, field))}
          bind={(name) => form.getInputProps(`options.${name}`)}
        />
      )}
    </RecordPanel>
  );
}
