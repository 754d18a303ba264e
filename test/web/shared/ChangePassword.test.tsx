// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { ChangePassword } from '../../../web/src/shared/ChangePassword.tsx';
import { answerRequests, show } from '../../support/components/page.tsx';

function dialog(answers: { status: number; body: object }[]) {
  const requests = answerRequests(() => answers.shift() ?? { status: 200, body: { token: 'fresh' } });
  const taken: unknown[] = [];
  const page = show(<ChangePassword isOpen onClose={() => {}} onChanged={(answer) => void taken.push(answer)} />);
  async function change(current: string): Promise<void> {
    const field = await page.findByLabelText(/^Current password/);
    await page.user.clear(field);
    await page.user.type(field, current);
    await page.user.click(page.getByRole('button', { name: 'Change password' }));
  }
  return { page, requests, taken, change };
}

it('says at its field that the current password is wrong, and goes on with the fresh log-in', async () => {
  const { page, requests, taken, change } = dialog([{ status: 401, body: { code: 'invalid_credentials' } }]);
  await page.user.type(await page.findByLabelText(/^New password/), 'a better one');
  await change('not mine');
  await page.findByText('This is not your current password.');
  await change('mine');
  await page.findByText('Your password was changed. You were signed out everywhere else.');
  expect(taken).toEqual([{ token: 'fresh' }]);
  expect(requests.map(({ body }) => body)).toEqual([
    { current_password: 'not mine', new_password: 'a better one' },
    { current_password: 'mine', new_password: 'a better one' },
  ]);
});

it('says what is wrong with neither field', async () => {
  const { page, change } = dialog([{ status: 429, body: { code: 'rate_limited' } }]);
  await page.user.type(await page.findByLabelText(/^New password/), 'a better one');
  await change('mine');
  expect((await page.findByRole('alert')).textContent).toBe('Too many attempts. Wait a moment.');
});
