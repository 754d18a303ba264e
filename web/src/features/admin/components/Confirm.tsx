import type { ReactNode } from 'react';
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Problem } from './Loaded.tsx';

type Props = {
  isOpen: boolean;
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** What the button does. */
  action: string;
  isBusy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that cannot be undone, and says what it will do. Once it is being done, it stays to toast. */
export function Confirm({ isOpen, title, children, action, isBusy, error, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      centered
      closeOnEscape={!isBusy}
      closeOnClickOutside={!isBusy}
      withCloseButton={!isBusy}
    >
      <Stack>
        <div>{children}</div>
        <Problem error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isBusy} data-autofocus>
            {t('admin.common.cancel')}
          </Button>
          <Button color="red" loading={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
