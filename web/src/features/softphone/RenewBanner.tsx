import { Button, Group, Paper, PasswordInput, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { logIn } from '../../lib/gateway/api.ts';
import { setSignIn, type SignIn } from '../../lib/gateway/signIn.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { clockText } from '../../shared/time.ts';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';

/** How long before the end of the log-in the password is asked for. */
const askBeforeMs = 15 * 60_000;

type Props = { signIn: SignIn; hasEnded: boolean };

/** Asks for the password before the log-in ends, or where it has ended in mid-call, and renews it without touching the call. */
export function RenewBanner({ signIn, hasEnded }: Props) {
  const { workplace } = useWorkplace();
  const leftMs = Date.parse(signIn.expiresAt) - useGatewayNow();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (!hasEnded && leftMs > askBeforeMs) return null;

  async function renew(password: string): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const { agent_code, company_slug } = signIn.agent;
      const answer = await logIn({ agent_code, company_slug, password });
      // At once, so that the page stays also where the call that needed it is over meanwhile.
      if (hasEnded) setSignIn(answer);
      await workplace.renewToken(answer.token);
      setSignIn(answer);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    if (typeof password === 'string' && password !== '') void renew(password);
  }

  return (
    <Paper component="section" mt="xs" p="xs" bg="var(--mantine-color-orange-light)" aria-label={hasEnded ? 'Your log-in has ended' : 'Your log-in ends soon'}>
      <form onSubmit={submit}>
        {hasEnded ? (
          <Text size="sm" role="alert">
            Your log-in has ended. Your call goes on; enter your password, so that it is recorded and you can go on working.
          </Text>
        ) : (
          <Text size="sm">
            Your log-in ends in <span role="timer">{clockText(leftMs)}</span>. Enter your password to stay logged in; a call goes on.
          </Text>
        )}
        <Group gap="xs" mt="xs" align="flex-start" wrap="nowrap">
          <PasswordInput
            size="xs"
            flex={1}
            name="password"
            aria-label="Password"
            autoComplete="current-password"
            required
            error={problem}
          />
          <Button size="xs" type="submit" loading={isBusy}>
            {hasEnded ? 'Sign in again' : 'Stay logged in'}
          </Button>
        </Group>
      </form>
    </Paper>
  );
}
