import { useEffect, useMemo, useState } from 'react';
import {
  Anchor,
  Button,
  createTheme,
  Drawer,
  Group,
  MantineThemeProvider,
  Modal,
  Notification,
  Paper,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { makeQueryClient } from '../../../lib/gateway/queryClient.ts';
import { signOutEverywhere, useSignIn } from '../../../lib/gateway/signIn.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { SignInForm } from '../../../shared/SignInForm.tsx';
import { AccountContext } from './accountContext.ts';
import { router } from './router.tsx';

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

/** What all dialogs and notifications of the console have in common. */
function consoleTheme(t: Translate) {
  const defaultProps = { closeButtonProps: { 'aria-label': t('admin.shell.close') } };
  return createTheme({
    components: {
      Drawer: Drawer.extend({ defaultProps }),
      Modal: Modal.extend({ defaultProps }),
      Notification: Notification.extend({ defaultProps }),
    },
  });
}

type AgentConsoleProps = {
  agent: SignedInAgent;
  /** Null while the log-in has ended. */
  token: string | null;
  onSignOut: () => void;
};

/** One person's console: what it has read from the gateway is nobody else's. */
function AgentConsole({ agent, token, onSignOut }: AgentConsoleProps) {
  const [queries] = useState(makeQueryClient);
  useEffect(() => {
    // What failed for want of a log-in is asked for again with the new one.
    if (token !== null) void queries.invalidateQueries();
  }, [queries, token]);

  if (agent.role !== 'admin' && agent.role !== 'supervisor') return <NotForYou agent={agent} onSignOut={onSignOut} />;
  return (
    <QueryClientProvider client={queries}>
      <Notifications position="bottom-right" autoClose={5000} limit={3} />
      <AccountContext value={{ agent, onSignOut }}>
        <RouterProvider router={router} />
      </AccountContext>
    </QueryClientProvider>
  );
}

type NotForYouProps = { agent: SignedInAgent; onSignOut: () => void };

/** For those whose work is not in the console. */
function NotForYou({ agent, onSignOut }: NotForYouProps) {
  const { t } = useTranslation();
  return (
    <Paper component="main" p="lg" maw={420} mx="auto" mt="10vh" withBorder>
      <Stack gap="sm">
        <Title order={1}>{t('admin.shell.notForYou.title')}</Title>
        <Text>
          <Trans
            t={t}
            i18nKey="admin.shell.notForYou.text"
            values={{ name: agent.name, code: agent.agent_code, role: t(`admin.roles.${agent.role}`) }}
            components={{ softphone: <Anchor href="/" underline="always" /> }}
          />
        </Text>
        <Group>
          <Button component="a" href="/">
            {t('admin.shell.notForYou.open')}
          </Button>
          <Button variant="default" onClick={onSignOut}>
            {t('admin.shell.notForYou.other')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
