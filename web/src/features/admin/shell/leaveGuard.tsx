import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useTranslation } from 'react-i18next';

/**
 * Why somebody is asked before they leave what they are at. `beingMade`: something that will be shown once,
 * whose answer reaches this page alone; `notYetStored`: it is shown, and goes away.
 */
type LeaveReason = 'unsavedChanges' | 'beingMade' | 'notYetStored';

/** Whoever has a reason not to be left, and what waits for the answer. */
type Guard = { reasons: ReadonlyMap<object, LeaveReason>; leave: (() => void) | null };
const guard = createStore<Guard>(() => ({ reasons: new Map(), leave: null }));

/** Leaves at once where nothing would be lost; otherwise asks, and leaves if the answer is yes. */
export function askToLeave(leave: () => void): void {
  if (guard.getState().reasons.size === 0) leave();
  else guard.setState({ leave });
}

/** Asks before the page, the window or a dialog is left, as long as there is a reason to. */
export function useLeaveGuard(reason: LeaveReason | null): void {
  const [owner] = useState(() => ({}));
  useEffect(() => {
    if (reason === null) return undefined;
    guard.setState(({ reasons }) => ({ reasons: new Map(reasons).set(owner, reason) }));
    window.addEventListener('beforeunload', stayOnUnload);
    return () => {
      const reasons = new Map(guard.getState().reasons);
      reasons.delete(owner);
      guard.setState({ reasons });
      if (reasons.size === 0) window.removeEventListener('beforeunload', stayOnUnload);
    };
  }, [owner, reason]);
}

function stayOnUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** The question itself: before another page by link, Back or Forward, and before whatever `askToLeave` was given. */
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
  // The dialog tells what would be lost by now, and keeps its words while it fades out.
  const reason = isAsked ? ([...reasons.values()].at(-1) ?? null) : null;
  const [shown, setShown] = useState(reason);
  if (reason !== null && reason !== shown) setShown(reason);

  function answer(isLeaving: boolean): void {
    guard.setState({ leave: null });
    if (blocker.state === 'blocked') (isLeaving ? blocker.proceed : blocker.reset)();
    if (isLeaving) leave?.();
  }

  return (
    <Modal
      opened={isAsked}
      onClose={() => answer(false)}
      title={shown === null ? '' : t(`admin.leave.${shown}.title`)}
      centered
      zIndex={600}
    >
      <Stack>
        <Text>{shown !== null && t(`admin.leave.${shown}.text`)}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answer(true)}>
            {shown !== null && t(`admin.leave.${shown}.leave`)}
          </Button>
          <Button data-autofocus onClick={() => answer(false)}>
            {shown !== null && t(`admin.leave.${shown}.stay`)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
