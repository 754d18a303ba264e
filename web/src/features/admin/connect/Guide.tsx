import { useState } from 'react';
import { Stepper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview, SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { useLeaveGuard } from '../shell/leaveGuard.tsx';
import { ChooseStep } from './ChooseStep.tsx';
import { DoneStep } from './DoneStep.tsx';
import { useGuideForm } from './guideForm.ts';
import { KeyStep } from './KeyStep.tsx';
import { TestStep } from './TestWebhook.tsx';
import { WebhookStep } from './WebhookStep.tsx';
import { unconnectedNames } from './integrationQueries.ts';

type Props = { overview: IntegrationOverview; onDone: () => void };

/** The path of a company that connects for the first time. What it is shown once leaves with the step that shows it. */
export function Guide({ overview, onDone }: Props) {
  const { t } = useTranslation();
  const { integration, providers, cti_connectors: connectors } = overview;
  const isSmall = useMediaQuery('(max-width: 48em)') ?? false;
  const [step, setStep] = useState(0);
  const form = useGuideForm(integration);
  const { crm_provider: chosen } = form.values;
  const [saved, setSaved] = useState<SavedIntegration | null>(null);
  useLeaveGuard(step === 1 || (step === 0 && chosen !== integration.crm_provider) ? 'unsavedChanges' : null);

  function stored(): void {
    // The key is not kept on the page a moment longer than it is shown.
    if (saved !== null) setSaved({ integration: saved.integration });
    setStep(3);
  }

  /** In a panel there is room for the name of the current step alone. */
  const named = (index: number, name: string) => ({
    ...(isSmall && index !== step ? { 'aria-label': `${String(index + 1)} ${name}` } : { label: name }),
    ...(index === step ? { 'aria-current': 'step' as const } : {}),
    allowStepSelect: false,
  });

  return (
    <Stepper active={step} size="sm" iconSize={28} allowNextStepsSelect={false} wrap={false}>
      <Stepper.Step {...named(0, t('admin.connect.steps.crm'))}>
        <ChooseStep {...{ providers, connectors, form }} onNext={() => setStep(1)} />
      </Stepper.Step>
      <Stepper.Step {...named(1, t('admin.connect.steps.webhook'))}>
        <WebhookStep
          form={form}
          onBack={() => setStep(0)}
          onConnected={(answer) => {
            setSaved(answer);
            setStep(2);
          }}
        />
      </Stepper.Step>
      <Stepper.Step {...named(2, t('admin.connect.steps.key'))}>
        {saved !== null && <KeyStep saved={saved} onRotated={setSaved} onStored={stored} />}
      </Stepper.Step>
      <Stepper.Step {...named(3, t('admin.connect.steps.test'))}>
        <TestStep url={saved?.integration.webhook_url ?? null} onNext={() => setStep(4)} />
      </Stepper.Step>
      <Stepper.Completed>
        <DoneStep unconnected={unconnectedNames(saved === null ? overview : { ...overview, ...saved })} onDone={onDone} />
      </Stepper.Completed>
    </Stepper>
  );
}
