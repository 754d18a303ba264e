// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import { NewAgent } from '../../../../../web/src/features/admin/agents/NewAgent.tsx';
import { refused, showInConsole, storeBehind } from '../../../../support/components/console.tsx';

const ada = {
  id: 'ada',
  agent_code: 'a100',
  name: 'Ada',
  email: null,
  role: 'agent',
  active: true,
  sip_user: null,
  sip_secret_set: false,
} as AgentView;

it('says at its field that an agent code is taken, and shows once a password that was made here', async () => {
  const gateway = storeBehind({});
  const page = showInConsole(<NewAgent onDone={() => {}} />);
  const create = () => page.user.click(page.getByRole('button', { name: 'Create' }));
  await page.user.type(page.getByLabelText(/^Name/), 'Ada Lovelace');
  await page.user.type(page.getByLabelText(/^Agent code/), 'a100');
  gateway.next(() => refused({ agent_code: 'is taken' }, 409));
  await create();
  await page.findByText('Is taken.');
  expect(page.queryByRole('alert')).toBeNull();
  await page.user.type(page.getByLabelText(/^Agent code/), '1');
  gateway.next(() => ({ status: 201, body: { ...ada, name: 'Ada Lovelace', agent_code: 'a1001' } }));
  await create();
  const shown = (await page.findByRole('textbox', { name: 'Password' })) as HTMLInputElement;
  expect(gateway.changes.at(-1)).toEqual({
    name: 'Ada Lovelace',
    agent_code: 'a1001',
    role: 'agent',
    password: shown.value,
  });
  await page.leave();
  await page.findByRole('dialog', { name: 'Is it stored?' });
});
