// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { SpeedDials } from '../../../../src/contract/dialing.ts';
import type { TransferWay } from '../../../../src/contract/vocabulary.ts';
import { TransferPanel } from '../../../../web/src/features/calls/TransferPanel.tsx';
import { answerRequests, type AskedRequest } from '../../../support/components/page.tsx';
import { sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';
import { gate } from '../../../support/time/gate.ts';
import { eventually } from '../../../support/time/waiting.ts';

const contacts = [
  { id: '1', name: 'Grace Hopper', phone_number: '+15551230001', organisation: null, do_not_call: false },
  { id: '2', name: 'Grace Kelly', phone_number: '+15551230002', organisation: null, do_not_call: true },
  { id: '3', name: 'Grace Jones', phone_number: null, organisation: null, do_not_call: false },
];
const kept: SpeedDials = {
  own: [{ name: 'Taxi', phone_number: '+15551230003' }],
  shared: [{ name: 'Grace at the front desk', phone_number: '+15551230001' }],
  version: 1,
};
type Answer = { status: number; body: object };

/** The panel by which a call is handed on. `mayDial`: what the gateway says of a number; null: it cannot be asked. */
function panel({
  mayDial = ({ phone }) => ({ status: 200, body: { phone_number: phone } }),
  country = null,
  speedDials = { own: [], shared: [], version: 0 },
  way = 'refer',
}: {
  mayDial?: (asked: { phone: string }) => Answer | Promise<Answer> | null;
  country?: string | null;
  speedDials?: SpeedDials;
  way?: TransferWay;
} = {}) {
  const requests = answerRequests(({ path }: AskedRequest) => {
    const { pathname, searchParams } = new URL(path, 'http://gateway');
    if (pathname === '/api/me/speed-dials') return { status: 200, body: speedDials };
    if (pathname === '/api/crm/search') return { status: 200, body: { contacts, organisations: [] } };
    if (pathname !== '/api/me/may-dial') return { status: 200, body: { colleagues: [], teams: [] } };
    return (
      mayDial({ phone: searchParams.get('phone') ?? '' }) ?? { status: 503, body: { code: 'dependency_unavailable' } }
    );
  });
  const handedOn: string[] = [];
  const page = showInSoftphone(<TransferPanel onClose={() => {}} />, {
    workplace: {
      transfer: (key, to) => void handedOn.push(key === 1 ? to : 'another call'),
      consult: (key, to) => void handedOn.push(key === 1 ? `first ${to}` : 'another call'),
    },
    view: {
      line: 'connected',
      callKey: 1,
      can: { mute: true, hold: true, dtmf: true, transfer: way, incoming: true, reportsByHand: false },
      consult: null,
      isTransferring: false,
      reservedColleague: null,
      settings: sessionSettings({ default_country: country, contacts: true }),
    },
  });
  const handOn = async (number: string) => {
    await page.user.type(page.getByRole('textbox', { name: 'Number, extension or colleague' }), `${number}{Enter}`);
  };
  return { page, requests, handedOn, handOn };
}

it('offers speed dials before anything is typed, then those that are meant; nobody twice', async () => {
  const { page, handedOn } = panel({ speedDials: kept });
  const list = await page.findByRole('list', { name: 'Speed dial' });
  expect(list.textContent).toMatch(/Taxi.*Grace at the front desk/);
  await page.user.type(page.getByRole('textbox'), 'grace');
  const contactList = await page.findByRole('list', { name: 'Contacts' });
  expect(page.getByRole('list', { name: 'Speed dial' }).textContent).not.toContain('Taxi');
  expect(contactList.textContent).not.toContain('Grace Hopper');
  await page.user.click(page.getByRole('button', { name: 'Call Grace at the front desk first' }));
  await eventually(() => expect(handedOn).toEqual(['first +15551230001']));
});

it('finds contacts by name: those with a number, and not those who do not want to be called', async () => {
  const { page, handedOn } = panel();
  await page.user.type(page.getByRole('textbox'), 'grace');
  const list = await page.findByRole('list', { name: 'Contacts' });
  expect(list.textContent).toMatch(/Grace Hopper.*Grace Kelly/);
  expect(list.textContent).not.toContain('Jones');
  expect((page.getByRole('button', { name: /^Grace Kelly/ }) as HTMLButtonElement).disabled).toBe(true);
  await page.user.click(page.getByRole('button', { name: 'Call Grace Hopper first' }));
  await eventually(() => expect(handedOn).toEqual(['first +15551230001']));
  await page.user.click(page.getByRole('button', { name: /^Grace Hopper/ }));
  await eventually(() => expect(handedOn).toEqual(['first +15551230001', '+15551230001']));
});

it('hands nothing on to a number that is not to be called, and says why', async () => {
  const { page, handedOn, handOn } = panel({
    mayDial: () => ({ status: 409, body: { code: 'do_not_call', cause: { code: 'on_do_not_dial_list' } } }),
  });
  await handOn('+1 555 123-0001');
  await page.findByText('This number is on the company’s do-not-dial list.');
  expect(handedOn).toEqual([]);
});

it.each([
  [
    'a national number as the gateway reads it',
    '030 130001',
    () => ({ status: 200, body: { phone_number: '+4930130001' } }),
    '+4930130001',
  ],
  ['a number as it was written, where the gateway cannot be asked', '030 130001', () => null, '030130001'],
  ['an international number all the same then', '+49 30 130001', () => null, '+4930130001'],
])('hands on to %s', async (_what, written, mayDial, dialed) => {
  const { handedOn, handOn } = panel({ mayDial, country: 'DE' });
  await handOn(written);
  await eventually(() => expect(handedOn).toEqual([dialed]));
});

it('hands on to an extension without asking', async () => {
  const { handedOn, handOn, requests } = panel({ country: 'DE' });
  await handOn('1001');
  await eventually(() => expect(handedOn).toEqual(['1001']));
  expect(requests.filter(({ path }) => path.includes('may-dial'))).toEqual([]);
});

it('hands nothing on where the agent cancels while the gateway is asked', async () => {
  const asked = gate();
  asked.shut();
  const { handedOn, handOn, page } = panel({
    mayDial: ({ phone }) => asked.pass(async () => ({ status: 200, body: { phone_number: phone } })),
  });
  await handOn('+1 555 123-0001');
  await asked.reached();
  page.unmount();
  asked.open();
  // Whatever else was asked for later has been done by now.
  await asked.pass(() => new Promise((done) => setImmediate(done)));
  expect(handedOn).toEqual([]);
});

it('offers to call nobody first where the PBX hands calls on by tones', async () => {
  const { page, handedOn, handOn } = panel({ way: 'tones', speedDials: kept });
  await page.findByText('Your PBX calls them. A Ready colleague sees the customer before it rings.');
  expect(page.queryByRole('button', { name: /Call .*first/ })).toBeNull();
  await handOn('1001');
  await eventually(() => handedOn.join() === '1001');
});
