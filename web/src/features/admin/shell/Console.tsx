import { useMemo, useState } from 'react';
import { createTheme, Drawer, MantineThemeProvider, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { signOutEverywhere, useSignIn } from '../../../lib/gateway/signIn.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { SignInForm } from '../../../shared/SignInForm.tsx';
import { AgentConsole } from './AgentConsole.tsx';

/**
 * The console of whoever is signed in. A log-in that ends by itself is asked for above the page, which keeps what has
 * not been saved; signing out puts the page away.
 */
export function Console() {
  const { t } = useTranslation();
  const signIn = useSignIn();
  const [agent, setAgent] = useState(signIn?.agent ?? null);
  const theme = useMemo(() => consoleTheme(t), [t]);
  if (signIn !== null && signIn.agent !== agent) setAgent(signIn.agent);
  if (agent === null) return <SignInForm title={t('admin.shell.title')} />;

  function signOut(): void {
    setAgent(null);
    signOutEverywhere();
  }

  return (
    <MantineThemeProvider theme={theme}>
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
  const format = useFormat();
  const { t } = useTranslation();
  const [endedAt] = useState(Date.now);
  const notice = isWallboard
    ? t('admin.shell.wallboardEnded', { time: format.exact(endedAt) })
    : t('admin.shell.ended');
  return <SignInForm title={t('admin.shell.title')} notice={notice} />;
}

/** What all dialogs of the console have in common. */
function consoleTheme(t: Translate) {
  const defaultProps = { closeButtonProps: { 'aria-label': t('admin.shell.close') } };
  return createTheme({ components: { Drawer: Drawer.extend({ defaultProps }), Modal: Modal.extend({ defaultProps }) } });
}
