import { Alert, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { Problem } from '../components/Loaded.tsx';
import { askToLeave, useLeaveGuard } from '../shell/leaveGuard.tsx';
import { Secrets } from './ShownOnce.tsx';
import { StepPanel } from './StepPanel.tsx';
import { useUpdateIntegration } from './integrationQueries.ts';

type Props = { saved: SavedIntegration; onRotated: (saved: SavedIntegration) => void; onStored: () => void };

/** The key and the secret, shown this once. */
export function KeyStep({ saved, onRotated, onStored }: Props) {
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
            onClick={() => rotate.run({ rotate_api_key: true }, { onSuccess: (next) => onRotated({ ...saved, ...next }) })}
          >
            {t('admin.connect.keyStep.make')}
          </Button>
          <Problem error={rotate.error} />
        </Alert>
      )}
    </StepPanel>
  );
}
