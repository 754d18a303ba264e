import { useEffect, useState } from 'react';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router';
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { makeQueryClient } from '../../../lib/gateway/queryClient.ts';
import { AccountContext } from './accountContext.ts';
import { router } from './router.tsx';

type Props = {
  agent: SignedInAgent;
  /** Null while the log-in has ended. */
  token: string | null;
  onSignOut: () => void;
};

/** One person's console: what it has read from the gateway is nobody else's. */
export function AgentConsole({ agent, token, onSignOut }: Props) {
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
