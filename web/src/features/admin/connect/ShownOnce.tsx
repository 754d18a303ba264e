import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SavedIntegration } from '../../../../../src/contract/integrations.ts';
import { CopyField } from '../components/Copyable.tsx';
import { askToLeave, useLeaveGuard } from '../shell/leaveGuard.tsx';

type Props = {
  saved: SavedIntegration | undefined;
  /** A key or secret may be on its way. */
  isExpected: boolean;
  /** Forgets what was shown. */
  onStored: () => void;
};

/** Shows a new key or secret until it is said to be stored; the page is not left by mistake before. */
export function ShownOnce({ saved, isExpected, onStored }: Props) {
  const { t } = useTranslation();
  const hasSecrets = saved?.api_key !== undefined || saved?.webhook_secret !== undefined;
  useLeaveGuard(hasSecrets ? 'notYetStored' : isExpected ? 'beingMade' : null);
  const leave = () => askToLeave(onStored);
  return (
    <Modal opened={hasSecrets} onClose={leave} title={t('admin.connect.shown.title')} size="lg" centered closeOnClickOutside={false}>
      <Stack>
        <Alert variant="light" icon={<IconEye size={18} />} role="note">
          {t('admin.connect.shown.text')}
        </Alert>
        {saved !== undefined && <Secrets saved={saved} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {t('admin.common.done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

type SecretsProps = { saved: SavedIntegration };

/** A key and a secret that have just been made. */
export function Secrets({ saved }: SecretsProps) {
  const { t } = useTranslation();
  return (
    <>
      {saved.api_key !== undefined && (
        <CopyField
          label={t('admin.connect.shown.key')}
          description={t('admin.connect.shown.keyHint')}
          value={saved.api_key}
        />
      )}
      {saved.webhook_secret !== undefined && (
        <CopyField
          label={t('admin.connect.shown.secret')}
          description={t('admin.connect.shown.secretHint')}
          value={saved.webhook_secret}
        />
      )}
    </>
  );
}
