// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { setSignIn, type SignIn, signedIn } from '../../../../web/src/lib/gateway/signIn.ts';
import { RenewBanner } from '../../../../web/src/features/softphone/RenewBanner.tsx';
import { answerRequests } from '../../../support/components/page.tsx';
import { showInSoftphone } from '../../../support/components/softphone.tsx';

const agent = { id: 'ada', agent_code: 'a100', name: 'Ada', company_slug: 'acme' } as SignIn['agent'];
const endsIn = (ms: number): SignIn => ({ token: 'old', expiresAt: new Date(Date.now() + ms).toISOString(), agent });
const soon = endsIn(60_000);

afterEach(() => setSignIn(null));

it('asks for the password a quarter of an hour before the log-in ends, or once it has', async () => {
  for (const [signIn, hasEnded] of [
    [endsIn(14 * 60_000), false],
    [endsIn(16 * 60_000), true],
  ] as const) {
    const page = showInSoftphone(<RenewBanner signIn={signIn} hasEnded={hasEnded} />, {});
    await page.findByLabelText('Password');
    page.unmount();
  }
  // By now the form is loaded, and would be shown at once.
  const page = showInSoftphone(<RenewBanner signIn={endsIn(16 * 60_000)} hasEnded={false} />, {});
  expect(page.queryByLabelText('Password')).toBeNull();
});

it('says at the field why the log-in was not renewed, and renews it the next time', async () => {
  const answers = [{ status: 401, body: { code: 'invalid_credentials' } }];
  const fresh = { token: 'fresh', expires_at: new Date(Date.now() + 3_600_000).toISOString(), agent };
  const requests = answerRequests(() => answers.shift() ?? { status: 200, body: fresh });
  const renewed: string[] = [];
  const page = showInSoftphone(<RenewBanner signIn={soon} hasEnded={false} />, {
    workplace: { renewToken: async (token) => void renewed.push(token) },
  });
  await page.user.type(await page.findByLabelText('Password'), 'wrong{Enter}');
  await page.findByText('No account has this name and password.');
  await page.user.clear(page.getByLabelText('Password'));
  await page.user.type(page.getByLabelText('Password'), 'right{Enter}{Enter}');
  await waitFor(() => expect(signedIn()?.token).toBe('fresh'));
  expect(renewed).toEqual(['fresh']);
  expect(requests.map(({ body }) => body)).toEqual(
    ['wrong', 'right'].map((password) => ({ agent_code: 'a100', company_slug: 'acme', password })),
  );
});
