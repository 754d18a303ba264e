import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import type { CrmProvider, CtiConnector } from '../../../../../src/contract/vocabulary.ts';
import { StepPanel } from './StepPanel.tsx';
import { labelNote, partnerName } from './integrationQueries.ts';

export type Choice = { provider: CrmProvider | null; connector: CtiConnector };

type Props = {
  providers: IntegrationOverview['providers'];
  connectors: IntegrationOverview['cti_connectors'];
  choice: Choice;
  onChange: (choice: Choice) => void;
  onNext: () => void;
};

/** Which CRM, and what the agents telephone with. */
export function ChooseStep({ providers, connectors, choice, onChange, onNext }: Props) {
  const { t } = useTranslation();
  const [isLacking, setLacking] = useState(false);
  return (
    <StepPanel
      title={t('admin.connect.choose.title')}
      note={t('admin.connect.choose.note')}
      actions={<Button type="submit">{t('admin.common.continue')}</Button>}
      onSubmit={() => (choice.provider === null ? setLacking(true) : onNext())}
    >
      <Select
        label={t('admin.connect.crm.crm')}
        description={labelNote(t, providers, choice.provider)}
        placeholder={t('admin.connect.choose.one')}
        data={providers.map((entry) => ({ value: entry.id, label: partnerName(t, entry) }))}
        value={choice.provider}
        onChange={(id) => onChange({ ...choice, provider: providers.find((entry) => entry.id === id)?.id ?? null })}
        error={isLacking && choice.provider === null ? t('admin.connect.choose.lacking') : null}
        allowDeselect={false}
        withAsterisk
        maw={420}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Select
        label={t('admin.connect.crm.connector')}
        description={labelNote(t, connectors, choice.connector) ?? t('admin.connect.choose.connectorHint')}
        data={connectors.map((entry) => ({ value: entry.id, label: partnerName(t, entry) }))}
        value={choice.connector}
        onChange={(id) => onChange({ ...choice, connector: connectors.find((entry) => entry.id === id)?.id ?? 'none' })}
        allowDeselect={false}
        maw={420}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </StepPanel>
  );
}
