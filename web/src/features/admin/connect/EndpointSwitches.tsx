import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { UpdateIntegrationRequest, WebhookStatus } from '../../../../../src/contract/integrations.ts';
import { useUpdateIntegration } from './integrationQueries.ts';
import { Confirm } from '../components/Confirm.tsx';
import { toast } from '../components/toast.ts';

type Step = 'disabling' | 'removing';

const bodies: Record<Step, UpdateIntegrationRequest> = { disabling: { webhook_enabled: false }, removing: { webhook_url: null } };

type Props = { webhook: WebhookStatus };

/** Whether webhooks are sent: now, later, or not at all. */
export function EndpointSwitches({ webhook: { condition } }: Props) {
  const { t } = useTranslation();
  const change = useUpdateIntegration();
  const [asked, setAsked] = useState<Step | null>(null);
  // The dialog keeps its words while it fades out.
  const [last, setLast] = useState<Step>('disabling');

  function ask(step: Step): void {
    change.reset();
    setLast(step);
    setAsked(step);
  }

  function enable(): void {
    change.run({ webhook_enabled: true }, { onSuccess: () => toast(t('admin.connect.switch.enabled')) });
  }

  return (
    <Group gap="xs">
      {condition !== 'healthy' && (
        <Button size="xs" onClick={enable} loading={change.isPending && asked === null}>
          {t(condition === 'disabled' ? 'admin.connect.switch.enable' : 'admin.connect.switch.resume')}
        </Button>
      )}
      {condition !== 'disabled' && (
        <Button size="xs" variant="default" onClick={() => ask('disabling')}>
          {t('admin.connect.switch.disabling.action')}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => ask('removing')}>
        {t('admin.connect.switch.removing.action')}
      </Button>
      <Confirm
        isOpen={asked !== null}
        title={t(`admin.connect.switch.${last}.title`)}
        action={t(`admin.connect.switch.${last}.action`)}
        isBusy={change.isPending}
        error={change.error}
        onClose={() => setAsked(null)}
        onConfirm={() =>
          change.run(bodies[last], {
            onSuccess: () => {
              setAsked(null);
              toast(t(`admin.connect.switch.${last}.done`));
            },
          })
        }
      >
        <Text size="sm">{t(`admin.connect.switch.${last}.text`)}</Text>
      </Confirm>
    </Group>
  );
}
