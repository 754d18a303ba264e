import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { IntegrationView } from '../../../../../src/contract/integrations.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { integrationQuery, useUpdateIntegration } from '../connect/integrationQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';

/** Whose pages may hold the pop page in a frame. */
export function PopPageFrames() {
  const { t } = useTranslation();
  const query = useQuery(integrationQuery);
  return (
    <Section title={t('platforms.popPage.title')} note={t('platforms.popPage.note')}>
      <Loaded query={query}>{({ integration }) => <Frames integration={integration} />}</Loaded>
    </Section>
  );
}

function Frames({ integration: { pop_frame_ancestors: origins } }: { integration: IntegrationView }) {
  const { t } = useTranslation();
  const record = useRecordForm(
    { pop_frame_ancestors: origins },
    {
      action: useUpdateIntegration(),
      body: (_changes, values) => values,
      fieldOf: (path) => path.replace(/\..*$/, ''),
      onSaved: () => toast(t('platforms.popPage.saved')),
    },
  );
  return (
    <RecordPanel record={record} fields={['pop_frame_ancestors']} gap="xs">
      <TagsInput
        label={t('platforms.popPage.origins')}
        description={t('platforms.popPage.hint')}
        placeholder="https://desktop.example.com"
        acceptValueOnBlur
        {...record.form.getInputProps('pop_frame_ancestors')}
      />
    </RecordPanel>
  );
}
