import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from 'react-router';
import { useStore } from 'zustand';
import { useTranslation } from 'react-i18next';
import { guard } from '../../../shared/form/leaveGuard.ts';
import { useLast } from '../components/useAsked.ts';

/** Asks before another page by link, Back or Forward, and before whatever `askToLeave` was given. */
export function LeaveDialog() {
  const { t } = useTranslation();
  const { reasons, leave } = useStore(guard);
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next, historyAction }) =>
      guard.getState().reasons.size > 0 &&
      historyAction !== 'REPLACE' &&
      (here.pathname !== next.pathname || here.search !== next.search),
  );
  const isAsked = leave !== null || blocker.state === 'blocked';
  // The dialog tells what would be lost by now.
  const reason = useLast(isAsked ? ([...reasons.values()].at(-1) ?? null) : null);

  function answer(isLeaving: boolean): void {
    guard.setState({ leave: null });
    if (blocker.state === 'blocked') (isLeaving ? blocker.proceed : blocker.reset)();
    if (isLeaving) leave?.();
  }

  return (
    <Modal
      opened={isAsked}
      onClose={() => answer(false)}
      title={reason === null ? '' : t(`admin.leave.${reason}.title`)}
      centered
      zIndex={600}
    >
      <Stack>
        <Text>{reason !== null && t(`admin.leave.${reason}.text`)}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answer(true)}>
            {reason !== null && t(`admin.leave.${reason}.leave`)}
          </Button>
          <Button data-autofocus onClick={() => answer(false)}>
            {reason !== null && t(`admin.leave.${reason}.stay`)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
