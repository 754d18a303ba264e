import { useState } from 'react';
import { Alert, Anchor, Button, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LoginRequest } from '../../../src/contract/auth.ts';
import { logIn } from '../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../lib/gateway/apiProblem.ts';
import { setSignIn } from '../lib/gateway/signIn.ts';
import { useAction } from '../lib/gateway/useAction.ts';
import type { Translate } from '../lib/i18n/catalog.ts';
import { useSmallForm } from './useSmallForm.ts';

type Props = {
  /** What the person signs in to, e.g. `Softphone`. */
  title: string;
  /** Why they are asked again. */
  notice?: string | undefined;
};

/** Signs a person in, by agent code or e-mail address. */
export function SignInForm({ title, notice }: Props) {
  const { t } = useTranslation();
  const [needsCompany, setNeedsCompany] = useState(false);
  const form = useSmallForm({ initialValues: { name: '', password: '', company: '' } });
  const signIn = useAction(async (fields: SignInFields) => setSignIn(await logIn(loginOf(fields))));

  function submit(fields: SignInFields): void {
    signIn.run(fields, {
      onError: (error) => {
        if (isAmbiguous(error)) setNeedsCompany(true);
      },
    });
  }

  return (
    <Paper component="main" p="lg" w="calc(100% - 1.5rem)" maw={380} mx="auto" mt="10vh" withBorder>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack gap="sm">
          <Title order={1}>{title}</Title>
          {notice !== undefined && <Alert variant="light">{notice}</Alert>}
          <TextInput label={t('shared.signIn.name')} {...form.getInputProps('name')} autoComplete="username" required />
          <PasswordInput
            label={t('shared.signIn.password')}
            {...form.getInputProps('password')}
            autoComplete="current-password"
            required
          />
          {needsCompany ? (
            <TextInput
              label={t('shared.signIn.company')}
              {...form.getInputProps('company')}
              description={t('shared.signIn.companyHint')}
              required
            />
          ) : (
            <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setNeedsCompany(true)}>
              {t('shared.signIn.severalCompanies')}
            </Anchor>
          )}
          {signIn.error !== null && (
            <Alert color="red" variant="light" role="alert">
              {problemText(t, signIn.error)}
            </Alert>
          )}
          <Button type="submit" loading={signIn.isPending}>
            {t('shared.signIn.submit')}
          </Button>
        </Stack>
      </form>
    </Paper>
  );
}

type SignInFields = { name: string; password: string; company: string };

function loginOf(fields: SignInFields): LoginRequest {
  const [name, company] = [fields.name.trim(), fields.company.trim()];
  return {
    ...(name.includes('@') ? { email: name } : { agent_code: name }),
    password: fields.password,
    ...(company === '' ? {} : { company_slug: company }),
  };
}

/** Whether the login fits accounts of several companies. */
function isAmbiguous(error: unknown): boolean {
  return error instanceof ApiProblem && error.errors.some(({ path }) => path === 'company_slug');
}

function problemText(t: Translate, error: unknown): string {
  if (isAmbiguous(error)) return t('shared.signIn.whichCompany');
  return error instanceof ApiProblem ? messageOf(t, error) : t('shared.signIn.failed');
}
