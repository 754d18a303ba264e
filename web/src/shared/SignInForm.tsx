import { type FormEvent, useState } from 'react';
import { Alert, Anchor, Button, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import type { LoginRequest } from '../../../src/contract/auth.ts';
import { logIn } from '../lib/gateway/api.ts';
import { ApiProblem } from '../lib/gateway/apiProblem.ts';
import { setSignIn } from '../lib/gateway/signIn.ts';

type Props = {
  /** What the person signs in to, e.g. `Softphone`. */
  title: string;
  /** Why they are asked again. */
  notice?: string | undefined;
};

/** What the gateway tells in the words of its interface. */
const severalCompanies = 'You have an account in several companies: enter the short name of the one you want.';

/** Signs a person in, by agent code or e-mail address. */
export function SignInForm({ title, notice }: Props) {
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
      const told = error instanceof ApiProblem ? error : null;
      const isAmbiguous = told?.message.includes('company_slug') === true;
      if (isAmbiguous) setNeedsCompany(true);
      setProblem(isAmbiguous ? severalCompanies : (told?.message ?? 'Signing in failed.'));
      setBusy(false);
    }
  }

  return (
    <Paper component="main" p="lg" w="calc(100% - 1.5rem)" maw={380} mx="auto" mt="10vh" withBorder>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <Title order={1}>{title}</Title>
          {notice !== undefined && <Alert variant="light">{notice}</Alert>}
          <TextInput label="Agent code or e-mail" name="name" autoComplete="username" required />
          <PasswordInput label="Password" name="password" autoComplete="current-password" required />
          {needsCompany ? (
            <TextInput label="Company" name="company" description="The short name of your company" required />
          ) : (
            <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setNeedsCompany(true)}>
              My account is in several companies
            </Anchor>
          )}
          {problem !== null && (
            <Alert color="red" variant="light" role="alert">
              {problem}
            </Alert>
          )}
          <Button type="submit" loading={isBusy}>
            Sign in
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
