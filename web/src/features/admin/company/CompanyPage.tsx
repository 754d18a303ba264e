import { Checkbox, NumberInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Trans, useTranslation } from 'react-i18next';
import { Suspense } from 'react';
import type { CompanyView } from '../../../../../src/contract/companies.ts';
import {
  callbackAssignees,
  contactScopes,
  languages,
  listeningRules,
  standardNotReadyReasons,
} from '../../../../../src/contract/vocabulary.ts';
import { lazyPart } from '../../../lib/i18n/lazyPart.tsx';
import { languageNames } from '../../../lib/i18n/languages.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { companyQuery } from '../../../shared/sharedQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Page, Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { CodeListForm } from './CodeListForm.tsx';
import { useUpdateCompany } from './companyQueries.ts';
import { WallboardLimits } from './WallboardLimits.tsx';

/** With the texts of the softphone's own. */
const NumberList = lazyPart(
  async () => (await import('./NumberList.tsx')).NumberList,
  async () => ({ dialing: (await import('../../../locales/en/dialing.json')).default }),
);

const OutgoingNumbers = lazyPart(
  async () => (await import('./OutgoingNumbers.tsx')).OutgoingNumbers,
  async () => ({ dialing: (await import('../../../locales/en/dialing.json')).default }),
);

/** How the company's calls are wrapped up, and why agents are Not Ready. */
export function CompanyPage() {
  const { t } = useTranslation();
  const company = useQuery(companyQuery);
  return (
    <Page title={t('admin.pages.company')} isNarrow>
      <Loaded query={company}>
        {(data) => (
          <>
            <CompanyForm company={data} />
            <WallboardLimits company={data} />
            <CodeListForm field="dispositions" note={t('admin.company.dispositions.note')} stored={data.dispositions} />
            <CodeListForm field="tags" note={t('admin.company.tags.note')} stored={data.tags} />
            <CodeListForm field="skip_reasons" note={t('admin.company.skip_reasons.note')} stored={data.skip_reasons} />
            <Suspense fallback={null}>
              <NumberList company={data} field="lines" />
              <OutgoingNumbers company={data} />
              <NumberList company={data} field="speed_dials" />
            </Suspense>
            <CodeListForm
              field="not_ready_reasons"
              note={
                <Trans
                  t={t}
                  i18nKey="admin.company.not_ready_reasons.note"
                  values={{ codes: standardNotReadyReasons.join(', ') }}
                  components={{ codes: <Text span ff="monospace" size="sm" /> }}
                />
              }
              stored={data.not_ready_reasons}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type CompanyFormProps = { company: CompanyView };

/** The company's name, and how long agents have after a call. */
function CompanyForm({ company }: CompanyFormProps) {
  const { t } = useTranslation();
  const record = useRecordForm(
    {
      name: company.name,
      wrap_up_seconds: company.wrap_up_seconds,
      wrap_up_max_seconds: company.wrap_up_max_seconds,
      language: company.language,
      contact_scope: company.contact_scope,
      callback_assignee: company.callback_assignee,
      call_waiting: company.call_waiting,
      preview_dial: company.preview_dial,
      free_tags: company.free_tags,
      listening: company.listening,
    },
    {
      action: useUpdateCompany(),
      body: (changes) => changes,
      onSaved: () => toast(t('admin.company.saved')),
    },
  );
  const { form } = record;

  return (
    <Section title={t('admin.company.title')}>
      <RecordPanel record={record} fields={Object.keys(form.values)}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t('admin.company.name')}
            description={t('admin.company.slug', { slug: company.slug })}
            {...form.getInputProps('name')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <NumberInput
            label={t('admin.company.wrapUp')}
            description={t('admin.company.wrapUpHint')}
            {...form.getInputProps('wrap_up_seconds')}
            onChange={(value) => form.setFieldValue('wrap_up_seconds', typeof value === 'number' ? value : 0)}
            min={0}
            max={3600}
            allowDecimal={false}
            allowLeadingZeros={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <NumberInput
            label={t('admin.company.longest')}
            description={t('admin.company.longestHint')}
            {...form.getInputProps('wrap_up_max_seconds')}
            onChange={(value) => form.setFieldValue('wrap_up_max_seconds', typeof value === 'number' ? value : 0)}
            min={0}
            max={3600}
            allowDecimal={false}
            allowLeadingZeros={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <Select
            label={t('admin.company.language')}
            description={t('admin.company.languageHint')}
            placeholder={languageNames.en}
            data={languages.map((language) => ({ value: language, label: languageNames[language] }))}
            {...form.getInputProps('language')}
            clearable
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <Select
            label={t('admin.company.contactScope')}
            description={t('admin.company.contactScopeHint')}
            data={contactScopes.map((scope) => ({ value: scope, label: t(`admin.company.contactScopes.${scope}`) }))}
            {...form.getInputProps('contact_scope')}
            allowDeselect={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <Select
            label={t('admin.company.callbackAssignee')}
            description={t('admin.company.callbackAssigneeHint')}
            data={callbackAssignees.map((assignee) => ({
              value: assignee,
              label: t(`admin.company.callbackAssignees.${assignee}`),
            }))}
            {...form.getInputProps('callback_assignee')}
            allowDeselect={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <Select
            label={t('admin.company.listening')}
            description={t('admin.company.listeningHint')}
            data={listeningRules.map((rule) => ({ value: rule, label: t(`admin.company.listeningRules.${rule}`) }))}
            {...form.getInputProps('listening')}
            allowDeselect={false}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <Checkbox
            label={t('admin.company.callWaiting')}
            description={t('admin.company.callWaitingHint')}
            {...form.getInputProps('call_waiting', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('admin.company.previewDial')}
            description={t('admin.company.previewDialHint')}
            {...form.getInputProps('preview_dial', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('admin.company.freeTags')}
            description={t('admin.company.freeTagsHint')}
            {...form.getInputProps('free_tags', { type: 'checkbox' })}
          />
        </SimpleGrid>
      </RecordPanel>
    </Section>
  );
}
