import { useState } from 'react';
import { createTheme, Drawer, MantineThemeProvider, Modal } from '@mantine/core';
import { signOutEverywhere, useSignIn } from '../../../lib/gateway/signIn.ts';
import { SignInForm } from '../../../shared/SignInForm.tsx';
import { AgentConsole } from './AgentConsole.tsx';

/**
 * The console of whoever is signed in. A log-in that ends by itself is asked for above the page, which keeps what has
 * not been saved; signing out puts the page away.
 */
export function Console() {
  const signIn = useSignIn();
  const [agent, setAgent] = useState(signIn?.agent ?? null);
  if (signIn !== null && signIn.agent !== agent) setAgent(signIn.agent);
  if (agent === null) return <SignInForm title="Readyline console" />;

  function signOut(): void {
    setAgent(null);
    signOutEverywhere();
  }

  return (
    <MantineThemeProvider theme={consoleTheme}>
      <AgentConsole key={`${agent.id} ${agent.role}`} agent={agent} token={signIn?.token ?? null} onSignOut={signOut} />
      <EndedLogIn isEnded={signIn === null} onSignOut={signOut} />
    </MantineThemeProvider>
  );
}

/** The form alone stands above the wallboard. */
const overWallboard = { size: 420, padding: 0, styles: { content: { background: 'none', boxShadow: 'none' } } };

type Props = { isEnded: boolean; onSignOut: () => void };

/**
 * Asks for a new log-in above the page, which keeps what has not been saved. Pages are covered, as they are nobody's
 * until then; the wallboard on a display stays to be seen, dimmed and said to be old.
 */
function EndedLogIn({ isEnded, onSignOut }: Props) {
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

/** What all dialogs of the console have in common. */
const consoleTheme = createTheme({
  components: {
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
  },
});
