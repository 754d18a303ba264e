import { Button, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { StepPanel } from './StepPanel.tsx';
import type { GuideForm } from './guideForm.ts';
import { connectorNote, crmNote, partnerName } from './integrationQueries.ts';

type Props = {
  overview: IntegrationOverview;
  form: GuideForm;
  onNext: () => void;
};

/** Which CRM, and what the agents telephone with. */
export function ChooseStep({ overview, form, onNext }: Props) {
  const { t } = useTranslation();
  return (
    <StepPanel
      title={t('admin.connect.choose.title')}
      note={t('admin.connect.choose.note')}
      actions={<Button type="submit">{t('admin.common.continue')}</Button>}
      onSubmit={() => {
        if (!form.validateField('crm_provider').hasError) onNext();
      }}
    >
      <Select
        label={t('admin.connect.crm.crm')}
        description={crmNote(t, overview, form.values.crm_provider)}
        placeholder={t('admin.connect.choose.one')}
        data={overview.providers.map((entry) => ({ value: entry.id, label: partnerName(t, entry) }))}
        {...form.getInputProps('crm_provider')}
        allowDeselect={false}
        withAsterisk
        maw={420}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Select
        label={t('admin.connect.crm.connector')}
        description={connectorNote(t, overview, form.values.cti_connector) ?? t('admin.connect.choose.connectorHint')}
        data={overview.cti_connectors.map((entry) => ({ value: entry.id, label: partnerName(t, entry) }))}
        {...form.getInputProps('cti_connector')}
        allowDeselect={false}
        maw={420}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </StepPanel>
  );
}
