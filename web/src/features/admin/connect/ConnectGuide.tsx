import { useState } from 'react';
import { Alert, Button, Stepper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { IntegrationOverview, SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { Problem } from '../components/Loaded.tsx';
import { askToLeave, useLeaveGuard } from '../../../shared/form/leaveGuard.ts';
import { ChooseStep } from './ChooseStep.tsx';
import { DoneStep } from './DoneStep.tsx';
import { Secrets } from './ShownOnce.tsx';
import { StepPanel } from './StepPanel.tsx';
import { TestStep } from './TestWebhook.tsx';
import { WebhookStep } from './WebhookStep.tsx';
import { useGuideForm } from './guideForm.ts';
import { useUpdateIntegration } from './integrationQueries.ts';

type Props = { overview: IntegrationOverview; onDone: () => void };

/** The path of a company that connects for the first time. What it is shown once leaves with the step that shows it. */
export function ConnectGuide({ overview, onDone }: Props) {
  const { t } = useTranslation();
  const { integration } = overview;
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
        <ChooseStep {...{ overview, form }} onNext={() => setStep(1)} />
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
        <DoneStep overview={overview} onDone={onDone} />
      </Stepper.Completed>
    </Stepper>
  );
}

type KeyStepProps = { saved: SavedIntegration; onRotated: (saved: SavedIntegration) => void; onStored: () => void };

/** The key and the secret, shown this once. */
function KeyStep({ saved, onRotated, onStored }: KeyStepProps) {
  const { t } = useTranslation();
  const rotate = useUpdateIntegration();
  const hasSecrets = saved.api_key !== undefined || saved.webhook_secret !== undefined;
  useLeaveGuard(rotate.isPending ? 'beingMade' : hasSecrets ? 'notYetStored' : null);
  return (
    <StepPanel
      title={t('admin.connect.keyStep.title')}
      note={t('admin.connect.keyStep.note')}
      actions={<Button type="submit">{t('admin.common.continue')}</Button>}
      onSubmit={() => askToLeave(onStored)}
    >
      <Secrets saved={saved} />
      {saved.api_key === undefined && (
        <Alert variant="light" title={t('admin.connect.keyStep.hasTitle')}>
          <Text size="sm" mb="xs">
            {t('admin.connect.keyStep.has', { prefix: saved.integration.api_key_prefix ?? '' })}
          </Text>
          <Button
            size="xs"
            variant="default"
            loading={rotate.isPending}
            onClick={() =>
              rotate.run({ rotate_api_key: true }, { onSuccess: (next) => onRotated({ ...saved, ...next }) })
            }
          >
            {t('admin.connect.keyStep.make')}
          </Button>
          <Problem error={rotate.error} />
        </Alert>
      )}
    </StepPanel>
  );
}
