// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ConnectForm } from '../../../../../web/src/features/admin/crm/ConnectForm.tsx';
import type { ConnectableCrm } from '../../../../../web/src/features/admin/crm/crmQueries.ts';
import type { FieldsSchema } from '../../../../../web/src/features/admin/crm/schemaFields.ts';
import { refused, showInConsole, storeBehind } from '../../../../support/components/console.tsx';

const text = (title: string) => ({ type: 'string', title, description: `About ${title}` });
const secret = (title: string) => ({ ...text(title), secret: true });

const byToken: FieldsSchema = {
  properties: { region: { ...text('Region'), enum: ['us', 'eu'], default: 'us' }, token: secret('Token') },
  required: ['token'],
};
const byApp: FieldsSchema = {
  properties: {
    client_id: text('Client id'),
    client_secret: secret('Client secret'),
    refresh_token: secret('Refresh token'),
  },
  required: ['client_id', 'client_secret'],
};

function open({
  credentials = byToken,
  options = {},
  authorization = false,
}: {
  credentials?: FieldsSchema;
  options?: FieldsSchema;
  authorization?: boolean;
}) {
  const provider = { id: 'acme', name: 'Acme', credentials, options, authorization } as unknown as ConnectableCrm;
  const gateway = storeBehind<object>({ connection: null });
  const connected: true[] = [];
  const page = showInConsole(<ConnectForm provider={provider} onConnected={() => connected.push(true)} />);
  const press = (name: string) => page.user.click(page.getByRole('button', { name }));
  return { gateway, connected, page, press };
}

it('sends what was typed, and nothing that was left empty', async () => {
  const { gateway, connected, page, press } = open({});
  await page.user.type(page.getByLabelText(/^Token(?: \*)?$/), '  t-1 ');
  await press('Connect');
  await waitFor(() => expect(connected).toHaveLength(1));
  expect(gateway.changes).toEqual([{ provider: 'acme', credentials: { region: 'us', token: 't-1' } }]);
  // What was typed does not stay on the page.
  expect((page.getByLabelText(/^Token(?: \*)?$/) as HTMLInputElement).value).toBe('');
});

it('hides what is secret while it is typed', () => {
  const { page } = open({ credentials: byApp });
  expect(page.getByLabelText(/^Client secret(?: \*)?$/).getAttribute('type')).toBe('password');
  expect(page.getByLabelText(/^Client id(?: \*)?$/).getAttribute('type')).not.toBe('password');
});

it('says at the field what is missing, and sends nothing', async () => {
  const { gateway, page, press } = open({});
  await press('Connect');
  await page.findByText('This is needed.');
  expect(gateway.changes).toEqual([]);
});

it('offers each way to sign in by what it takes, and sends the fields of the chosen one', async () => {
  const { gateway, page, press } = open({ credentials: { anyOf: [byToken, byApp] } });
  expect(page.queryByLabelText(/^Client id(?: \*)?$/)).toBeNull();
  await page.user.click(page.getByRole('radio', { name: 'Client id, Client secret, Refresh token' }));
  await page.user.type(page.getByLabelText(/^Client id(?: \*)?$/), 'me');
  await page.user.type(page.getByLabelText(/^Client secret(?: \*)?$/), 'hush');
  await press('Connect');
  expect(gateway.changes).toEqual([{ provider: 'acme', credentials: { client_id: 'me', client_secret: 'hush' } }]);
});

it('asks for no token that a log-in brings, and says what the provider has to know of the gateway', async () => {
  const { page } = open({ credentials: { anyOf: [byToken, byApp] }, authorization: true });
  await page.user.click(page.getByRole('radio', { name: 'An app of yours, by logging in at Acme' }));
  expect(page.queryByLabelText(/^Refresh token(?: \*)?$/)).toBeNull();
  expect((page.getByLabelText('Redirect URL') as HTMLInputElement).value).toContain(
    '/api/integrations/crm/authorize/acme/callback',
  );
  page.getByRole('button', { name: 'Continue' });
});

it.each([
  ['of the credentials as a whole, at the secret', 'credentials'],
  ['of one field, at that field', 'credentials.token'],
])('shows what is said %s', async (_what, path) => {
  const { gateway, connected, page, press } = open({});
  gateway.next(() => refused({ [path]: 'are refused by Acme' }));
  await page.user.type(page.getByLabelText(/^Token(?: \*)?$/), 'wrong');
  await press('Connect');
  const told = await page.findByText('Are refused by Acme.');
  expect(page.getByLabelText(/^Token(?: \*)?$/).getAttribute('aria-describedby')).toContain(told.id);
  expect(page.queryByRole('alert')).toBeNull();
  expect(connected).toEqual([]);
  expect((page.getByLabelText(/^Token(?: \*)?$/) as HTMLInputElement).value).toBe('wrong');
});

it('sends the provider’s own settings with their defaults', async () => {
  const options = {
    properties: { log_as: { ...text('Calls are logged as'), enum: ['ticket', 'note'], default: 'ticket' } },
  };
  const { gateway, page, press } = open({ options });
  await page.user.type(page.getByLabelText(/^Token(?: \*)?$/), 't-1');
  await press('Connect');
  expect(gateway.changes).toEqual([
    { provider: 'acme', credentials: { region: 'us', token: 't-1' }, options: { log_as: 'ticket' } },
  ]);
});
