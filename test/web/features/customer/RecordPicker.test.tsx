// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { ScreenPop } from '../../../../src/contract/screenPops.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import { CustomerCard } from '../../../../web/src/features/customer/CustomerCard.tsx';
import { recordAddress } from '../../../../web/src/shared/RecordLink.tsx';
import { showInSoftphone } from '../../../support/components/softphone.tsx';

const ada = {
  object: 'Contact',
  id: '1',
  name: 'Ada Byron',
  email: 'ada@example.org',
  account_number: 'A-17',
  vip_tier: 'Hot',
  record_url: 'https://acme.example/1',
};
const annabella = {
  object: 'Lead',
  id: '2',
  name: 'Annabella Byron',
  email: null,
  account_number: null,
  vip_tier: null,
  record_url: null,
};
const several: ScreenPop = { phone: '+14155552671', external_system: 'salesforce', candidates: [ada, annabella] };
const chosen: ScreenPop = {
  ...several,
  name: ada.name,
  external_id: ada.id,
  external_object: ada.object,
  record_url: ada.record_url,
};

function popOf(screen_pop: ScreenPop, more: Partial<CrmScreenPop> = {}): { pop: CrmScreenPop } {
  const about = {
    pop_id: 'p',
    call_id: 'c',
    trigger: 'inbound_ring',
    direction: 'inbound',
    phone_number: '+14155552671',
    found: true,
  } as const;
  return { pop: { ...about, screen_pop, expires_at: new Date().toISOString(), ...more } };
}

function show(view: { pop: CrmScreenPop }) {
  const picked: unknown[] = [];
  const chooseRecord = (callId: string, { id }: { id: string }) => Promise.resolve(void picked.push([callId, id]));
  return { picked, ...showInSoftphone(<CustomerCard isNamed={false} />, { workplace: { chooseRecord }, view }) };
}

it('tells apart those who share a number, and lets the agent choose by keys', async () => {
  const page = show(popOf(several));
  // The page fetches it when it is needed.
  expect(await page.findByText('2 records have this number. Who is it?')).toBeTruthy();
  const [first] = page.getAllByRole('button');
  for (const text of ['Ada Byron', 'Hot', 'Contact · Account A-17 · ada@example.org'])
    expect(first?.textContent).toContain(text);
  expect(document.activeElement).toBe(document.body);
  await page.user.tab();
  await page.user.keyboard('{Enter}');
  expect(page.picked).toEqual([['c', '1']]);
  page.become({ view: popOf(chosen) });
  expect(page.queryByText('Annabella Byron')).toBeNull();
  expect(document.activeElement?.textContent).toBe('Someone else');
  await page.user.keyboard('{Enter}');
  expect(document.activeElement?.textContent).toContain('Ada Byron');
  expect(document.activeElement?.getAttribute('aria-pressed')).toBe('true');
  await page.user.tab();
  await page.user.keyboard('{Enter}');
  expect(page.picked).toEqual([
    ['c', '1'],
    ['c', '2'],
  ]);
});

it('offers the contacts of the built-in CRM that share a number by what tells them apart', async () => {
  const [grace, vincent] = ['Grace', 'Vincent'].map((name) => ({
    ...annabella,
    object: 'builtin_contact',
    id: name,
    name,
    email: `${name.toLowerCase()}@example.org`,
  }));
  const shared: ScreenPop = { phone: '+14155552671', candidates: [grace!, vincent!] };
  const page = show(popOf(shared));
  const [first, second] = await page.findAllByRole('button');
  expect([first?.textContent, second?.textContent]).toEqual(['Gracegrace@example.org', 'Vincentvincent@example.org']);
  await page.user.click(second!);
  expect(page.picked).toEqual([['c', 'Vincent']]);
  page.become({ view: popOf({ ...shared, name: 'Vincent', contact_id: 'Vincent' }) });
  expect(page.queryByText('grace@example.org')).toBeNull();
  expect(page.getByText('Someone else')).toBeTruthy();
});

it('says that the record could not be chosen, and lets the agent try again', async () => {
  const chooseRecord = () => Promise.reject(new Error('no line'));
  const page = showInSoftphone(<CustomerCard isNamed={false} />, { workplace: { chooseRecord }, view: popOf(several) });
  await page.user.click(await page.findByText('Ada Byron'));
  expect((await page.findByRole('alert')).textContent).not.toBe('');
  expect(page.getByText('Annabella Byron')).toBeTruthy();
});

it('opens the record in a tab of its own, named by the CRM', () => {
  const page = show(popOf(chosen));
  const link = page.getByRole('link', { name: /^Open in Salesforce/ });
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    'https://acme.example/1',
    '_blank',
    'noopener noreferrer',
  ]);
});

it('says that the CRM is being asked, and afterwards what it knows', () => {
  const page = show(popOf({ phone: '+14155552671' }, { looking_up: true }));
  expect(page.getByText('Looking this number up in the CRM…')).toBeTruthy();
  expect(page.queryByText('Nothing is known about this number.')).toBeNull();
  page.become({ view: popOf({ phone: '+14155552671' }) });
  expect(page.getByText('Nothing is known about this number.')).toBeTruthy();
});

it.each([
  ['https://acme.example/1?a=b', 'https://acme.example/1?a=b'],
  ['http://127.0.0.1:8080/1', 'http://127.0.0.1:8080/1'],
  ['javascript:alert(1)', null],
  ['data:text/html,<script>', null],
  ['https://acme.example@evil.example/', null],
  ['/relative', null],
  ['', null],
])('takes %s as the address %s', (text, address) => {
  expect(recordAddress(text)).toBe(address);
});

it.each([
  ['hubspot', 'Open in HubSpot'],
  ['harbour_crm', 'Open in Harbour CRM'],
  ['acme-desk', 'Open in Acme Desk'],
  ['SAP C4C', 'Open in SAP C4C'],
  ['erp.example.com', 'Open in erp.example.com'],
  ['custom', 'Open in the CRM'],
])(
  'names the CRM of the record as people do, also one that this page does not know: %s',
  async (external_system, words) => {
    const page = show(
      popOf({ phone: '+14155552671', name: 'Ada Byron', external_system, record_url: 'https://acme.example/1' }),
    );
    expect((await page.findByRole('link')).textContent).toContain(words);
  },
);
