// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { PopField, PopLayout } from '../../../../src/contract/popLayout.ts';
import type { PreviousCallsView } from '../../../../src/contract/previousCalls.ts';
import type { ScreenPop } from '../../../../src/contract/screenPops.ts';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import { CustomerCard } from '../../../../web/src/features/customer/CustomerCard.tsx';
import type { WorkplaceView } from '../../../../web/src/features/workplace/workplace.ts';
import { answerRequests } from '../../../support/components/page.tsx';
import { endedCall, sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';
import { agentView } from '../../../support/gateway/fakeGateway.ts';

const grace = '+14155552671';
const call = endedCall({ phone: grace });
const about = {
  pop_id: 'p',
  call_id: call.id,
  trigger: 'inbound_ring',
  direction: 'inbound',
  phone_number: grace,
  found: true,
} as const;
const popOf = (screen_pop: ScreenPop, more: Partial<CrmScreenPop> = {}): CrmScreenPop => ({
  ...about,
  screen_pop,
  expires_at: new Date().toISOString(),
  ...more,
});
const layoutOf = (fields: PopField[], more: Partial<PopLayout> = {}): PopLayout => ({
  version: 1,
  fields,
  contact_fields: [],
  updated_at: null,
  ...more,
});
const arranged = (layout: PopLayout) => ({ settings: sessionSettings({ pop: layout }) });

function show(view: Partial<WorkplaceView>, previous: PreviousCallsView = { calls: [], last_spoken: null }) {
  const asked = answerRequests(() => ({ status: 200, body: previous }));
  return { asked, page: showInSoftphone(<CustomerCard isNamed={false} />, { view: { caller: null, ...view } }) };
}

/** What stands on the card, name and value of each field in its order. */
const listed = (card: HTMLElement) =>
  Array.from(card.querySelectorAll('dt'), (name) => [name.textContent, name.nextElementSibling?.textContent]);
/** Where the numbers of phones are as they came: their formats are loaded later. */
const crm = { plan: 'pro', renewal: '2026-12-18', score: 7, revenue: 12500.5, currency: 'EUR' };

it('shows fields as the company has arranged them, pinned ones first and large, others as in the CRM', async () => {
  const rules: PopField[] = [
    { key: 'revenue', label: 'Contract value', format: 'money', currency_key: 'currency' },
    { key: 'plan', pinned: true },
    { key: 'score', hidden: true },
  ];
  const { page } = show({ pop: popOf({ name: 'Grace Hopper', crm }), ...arranged(layoutOf(rules)) });
  expect((await page.findByTestId('pinned-fields')).textContent).toBe('Planpro');
  expect(listed(page.container)).toEqual([
    ['Plan', 'pro'],
    ['Contract value', '€12,500.50'],
    ['Renewal', 'Dec 18, 2026'],
    ['Currency', 'EUR'],
  ]);
  expect(page.getByText('€12,500.50').getAttribute('title')).toBe('12500.5');
});

it('shows the pop that is open in the new arrangement at once', async () => {
  const pop = popOf({ crm });
  const { page } = show({ pop });
  await page.findByText('pro');
  expect(listed(page.container).map(([name]) => name)).toEqual(['Plan', 'Renewal', 'Score', 'Revenue', 'Currency']);
  page.become({ view: { pop, ...arranged(layoutOf([{ key: 'currency', label: 'Paid in' }])) } });
  expect(listed(page.container).map(([name]) => name)).toEqual(['Paid in', 'Plan', 'Renewal', 'Score', 'Revenue']);
});

it('keeps every digit, and shows addresses and numbers as what they are', async () => {
  const exact =
    '{"id":554023000000235001,"mail":"grace@mail.example","site":"https://crm.example/7",' +
    '"bad":"javascript:alert(1)","mobile":"+4930123456"}';
  const { page } = show({
    pop: popOf(
      { email: 'g@mail.example', crm: JSON.parse(exact) as Record<string, unknown> },
      { exact: { crm: exact } },
    ),
  });
  await page.findByText('554023000000235001');
  const links = page.getAllByRole('link').map((link) => [link.getAttribute('href'), link.getAttribute('rel')]);
  expect(links).toEqual([
    ['mailto:g@mail.example', 'noopener noreferrer'],
    ['mailto:grace@mail.example', 'noopener noreferrer'],
    ['https://crm.example/7', 'noopener noreferrer'],
  ]);
  expect(page.getByText('javascript:alert(1)').closest('a')).toBeNull();
  expect(page.getByTitle('+4930123456').getAttribute('dir')).toBe('ltr');
});

it('calls a contact’s own fields as the company does', async () => {
  const contact_fields = [
    { key: 'plan', label: 'Vertrag', kind: 'choice' as const },
    { key: 'revenue', label: 'Umsatz', kind: 'number' as const },
  ];
  const known = { crm: { plan: 'pro', revenue: 12500.5 } };
  const { page } = show({ pop: popOf(known), ...arranged(layoutOf([], { contact_fields })) });
  await page.findByText('Plan');
  page.become({
    view: {
      pop: popOf({ ...known, contact_id: '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b' }),
      ...arranged(layoutOf([], { contact_fields })),
    },
  });
  expect(listed(page.container)).toEqual([
    ['Vertrag', 'pro'],
    ['Umsatz', '12,500.5'],
  ]);
});

it('lets the agent choose between several records, whose fields are arranged by their kind', async () => {
  const one = {
    object: 'Contact',
    id: '1',
    name: 'Ada Byron',
    email: null,
    account_number: null,
    vip_tier: null,
    record_url: null,
  };
  const other = { ...one, object: 'Lead', id: '2', name: 'Annabella Byron' };
  const several: ScreenPop = { crm: { plan: 'pro' }, external_system: 'salesforce', candidates: [one, other] };
  const rules: PopField[] = [
    { key: 'plan', label: 'Contract' },
    { key: 'plan', object: 'Lead', label: 'Interest', pinned: true },
  ];
  const settings = arranged(layoutOf(rules));
  const { page } = show({ pop: popOf(several), ...settings });
  expect((await page.findAllByRole('button')).map((button) => button.textContent)).toEqual([
    expect.stringContaining('Ada Byron'),
    expect.stringContaining('Annabella Byron'),
  ]);
  await page.findByText('Contract');
  page.become({
    view: {
      pop: popOf({ ...several, name: other.name, external_id: other.id, external_object: other.object }),
      ...settings,
    },
  });
  expect((await page.findByTestId('pinned-fields')).textContent).toBe('Interestpro');
  expect(page.getByRole('button', { name: 'Someone else' })).toBeTruthy();
});

const anna = { id: '0b5bd0a6-5b0c-4f0f-9f0e-000000000007', name: 'Anna Meier' };
// Half a minute more: a page's clock is read at another moment than this one.
const at = new Date(Date.now() - 5.5 * 60_000).toISOString();
const previous: PreviousCallsView = {
  calls: [
    {
      ...{ id: '0b5bd0a6-5b0c-4f0f-9f0e-000000000001', kind: 'call', at, by: anna, text: null, edits: [] },
      call: {
        direction: 'inbound',
        state: 'ended',
        phone_number: grace,
        end_reason: 'completed',
        end_detail: null,
        answered_at: at,
        ended_at: at,
        talk_seconds: 192,
        disposition: { code: 'sold', label: 'Sold', notes: 'Wants an offer by Monday', callback_at: null },
        tags: [],
      },
    },
  ],
  last_spoken: { at, agent: anna },
};

it('tells who spoke to the customer last, and the calls before with what was noted', async () => {
  const { page, asked } = show({ pop: popOf({}), call: call as WorkplaceView['call'] }, previous);
  const text = (await page.findByText(/Last spoke with/)).textContent?.replaceAll(/[⁦-⁩]/g, '');
  expect(text).toMatch(/^Last spoke with Anna Meier, (?:5 minutes ago|yesterday)$/);
  const list = await page.findByRole('region', { name: 'Last calls' });
  for (const part of ['Sold', 'Wants an offer by Monday', 'Incoming · ', '3:12 · Anna Meier'])
    expect(list.textContent).toContain(part);
  expect(asked.map(({ path }) => path)).toEqual([`/api/calls/${call.id}/previous`]);
});

it('says You to whoever that was', async () => {
  const { page } = show(
    { pop: popOf({}), call: call as WorkplaceView['call'] },
    { calls: [], last_spoken: { at, agent: { id: agentView().agent_id, name: 'Ada' } } },
  );
  expect((await page.findByText(/Last spoke with you, /)).textContent).not.toContain('Ada');
});

it('asks for nothing where the number is withheld, or the gateway knows nothing of the call yet', async () => {
  for (const view of [
    { pop: popOf({ crm }, { phone_number: null }), call: call as WorkplaceView['call'] },
    { pop: popOf({ crm }), call: null },
  ]) {
    const { page, asked } = show(view, previous);
    await page.findAllByText('pro');
    expect(asked).toEqual([]);
    expect(page.queryByText(/Last spoke/)).toBeNull();
    page.unmount();
  }
});
