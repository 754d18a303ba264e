import { useState } from 'react';
import { Modal } from '@mantine/core';
import { SignInForm } from '../../shared/SignInForm.tsx';

/** The form alone stands above the wall. */
const overWall = { size: 420, padding: 0, styles: { content: { background: 'none', boxShadow: 'none' } } };

type Props = { isEnded: boolean; onSignOut: () => void };

/**
 * Asks for a new log-in above the page, which keeps what has not been saved. Pages are covered, as they are nobody's
 * until then; the live wall on a display stays to be seen, dimmed and said to be old.
 */
export function EndedLogIn({ isEnded, onSignOut }: Props) {
  const isWall = window.location.pathname === '/admin/live';
  return (
    <Modal
      opened={isEnded}
      onClose={onSignOut}
      {...(isWall ? overWall : { fullScreen: true })}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={1000}
      overlayProps={{ backgroundOpacity: 0.7 }}
      transitionProps={{ duration: 0 }}
    >
      <AskAgain isWall={isWall} />
    </Modal>
  );
}

function AskAgain({ isWall }: { isWall: boolean }) {
  const [endedAt] = useState(() => new Date().toLocaleString());
  const notice = isWall
    ? `The wall is not live: the log-in has ended, and what is behind this is from before ${endedAt}. Sign in again to go on.`
    : 'Your log-in has ended. Sign in again to go on where you were.';
  return <SignInForm title="Readyline console" notice={notice} />;
}
