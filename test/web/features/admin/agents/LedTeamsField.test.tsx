// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { AgentView } from '../../../../../src/contract/agents.ts';
import type { SignedInAgent } from '../../../../../src/contract/auth.ts';
import { fieldsOf, toCreate, toUpdate } from '../../../../../web/src/features/admin/agents/AgentFields.tsx';
import { EditAgent } from '../../../../../web/src/features/admin/agents/EditAgent.tsx';
import { showInConsole } from '../../../../support/components/console.tsx';
import { answerRequests } from '../../../../support/components/page.tsx';

const boss = {
  id: 'boss',
  agent_code: 'boss',
  name: 'Boss',
  email: null,
  role: 'supervisor',
  active: true,
  led_team_ids: null,
  sip_user: null,
  sip_secret_set: false,
} as AgentView;
const teams = ['Sales', 'Service'].map((name) => ({ id: name.toLowerCase(), name, code: name, agent_ids: [] }));
const refusal = {
  code: 'invalid_request',
  detail: 'It does not fit.',
  errors: [{ path: 'led_team_ids.0', message: 'is none of the company', code: 'not_of_company' }],
};

it('are chosen for a supervisor, and show what the gateway has against them', async () => {
  const answers = [refusal];
  const requests = answerRequests(({ method, path }) => {
    if (method === 'GET')
      return { status: 200, body: path.startsWith('/api/teams') ? { teams } : { agents: [boss], next_cursor: null } };
    const refused = answers.shift();
    return refused === undefined ? { status: 200, body: boss } : { status: 400, body: refused };
  });
  const page = showInConsole(<EditAgent agent={boss} me={{ id: 'the admin' } as SignedInAgent} onDone={() => {}} />);
  const save = () => page.getByRole('button', { name: 'Save' });
  await page.user.click(await page.findByLabelText('Sees and may act on', { selector: 'input' }));
  await page.user.click(await page.findByText('The agents of some teams'));
  await page.findByText(/this supervisor sees nobody/);
  await page.user.click(page.getByLabelText(/^Teams/, { selector: 'input' }));
  await page.user.click(await page.findByText('Service'));
  await page.user.click(save());
  await page.findByText(/Your company/i);
  expect(page.queryByRole('alert')).toBeNull();
  await page.user.click(save());
  await page.findByText('Boss is saved.');
  expect(requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { led_team_ids: ['service'] },
    { led_team_ids: ['service'] },
  ]);
});

it('are sent where they were changed, of supervisors alone', () => {
  const limited = fieldsOf({ ...boss, led_team_ids: ['sales'] });
  expect(toUpdate({ led_team_ids: null }, limited)).toEqual({ led_team_ids: null });
  expect(toUpdate({ role: 'agent', led_team_ids: null }, { ...limited, role: 'agent' })).toEqual({ role: 'agent' });
  expect(toCreate(limited, 'a-password')).toMatchObject({ role: 'supervisor', led_team_ids: ['sales'] });
  expect(toCreate({ ...limited, role: 'admin' }, 'a-password')).not.toHaveProperty('led_team_ids');
  // An older gateway tells nothing of them.
  const { led_team_ids: _, ...before } = boss;
  expect(fieldsOf(before as AgentView).led_team_ids).toBeNull();
});
