import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** Why somebody is asked before they leave what they are at. */
type LeaveReason = { title: string; text: string; stay: string; leave: string };

/** What most forms say. */
export const unsavedChanges: LeaveReason = {
  title: 'Leave without saving?',
  text: 'What you changed here has not been saved.',
  stay: 'Stay',
  leave: 'Leave without saving',
};

/** While something that will be shown once is being made: its answer reaches this page alone. */
export const beingMade: LeaveReason = {
  title: 'Leave before it is here?',
  text: 'Something that is shown only once is being made, and comes to this page alone. If you leave now nobody sees it, and it has to be made anew.',
  stay: 'Wait for it',
  leave: 'Leave without it',
};

/** Before something that is shown once goes away. */
export const notYetStored: LeaveReason = {
  title: 'Is it stored?',
  text: 'This is shown only now. Once you go on nobody can see it again; a lost one can only be replaced by a new one.',
  stay: 'Back to it',
  leave: 'It is stored, go on',
};

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
  const { reasons, leave } = useStore(guard);
  const blocker = useBlocker(
    ({ currentLocation: here, nextLocation: next, historyAction }) =>
      guard.getState().reasons.size > 0 && historyAction !== 'REPLACE' && (here.pathname !== next.pathname || here.search !== next.search),
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
    <Modal opened={isAsked} onClose={() => answer(false)} title={shown?.title} centered zIndex={600}>
      <Stack>
        <Text>{shown?.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answer(true)}>
            {shown?.leave}
          </Button>
          <Button data-autofocus onClick={() => answer(false)}>
            {shown?.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
