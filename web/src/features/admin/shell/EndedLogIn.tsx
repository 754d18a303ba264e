import { useState } from 'react';
import { Modal } from '@mantine/core';
import { SignInForm } from '../../../shared/SignInForm.tsx';

/** The form alone stands above the wallboard. */
const overWallboard = { size: 420, padding: 0, styles: { content: { background: 'none', boxShadow: 'none' } } };

type Props = { isEnded: boolean; onSignOut: () => void };

/**
 * Asks for a new log-in above the page, which keeps what has not been saved. Pages are covered, as they are nobody's
 * until then; the wallboard on a display stays to be seen, dimmed and said to be old.
 */
export function EndedLogIn({ isEnded, onSignOut }: Props) {
  const isWallboard = window.location.pathname === '/admin/live';
  return (
    <Modal
      opened={isEnded}
      onClose={onSignOut}
      {...(isWallboard ? overWallboard : { fullScreen: true })}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={1000}
      overlayProps={{ backgroundOpacity: 0.7 }}
      transitionProps={{ duration: 0 }}
    >
      <AskAgain isWallboard={isWallboard} />
    </Modal>
  );
}

function AskAgain({ isWallboard }: { isWallboard: boolean }) {
  const [endedAt] = useState(() => new Date().toLocaleString());
  const notice = isWallboard
    ? `The wallboard is not live: the log-in has ended, and what is behind this is from before ${endedAt}. Sign in again to go on.`
    : 'Your log-in has ended. Sign in again to go on where you were.';
  return <SignInForm title="Readyline console" notice={notice} />;
}
