import { Button, Group, Paper, PasswordInput, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { logIn } from '../../lib/gateway/api.ts';
import { setSignIn, type SignIn } from '../../lib/gateway/signIn.ts';
import { failureText } from '../calls/phoneWords.ts';
import { clockText } from '../../shared/time.ts';
import { useGatewayNow, useWorkplace } from '../workplace/workplaceContext.ts';

/** How long before the end of the log-in the password is asked for. */
const askBeforeMs = 15 * 60_000;

type Props = { signIn: SignIn; hasEnded: boolean };

/** Asks for the password before the log-in ends, or where it has ended in mid-call, and renews it without touching the call. */
export function RenewBanner({ signIn, hasEnded }: Props) {
  const { t } = useTranslation();
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
      setProblem(failureText(t, error));
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
    <Paper component="section" mt="xs" p="xs" bg="var(--mantine-color-orange-light)" aria-label={t(hasEnded ? 'softphone.renew.ended' : 'softphone.renew.endsSoon')}>
      <form onSubmit={submit}>
        {hasEnded ? (
          <Text size="sm" role="alert">
            {t('softphone.renew.endedText')}
          </Text>
        ) : (
          <Text size="sm">
            <span role="timer">{t('softphone.renew.endsIn', { time: clockText(leftMs) })}</span> {t('softphone.renew.endsText')}
          </Text>
        )}
        <Group gap="xs" mt="xs" align="flex-start" wrap="nowrap">
          <PasswordInput
            size="xs"
            flex={1}
            name="password"
            aria-label={t('shared.signIn.password')}
            autoComplete="current-password"
            required
            error={problem}
          />
          <Button size="xs" type="submit" loading={isBusy}>
            {t(hasEnded ? 'softphone.renew.signInAgain' : 'softphone.renew.stay')}
          </Button>
        </Group>
      </form>
    </Paper>
  );
}
