// @vitest-environment happy-dom
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { FoundContacts } from '../../../../web/src/features/contacts/FoundContacts.tsx';
import { answerRequests } from '../../../support/components/page.tsx';
import { showInSoftphone } from '../../../support/components/softphone.tsx';

const contacts = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({
    id: String(index),
    name: `Ann ${String(index)}`,
    organisation: null,
    owner: null,
    phone_number: null,
    email: null,
    tier: null,
    do_not_call: false,
    matched: [],
    approximate: false,
  }));

it.each([
  ['says how many were found', 3, '3 contacts', 3],
  ['does not count what it shows as all where more fit', 100, 'First 30; type more to find others.', 30],
])('a search %s', async (_which, count, text, shown) => {
  answerRequests(({ path }) => {
    const limit = Number(new URLSearchParams(path.split('?')[1]).get('limit'));
    return { status: 200, body: { contacts: contacts(Math.min(count, limit)), organisations: [] } };
  });
  const router = createMemoryRouter([{ path: '/', element: <FoundContacts asked="ann" /> }]);
  const page = showInSoftphone(<RouterProvider router={router} />, {});
  await page.findByText(text);
  expect(page.getAllByRole('link')).toHaveLength(shown);
});
