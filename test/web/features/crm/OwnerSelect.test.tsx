// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest';
import type { SignedInAgent } from '../../../../src/contract/auth.ts';
import { OwnerSelect } from '../../../../web/src/features/crm/OwnerSelect.tsx';
import { setSignIn } from '../../../../web/src/lib/gateway/signIn.ts';
import { answerRequests, show } from '../../../support/components/page.tsx';

/** The names that somebody in this role may choose from, where Grace looks after the record. */
async function offered(role: SignedInAgent['role']): Promise<(string | null)[]> {
  const agent = { id: 'me', name: 'Alan Turing', agent_code: 't1', role } as SignedInAgent;
  setSignIn({ token: 'token', expires_at: new Date(Date.now() + 60_000).toISOString(), agent });
  onTestFinished(() => setSignIn(null));
  answerRequests(() => ({
    status: 200,
    body: { colleagues: [agent, { id: 'ada', name: 'Ada Lovelace', agent_code: 'a1' }] },
  }));
  const owner = { id: 'grace', name: 'Grace Hopper' };
  const page = show(<OwnerSelect label="Owner" owner={owner} value="grace" onChange={() => {}} />);
  await page.user.click(page.getByRole('combobox', { name: 'Owner' }));
  if (role !== 'agent') await page.findByRole('option', { name: 'Ada Lovelace (a1)' });
  const names = page.getAllByRole('option').map(({ textContent }) => textContent);
  page.unmount();
  return names;
}

it('offers themselves to agents, and everybody of the company to supervisors and admins', async () => {
  const own = ['Grace Hopper', 'Alan Turing (t1)'];
  expect(await offered('agent')).toEqual(own);
  expect(await offered('supervisor')).toEqual([...own, 'Ada Lovelace (a1)']);
  expect(await offered('admin')).toEqual([...own, 'Ada Lovelace (a1)']);
});
