import { useEffect, useState } from 'react';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router';
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
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
  return (
    <Paper component="main" p="lg" maw={420} mx="auto" mt="10vh" withBorder>
      <Stack gap="sm">
        <Title order={1}>This page is for admins and supervisors</Title>
        <Text>
          You are signed in as {agent.name} ({agent.agent_code}), whose role is {agent.role}. Calls are made on the{' '}
          <Anchor href="/" underline="always">
            softphone
          </Anchor>
          .
        </Text>
        <Group>
          <Button component="a" href="/">
            Open the softphone
          </Button>
          <Button variant="default" onClick={onSignOut}>
            Use another account
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
