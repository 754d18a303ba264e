import { Button, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import { StepPanel } from './StepPanel.tsx';
import type { GuideForm } from './guideForm.ts';
import { labelNote, partnerName } from './integrationQueries.ts';

type Props = {
  providers: IntegrationOverview['providers'];
  connectors: IntegrationOverview['cti_connectors'];
  form: GuideForm;
  onNext: () => void;
};

/** Which CRM, and what the agents telephone with. */
export function ChooseStep({ providers, connectors, form, onNext }: Props) {
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
        description={labelNote(t, providers, form.values.crm_provider)}
        placeholder={t('admin.connect.choose.one')}
        data={providers.map((entry) => ({ value: entry.id, label: partnerName(t, entry) }))}
        {...form.getInputProps('crm_provider')}
        allowDeselect={false}
        withAsterisk
        maw={420}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Select
        label={t('admin.connect.crm.connector')}
        description={labelNote(t, connectors, form.values.cti_connector) ?? t('admin.connect.choose.connectorHint')}
        data={connectors.map((entry) => ({ value: entry.id, label: partnerName(t, entry) }))}
        {...form.getInputProps('cti_connector')}
        allowDeselect={false}
        maw={420}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </StepPanel>
  );
}
