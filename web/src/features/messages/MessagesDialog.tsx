import { Modal, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SentMessages } from './SentMessages.tsx';
import { WriteMessage } from './WriteMessage.tsx';

type Props = { agent: { id: string; name: string } | null; onClose: () => void };

/** Writing to agents, and what was written so far. */
export function MessagesDialog({ agent, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('messages.title')}
      size="lg"
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': t('messages.close') }}
    >
      <Stack gap="lg">
        <WriteMessage agent={agent} />
        <SentMessages />
      </Stack>
    </Modal>
  );
}
