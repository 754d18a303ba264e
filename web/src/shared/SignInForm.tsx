import { type FormEvent, useState } from 'react';
import { Alert, Anchor, Button, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LoginRequest } from '../../../src/contract/auth.ts';
import { logIn } from '../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../lib/gateway/apiProblem.ts';
import { setSignIn } from '../lib/gateway/signIn.ts';

type Props = {
  /** What the person signs in to, e.g. `Softphone`. */
  title: string;
  /** Why they are asked again. */
  notice?: string | undefined;
};

/** Signs a person in, by agent code or e-mail address. */
export function SignInForm({ title, notice }: Props) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [needsCompany, setNeedsCompany] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    try {
      setSignIn(await logIn(loginOf(fields)));
    } catch (error) {
      const isAmbiguous = error instanceof ApiProblem && error.of('company_slug') !== null;
      if (isAmbiguous) setNeedsCompany(true);
      setProblem(isAmbiguous ? t('shared.signIn.whichCompany') : error instanceof ApiProblem ? messageOf(t, error) : t('shared.signIn.failed'));
      setBusy(false);
    }
  }

  return (
    <Paper component="main" p="lg" w="calc(100% - 1.5rem)" maw={380} mx="auto" mt="10vh" withBorder>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <Title order={1}>{title}</Title>
          {notice !== undefined && <Alert variant="light">{notice}</Alert>}
          <TextInput label={t('shared.signIn.name')} name="name" autoComplete="username" required />
          <PasswordInput label={t('shared.signIn.password')} name="password" autoComplete="current-password" required />
          {needsCompany ? (
            <TextInput label={t('shared.signIn.company')} name="company" description={t('shared.signIn.companyHint')} required />
          ) : (
            <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setNeedsCompany(true)}>
              {t('shared.signIn.severalCompanies')}
            </Anchor>
          )}
          {problem !== null && (
            <Alert color="red" variant="light" role="alert">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={isBusy}>
            {t('shared.signIn.submit')}
          </Button>
        </Stack>
      </form>
    </Paper>
  );
}

function loginOf(fields: FormData): LoginRequest {
  const name = text(fields, 'name').trim();
  const company = text(fields, 'company').trim();
  return {
    ...(name.includes('@') ? { email: name } : { agent_code: name }),
    password: text(fields, 'password'),
    ...(company === '' ? {} : { company_slug: company }),
  };
}

function text(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}
