import { Button } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';

const MessagesDialog = lazyPart(
  async () => (await import('./MessagesDialog.tsx')).MessagesDialog,
  async () => ({ messages: (await import('../../locales/en/messages.json')).default }),
);

/** Opens what supervisors write to agents. @param agent to whom, in the first place */
export function MessagesButton({ agent = null }: { agent?: { id: string; name: string } | null }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconMessage size="1.25em" aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t(agent === null ? 'wallboard.messages.open' : 'wallboard.messages.write')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <MessagesDialog agent={agent} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
