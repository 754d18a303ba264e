// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { TelephonyView } from '../../../../../src/contract/telephony.ts';
import { TelephonyPage } from '../../../../../web/src/features/admin/telephony/TelephonyPage.tsx';
import { showInConsole, storeBehind } from '../../../../support/components/console.tsx';

const notSetUp: TelephonyView = {
  mode: 'none',
  sip_wss_url: null,
  sip_domain: null,
  ice_servers: [],
  no_answer_seconds: 60,
  desk_phone_scheme: 'tel',
  call_id_header: 'X-Readyline-Call-Id',
  dialed_number_header: null,
  queue_header: null,
  caller_id_header: 'P-Preferred-Identity',
  echo_number: null,
  transfer_by: 'refer',
  transfer_code: null,
  demo_carrier: false,
  updated_at: null,
};

async function open(changes: Partial<TelephonyView> = {}) {
  // What matters here is what is asked for; of that, the mode is enough to go on with.
  const gateway = storeBehind<TelephonyView>({ ...notSetUp, ...changes }, (stored, { body }) => ({
    ...stored,
    mode: (body as TelephonyView).mode ?? stored.mode,
  }));
  const page = showInConsole(<TelephonyPage />);
  await page.findByRole('region', { name: 'How agents telephone' });
  const press = (name: string) => page.user.click(page.getByRole('button', { name }));
  return { gateway, page, press };
}

it('saves nothing that was typed for another way of telephoning, which nobody sees any more', async () => {
  const { gateway, page, press } = await open();
  await page.user.click(page.getByRole('radio', { name: 'SIP in the browser' }));
  await page.user.type(page.getByLabelText(/^WebSocket address/), 'ws://wrong.example.com');
  await page.user.click(page.getByRole('radio', { name: 'Desk phone' }));
  await press('Save');
  await page.findByText('Telephony is saved; softphones have it at once.');
  expect(gateway.changes).toEqual([{ mode: 'desk_phone' }]);
});

it('tells what becomes of a credential that is stored', async () => {
  const { page } = await open({
    mode: 'sip',
    sip_wss_url: 'wss://pbx.example.com/ws',
    ice_servers: [{ urls: ['turn:turn.example.com'], username: 'ada', credential_set: true, secret_set: false }],
  });
  expect(page.getByPlaceholderText('Set; not shown')).toBeTruthy();
  await page.user.type(page.getByLabelText('User of server 1'), 'x');
  await page.findByText('The stored one belongs to the former URLs and user, and ends with them.');
  await page.user.type(page.getByLabelText('User of server 1'), '{Backspace}');
  expect(page.getByPlaceholderText('Set; not shown')).toBeTruthy();
});

describe('a TURN server', () => {
  const sip = { mode: 'sip', sip_wss_url: 'wss://pbx.example.com/ws' } as const;
  const turn = { urls: ['turn:turn.example.com'] };

  it('is added with a secret that it shares, and without a user', async () => {
    const { gateway, page, press } = await open(sip);
    await press('Add a server');
    await page.user.type(page.getByLabelText('URLs of server 1'), 'turn:turn.example.com');
    expect(page.queryByLabelText('User of server 1')).toBeNull();
    await page.user.type(page.getByLabelText('Shared secret of server 1'), 'north');
    await press('Save');
    await page.findByText('Telephony is saved; softphones have it at once.');
    expect(gateway.changes).toEqual([{ ice_servers: [{ ...turn, secret: 'north' }] }]);
  });

  it('that shares a secret is saved with another URL beside it, and its secret is not typed again', async () => {
    const shared = { ...turn, username: null, credential_set: false, secret_set: true };
    const { gateway, page, press } = await open({ ...sip, ice_servers: [shared] });
    expect(page.getByPlaceholderText('Set; not shown')).toBeTruthy();
    await press('Add a server');
    await page.user.type(page.getByLabelText('URLs of server 2'), 'stun:turn.example.com');
    await press('Save');
    await page.findByText('Telephony is saved; softphones have it at once.');
    expect(gateway.changes).toEqual([{ ice_servers: [turn, { urls: ['stun:turn.example.com'] }] }]);
  });

  it('with a fixed user is made one with a secret, and its password is not meant by that', async () => {
    const fixed = { ...turn, username: 'ada', credential_set: true, secret_set: false };
    const { gateway, page, press } = await open({ ...sip, ice_servers: [fixed] });
    await page.user.click(page.getByLabelText('Log-in of server 1'));
    await page.user.click(await page.findByText('Secret shared with the TURN server'));
    expect(page.queryByPlaceholderText('Set; not shown')).toBeNull();
    await page.user.type(page.getByLabelText('Shared secret of server 1'), 'north');
    await press('Save');
    await page.findByText('Telephony is saved; softphones have it at once.');
    expect(gateway.changes).toEqual([{ ice_servers: [{ ...turn, secret: 'north' }] }]);
  });
});

it('tells the PBX the call’s id in a header or in none, reads the number called, and knows its echo test', async () => {
  const { gateway, page, press } = await open({ mode: 'sip', sip_wss_url: 'wss://pbx.example.com/ws' });
  const header = page.getByLabelText('Header with the call’s ID');
  expect(header).toHaveProperty('value', 'X-Readyline-Call-Id');
  await page.user.clear(header);
  await page.user.type(page.getByLabelText('Header with the number called'), ' X-DID ');
  await page.user.type(page.getByLabelText('Header with the queue'), 'X-Queue');
  await page.user.type(page.getByLabelText('Number of the echo test'), '*43');
  await press('Save');
  await page.findByText('Telephony is saved; softphones have it at once.');
  expect(gateway.changes).toEqual([
    { call_id_header: '', dialed_number_header: 'X-DID', queue_header: 'X-Queue', echo_number: '*43' },
  ]);
});

it('has calls transferred by tones, with a feature code of the PBX', async () => {
  const { gateway, page, press } = await open({ mode: 'sip', sip_wss_url: 'wss://pbx.example.com/ws' });
  const code = page.getByLabelText('Transfer code');
  expect(code).toHaveProperty('placeholder', '{number}');
  await page.user.click(page.getByLabelText('How calls are transferred', { selector: 'input' }));
  await page.user.click(await page.findByText('Tones in the call'));
  expect(code).toHaveProperty('placeholder', '*2,{number}');
  await page.user.type(code, '##{{number}#');
  await press('Save');
  await page.findByText('Telephony is saved; softphones have it at once.');
  expect(gateway.changes).toEqual([{ transfer_by: 'tones', transfer_code: '##{number}#' }]);
});
