import { Button, Group, Paper, PasswordInput, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { logIn } from '../../lib/gateway/api.ts';
import { setSignIn, type SignIn } from '../../lib/gateway/signIn.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { failureText } from '../calls/callWords.ts';
import { clockText } from '../../shared/time.ts';
import { useSmallForm } from '../../shared/useSmallForm.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = { signIn: SignIn; hasEnded: boolean; leftMs: number };

/** A component of its own, so that the password is gone with it. */
export function RenewForm({ signIn, hasEnded, leftMs }: Props) {
  const { t } = useTranslation();
  const { workplace } = useWorkplace();
  const form = useSmallForm({ initialValues: { password: '' } });
  const renew = useAction(async ({ password }: { password: string }) => {
    const { agent_code, company_slug } = signIn.agent;
    const answer = await logIn({ agent_code, company_slug, password });
    // At once, so that the page stays also where the call that needed it is over meanwhile.
    if (hasEnded) setSignIn(answer);
    await workplace.renewToken(answer.token);
    setSignIn(answer);
  });

  return (
    <Paper
      component="section"
      mt="xs"
      p="xs"
      bg="var(--mantine-color-orange-light)"
      aria-label={t(hasEnded ? 'softphone.renew.ended' : 'softphone.renew.endsSoon')}
    >
      <form onSubmit={form.onSubmit((fields) => renew.run(fields))}>
        {hasEnded ? (
          <Text size="sm" role="alert">
            {t('softphone.renew.endedText')}
          </Text>
        ) : (
          <Text size="sm">
            <span role="timer">{t('softphone.renew.endsIn', { time: clockText(leftMs) })}</span>{' '}
            {t('softphone.renew.endsText')}
          </Text>
        )}
        <Group gap="xs" mt="xs" align="flex-start" wrap="nowrap">
          <PasswordInput
            size="xs"
            flex={1}
            {...form.getInputProps('password')}
            aria-label={t('shared.signIn.password')}
            autoComplete="current-password"
            required
            error={renew.error === null ? null : failureText(t, renew.error)}
          />
          <Button size="xs" type="submit" loading={renew.isPending}>
            {t(hasEnded ? 'softphone.renew.signInAgain' : 'softphone.renew.stay')}
          </Button>
        </Group>
      </form>
    </Paper>
  );
}
