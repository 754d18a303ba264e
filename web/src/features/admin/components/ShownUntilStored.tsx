import type { ReactNode } from 'react';
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { askToLeave, useLeaveGuard } from '../../../shared/form/leaveGuard.ts';

type Props = {
  isShown: boolean;
  /** It may be on its way. */
  isExpected: boolean;
  /** Forgets what was shown. */
  onStored: () => void;
  children: ReactNode;
};

/** Shows something secret and new until it is said to be stored; the page is not left by mistake before. */
export function ShownUntilStored({ isShown, isExpected, onStored, children }: Props) {
  const { t } = useTranslation();
  useLeaveGuard(isShown ? 'notYetStored' : isExpected ? 'beingMade' : null);
  const leave = () => askToLeave(onStored);
  return (
    <Modal
      opened={isShown}
      onClose={leave}
      title={t('admin.connect.shown.title')}
      size="lg"
      centered
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert variant="light" icon={<IconEye size={18} />} role="note">
          {t('admin.connect.shown.text')}
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            {t('admin.common.done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
