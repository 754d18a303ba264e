import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview } from '../../../../../src/contract/integrations.ts';
import type { CrmProvider, CtiConnector } from '../../../../../src/contract/vocabulary.ts';
import { StepPanel } from './StepPanel.tsx';
import { labelNote } from './integrationQueries.ts';

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
      title="Which CRM do you work with?"
      note="It is named in every webhook, so that a receiver knows where the call came from."
      actions={<Button type="submit">Continue</Button>}
      onSubmit={() => (choice.provider === null ? setLacking(true) : onNext())}
    >
      <Select
        label="CRM"
        description={labelNote(t, providers, choice.provider)}
        placeholder="Choose one"
        data={providers.map(({ id, name }) => ({ value: id, label: name }))}
        value={choice.provider}
        onChange={(id) => onChange({ ...choice, provider: providers.find((entry) => entry.id === id)?.id ?? null })}
        error={isLacking && choice.provider === null ? 'Choose a CRM; what is not listed is a Custom CRM.' : null}
        allowDeselect={false}
        withAsterisk
        maw={420}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Select
        label="CTI connector"
        description={labelNote(t, connectors, choice.connector) ?? 'The telephony platform that takes part beside the softphone'}
        data={connectors.map(({ id, name }) => ({ value: id, label: name }))}
        value={choice.connector}
        onChange={(id) => onChange({ ...choice, connector: connectors.find((entry) => entry.id === id)?.id ?? 'none' })}
        allowDeselect={false}
        maw={420}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </StepPanel>
  );
}
