// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { setSignIn, signedIn } from '../../../web/src/lib/gateway/signIn.ts';
import { SignInForm } from '../../../web/src/shared/SignInForm.tsx';
import { answerRequests, show } from '../../support/components/page.tsx';

const agent = { id: '3f1d0a4e-5a37-4a86-9a4c-0d8b5b3f6a10', agent_code: 'a100', name: 'Ada', role: 'agent' };
const answer = { token: 'token', expires_at: new Date(Date.now() + 3_600_000).toISOString(), agent };
const refusal = (status: number, code: string, detail: string) => ({ status, body: { code, detail } });

afterEach(() => setSignIn(null));

function form() {
  const page = show(<SignInForm title="Softphone" />);
  async function fill(name: string, password: string): Promise<void> {
    await page.user.clear(page.getByLabelText(/^Agent code or e-mail/));
    await page.user.type(page.getByLabelText(/^Agent code or e-mail/), name);
    await page.user.clear(page.getByLabelText(/^Password/));
    await page.user.type(page.getByLabelText(/^Password/), password);
  }
  const submit = () => page.user.click(page.getByRole('button', { name: 'Sign in' }));
  return { page, fill, submit };
}

it.each([
  ['an agent code', ' a100 ', { agent_code: 'a100', password: 'a secret ' }],
  ['an e-mail address', 'ada@acme.example', { email: 'ada@acme.example', password: 'a secret ' }],
])('signs in by %s', async (_what, name, login) => {
  const requests = answerRequests(() => ({ status: 200, body: answer }));
  const { fill, submit } = form();
  await fill(name, 'a secret ');
  await submit();
  expect(requests).toEqual([{ method: 'POST', path: '/api/auth/login', body: login }]);
  expect(signedIn()).toMatchObject({ token: 'token', agent });
});

it('says why somebody is asked to sign in again', () => {
  const page = show(<SignInForm title="Softphone" notice="Your sign-in has ended." />);
  expect(page.getByRole('alert').textContent).toBe('Your sign-in has ended.');
});

it('shows why somebody is not signed in, and takes the next attempt', async () => {
  let answers = 0;
  answerRequests(() =>
    (answers += 1) === 1
      ? refusal(401, 'invalid_credentials', 'The login or the password is wrong.')
      : { status: 200, body: answer },
  );
  const { page, fill, submit } = form();
  await fill('a100', 'wrong');
  await submit();
  expect((await page.findByRole('alert')).textContent).toBe('No account has this name and password.');
  expect(signedIn()).toBeNull();
  await fill('a100', 'right');
  await submit();
  expect(signedIn()).toMatchObject({ token: 'token' });
});

it('says that the gateway cannot be reached', async () => {
  answerRequests(() => Promise.reject(new TypeError('fetch failed')));
  const { page, fill, submit } = form();
  await fill('a100', 'secret');
  await submit();
  expect((await page.findByRole('alert')).textContent).toBe('No answer from the server. Try again.');
});

it('asks for the company of a name that several companies have', async () => {
  const fit = 'These credentials fit accounts of several companies: add company_slug.';
  const several = {
    status: 401,
    body: { code: 'invalid_credentials', detail: fit, errors: [{ path: 'company_slug', message: 'is needed' }] },
  };
  const requests = answerRequests(({ body }) =>
    'company_slug' in (body as object) ? { status: 200, body: answer } : several,
  );
  const { page, fill, submit } = form();
  expect(page.queryByLabelText(/^Company/)).toBeNull();
  await fill('a100', 'secret');
  await submit();
  expect((await page.findByRole('alert')).textContent).toContain('several companies');
  await page.user.type(page.getByLabelText(/^Company/), 'acme');
  await submit();
  expect(requests.at(-1)?.body).toEqual({ agent_code: 'a100', password: 'secret', company_slug: 'acme' });
  expect(signedIn()).toMatchObject({ token: 'token' });
});
