import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { useEditing } from './editing.ts';

/**
 * Asks before a form is left for another page of the area, or the window is closed, while something in it is not saved.
 */
export function AskBeforeLeaving({ isTyped }: { isTyped: boolean }) {
  const { t } = useTranslation();
  useEditing(isTyped);
  // To the softphone alone, the form stays behind its tab.
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next }) => isTyped && here.pathname !== next.pathname,
  );
  useEffect(() => {
    if (!isTyped) return undefined;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', stay);
    return () => removeEventListener('beforeunload', stay);
  }, [isTyped]);
  const isAsked = blocker.state === 'blocked';
  return (
    <Modal
      opened={isAsked}
      onClose={() => blocker.reset?.()}
      title={t('crmArea.leave.title')}
      centered
      closeButtonProps={{ 'aria-label': t('crmArea.leave.stay') }}
    >
      <Stack>
        <Text size="sm">{t('crmArea.leave.text')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            {t('crmArea.leave.leave')}
          </Button>
          <Button data-autofocus onClick={() => blocker.reset?.()}>
            {t('crmArea.leave.stay')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
