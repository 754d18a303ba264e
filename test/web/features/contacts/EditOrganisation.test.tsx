// @vitest-environment happy-dom
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import type { OrganisationView } from '../../../../src/contract/organisations.ts';
import { EditOrganisation } from '../../../../web/src/features/contacts/EditOrganisation.tsx';
import { answerRequests, show } from '../../../support/components/page.tsx';
import { eventually } from '../../../support/time/waiting.ts';

const engines = {
  id: 'engines',
  name: 'Analytical Engines',
  website: null,
  notes: 'By steam',
  version: 3,
} as OrganisationView;

it('sends what was changed, and says that somebody was faster before it overwrites their change', async () => {
  const newer = { ...engines, notes: 'By water', version: 4 };
  const outdated = { code: 'conflict', cause: { code: 'changed_meanwhile', params: { version: 4 } } };
  const requests = answerRequests(({ method, body }) => {
    if (method === 'GET') return { status: 200, body: newer };
    return (body as OrganisationView).version === 4
      ? { status: 200, body: { ...newer, name: 'Engines', version: 5 } }
      : { status: 409, body: outdated };
  });
  let done = 0;
  const form = <EditOrganisation organisation={engines} onDone={() => void (done += 1)} />;
  const page = show(<RouterProvider router={createMemoryRouter([{ path: '*', element: form }])} />);
  const name = page.getByRole('textbox', { name: 'Name' });
  await page.user.clear(name);
  await page.user.type(name, ' Engines ');
  await page.user.click(page.getByRole('button', { name: 'Save' }));
  expect((await page.findByRole('alert')).textContent).toContain('Somebody else has changed this organisation');
  expect(done).toBe(0);
  await page.user.click(page.getByRole('button', { name: 'Save what I changed' }));
  await page.findByRole('button', { name: 'Save what I changed' });
  await eventually(() => expect(done).toBe(1));
  expect(requests.map(({ method, body }) => [method, body])).toEqual([
    ['PATCH', { name: 'Engines', version: 3 }],
    ['GET', null],
    ['PATCH', { name: 'Engines', version: 4 }],
  ]);
});
