// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { CallView } from '../../../../src/contract/calls.ts';
import { CallStrip } from '../../../../web/src/features/crm/CallStrip.tsx';
import type { WorkplaceView } from '../../../../web/src/features/workplace/workplace.ts';
import { dialingCall } from '../../../support/gateway/fakeGateway.ts';
import { answerRequests } from '../../../support/components/page.tsx';
import { endedCall, showInSoftphone } from '../../../support/components/softphone.tsx';
import { eventually } from '../../../support/time/waiting.ts';

const can = { mute: true, hold: true, dtmf: true, transfer: 'refer' as const, incoming: true, reportsByHand: false };
const talking: CallView = {
  ...dialingCall('one'),
  state: 'connected',
  customer_name: 'Grace Hopper',
  answered_at: new Date(Date.now() - 65_000).toISOString(),
};
const quiet: Partial<WorkplaceView> = {
  callKey: 1,
  caller: null,
  pop: null,
  can,
  consult: null,
  isMuted: false,
  isHeld: false,
  isTransferring: false,
};

/** The strip of a page with that call, and what was done to it. */
function strip(view: Partial<WorkplaceView>) {
  const did: unknown[] = [];
  const note =
    (what: string) =>
    (...with_: unknown[]) =>
      void did.push([what, ...with_]);
  const workplace = {
    setMuted: note('mute'),
    setHeld: note('hold'),
    sendDtmf: note('tone'),
    hangUp: note('hang up'),
    transfer: note('transfer'),
    answer: note('answer'),
    reject: note('decline'),
    passOn: note('pass on'),
  };
  return { did, page: showInSoftphone(<CallStrip />, { view: { ...quiet, ...view }, workplace }) };
}

it('has everything that the call needs: mute, hold, keypad, transfer, hang up, and how long it lasts', async () => {
  answerRequests(() => ({ status: 200, body: { colleagues: [] } }));
  const { page, did } = strip({ call: talking });
  const shown = page.getByRole('region', { name: 'Call in progress' });
  expect(shown.textContent).toContain('Grace Hopper');
  expect(shown.textContent).toContain('Connected');
  expect(page.getByRole('timer', { name: 'Time of the call' }).textContent).toMatch(/^1:0\d$/);
  await page.user.click(page.getByRole('button', { name: 'Mute' }));
  await page.user.click(page.getByRole('button', { name: 'Hold' }));
  await page.user.click(page.getByRole('button', { name: 'Keypad' }));
  await page.user.click(await page.findByRole('button', { name: 'Hash' }));
  await page.user.click(page.getByRole('button', { name: 'Transfer' }));
  await page.user.type(await page.findByRole('textbox', { name: 'Number, extension or colleague' }), '1001');
  await page.user.click(page.getByRole('button', { name: 'Transfer now' }));
  await page.user.click(page.getByRole('button', { name: 'Hang up' }));
  expect(did).toEqual([['mute', true], ['hold', true], ['tone', '#'], ['transfer', 1, '1001'], ['hang up']]);
});

it('has everything for who calls: answer, decline, pass on', async () => {
  answerRequests(() => ({ status: 200, body: { colleagues: [], teams: [], own: [], shared: [], version: 0 } }));
  const { page, did } = strip({ call: null, caller: { phoneNumber: '+15551230001', displayName: null } });
  await page.user.click(page.getByRole('button', { name: 'Answer' }));
  await page.user.click(page.getByRole('button', { name: 'Decline' }));
  await page.user.click(await page.findByRole('button', { name: 'Pass on…' }));
  await page.user.type(page.getByRole('textbox'), '1003{Enter}');
  await eventually(() => expect(did).toEqual([['answer'], ['decline'], ['pass on', 1, '1003']]));
});

it('tells for how long the customer has been on hold, and that they do not hear the agent', () => {
  const { page } = strip({
    call: { ...talking, state: 'held', held_at: new Date(Date.now() - 12_000).toISOString() },
    isHeld: true,
    isMuted: true,
  });
  expect(page.getByRole('timer', { name: 'Time on hold' }).textContent).toMatch(/^0:1\d$/);
  expect(page.getByRole('region').textContent).toMatch(/On hold.*Muted/);
  expect(page.getByRole('button', { name: 'Resume' })).toBeTruthy();
});

it('asks the agent of a desk phone what happens', async () => {
  const { page } = strip({ call: talking, can: { ...can, reportsByHand: true } });
  expect(await page.findByRole('button', { name: 'Ended' })).toBeTruthy();
  expect(page.queryByRole('button', { name: 'Hang up' })).toBeNull();
});

it('names whose call is to be wrapped up', () => {
  const page = showInSoftphone(<CallStrip />, {
    view: { ...quiet, call: { ...dialingCall('one'), ...endedCall() } },
    agent: { state: 'wrap_up' },
  });
  expect(page.getByRole('region').textContent).toContain('Grace Hopper');
  expect(page.getByRole('link', { name: 'Wrap up' }).getAttribute('href')).toBe('#/');
});
