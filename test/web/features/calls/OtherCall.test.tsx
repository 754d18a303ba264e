// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { CallView } from '../../../../src/contract/calls.ts';
import type { ColleagueView } from '../../../../src/contract/colleagues.ts';
import { OtherCall } from '../../../../web/src/features/calls/OtherCall.tsx';
import type { WorkplaceView } from '../../../../web/src/features/workplace/workplace.ts';
import { answerRequests } from '../../../support/components/page.tsx';
import { sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';
import { dialingCall } from '../../../support/gateway/fakeGateway.ts';
import { gate } from '../../../support/time/gate.ts';
import { eventually } from '../../../support/time/waiting.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
const rung: CallView = {
  ...dialingCall('other'),
  ...{ direction: 'inbound', state: 'ringing', customer_name: 'Grace Hopper', dialed_number: '+4930123456' },
};
const caller = { phoneNumber: '+15551230001', displayName: 'GRACE' };
const ringing = { key: 2, call: rung, caller, since: secondsAgo(5), isTurning: false };
const onHold = {
  key: 2,
  ...{ call: { ...rung, state: 'held', held_at: secondsAgo(65) } satisfies CallView, caller: null },
  ...{ since: secondsAgo(600), isTurning: false },
};

const can = { mute: true, hold: true, dtmf: true, transfer: 'refer' as const, incoming: true, reportsByHand: false };
const ben: ColleagueView = {
  ...{ id: '0190a000-0000-7000-8000-0000000000a2', name: 'Ben Bold', agent_code: 'a101' },
  ...{ state: 'ready', since: secondsAgo(60), extension: '1002' },
};

/** The call beside another one, and what was done about it. */
function beside(other: WorkplaceView['other'], view: Partial<WorkplaceView> = {}) {
  const did: string[] = [];
  const workplace = {
    turnToOther: () => void did.push('turn'),
    rejectOther: () => void did.push('decline'),
    passOn: (key: number, to: string) => void did.push(`pass ${String(key)} on to ${to}`),
  };
  const settings = sessionSettings({ lines: [{ name: 'Sales Germany', phone_number: '+4930123456' }] });
  const quiet = { can, consult: null, isTransferring: false, reservedColleague: null, settings };
  return { did, page: showInSoftphone(<OtherCall />, { workplace, view: { ...quiet, other, ...view } }) };
}

it('who calls beside a call is shown by name, line and waiting time, and is answered or declined', async () => {
  const { did, page } = beside(ringing);
  const region = page.getByRole('region', { name: 'Other call' });
  expect(region.textContent).toContain('Grace Hopper');
  expect(region.textContent).toContain('Sales Germany');
  expect(page.getByRole('timer', { name: 'Time of the other call' }).textContent).toMatch(/^0:0[5-9]$/);
  await page.user.click(page.getByRole('button', { name: 'Hold and answer' }));
  await page.user.click(page.getByRole('button', { name: 'Decline' }));
  expect(did).toEqual(['turn', 'decline']);
});

it('who is on hold beside a call is shown with the time of the hold, and is gone on with', async () => {
  const { did, page } = beside(onHold);
  expect(page.getByRole('timer').textContent).toMatch(/^1:0[5-9]$/);
  expect(page.queryByRole('button', { name: 'Decline' })).toBeNull();
  await page.user.click(page.getByRole('button', { name: 'Switch to this call' }));
  expect(did).toEqual(['turn']);
});

it('nobody is turned to while a colleague is asked about the call, or is to get it', () => {
  for (const view of [
    { consult: { to: '1002', step: 'talking', with: 'colleague' } },
    { isTransferring: true },
    { reservedColleague: { name: null } },
  ] satisfies Partial<WorkplaceView>[]) {
    const { page } = beside(onHold, view);
    expect(page.getByRole('button', { name: 'Switch to this call' }).hasAttribute('disabled')).toBe(true);
    page.unmount();
  }
});

it('where there is no other call, nothing is shown', () => {
  expect(beside(null).page.queryByRole('region')).toBeNull();
});

it('who calls is passed on to whoever is chosen, at once: nobody is called first, or reserved', async () => {
  answerRequests(() => ({ status: 200, body: { colleagues: [ben], teams: [], own: [], shared: [], version: 0 } }));
  const { did, page } = beside(ringing);
  await page.user.click(await page.findByRole('button', { name: 'Pass on…' }));
  await page.findByRole('button', { name: /Ben/ });
  expect(page.queryByRole('button', { name: /first/ })).toBeNull();
  expect(page.queryByRole('button', { name: 'Whoever is Ready longest' })).toBeNull();
  await page.user.click(page.getByRole('button', { name: /Ben/ }));
  await eventually(() => expect(did).toEqual(['pass 2 on to 1002']));
  await page.user.click(await page.findByRole('button', { name: 'Pass on…' }));
  await page.user.type(page.getByRole('textbox'), '1003{Enter}');
  await eventually(() => expect(did).toEqual(['pass 2 on to 1002', 'pass 2 on to 1003']));
});

it('a choice for who called before is none for who calls now', async () => {
  const asked = gate();
  asked.shut();
  answerRequests(({ path }) => {
    const nobody = { status: 200, body: { colleagues: [], teams: [], own: [], shared: [], version: 0 } };
    if (!path.startsWith('/api/me/may-dial')) return nobody;
    return asked.pass(async () => ({ status: 200, body: { phone_number: '+15551230009' } }));
  });
  const { did, page } = beside(ringing);
  await page.user.click(await page.findByRole('button', { name: 'Pass on…' }));
  await page.user.type(page.getByRole('textbox'), '+1 555 123-0009{Enter}');
  await asked.reached();
  page.become({ view: { other: { ...ringing, key: 3, call: { ...rung, id: 'next' } } } });
  await page.findByRole('button', { name: 'Pass on…' });
  expect(page.queryByRole('textbox')).toBeNull();
  asked.open();
  await asked.pass(() => new Promise((done) => setImmediate(done)));
  expect(did).toEqual([]);
});

it('whom a colleague hands on is answered or declined, and not passed on', () => {
  const from = { agent_id: ben.id, agent_code: 'a101', name: ben.name, extension: '1002', notes: null };
  const { page } = beside({ ...ringing, call: { ...rung, transferred_from: from } });
  expect(page.getByRole('button', { name: 'Decline' })).toBeTruthy();
  expect(page.queryByRole('button', { name: 'Pass on…' })).toBeNull();
});
