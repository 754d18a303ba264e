import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';

type Props = { agent: SignedInAgent; onSignOut: () => void };

/** For those whose work is not in the console. */
export function NotForYou({ agent, onSignOut }: Props) {
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
