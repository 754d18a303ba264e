// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { CallView } from '../../../../src/contract/calls.ts';
import { WorkArea } from '../../../../web/src/features/softphone/WorkArea.tsx';
import type { WorkplaceView } from '../../../../web/src/features/workplace/workplace.ts';
import { clickOf, dialingCall } from '../../../support/gateway/fakeGateway.ts';
import { endedCall, showInSoftphone } from '../../../support/components/softphone.tsx';

const name = 'Grace Hopper';
const dialing: CallView = { ...dialingCall('5d1a2f0c-0000-4000-8000-000000000001'), customer_name: name };
const { pop: known } = clickOf(dialing.id);
const pop = { ...known, screen_pop: { name, vip_tier: 'gold', email: 'grace@example.com' } };
const can = { mute: true, hold: true, dtmf: true, transfer: true, incoming: true, reportsByHand: false };
const quiet: Partial<WorkplaceView> = {
  ...{ call: null, caller: null, pop: null, can, consult: null, isMuted: false, isHeld: false, isHeldByOther: false },
  ...{ isTransferring: false, isAnswering: false, isRecovering: false, voiceTrouble: null, voiceQuality: null, listeners: [], messages: [] },
};
const caller = { phoneNumber: '+15551230001', displayName: 'GRACE' };

function workArea(view: Partial<WorkplaceView>, toWrapUp: CallView | null, state: 'reserved' | 'on_call' | 'wrap_up' | 'ready') {
  const wrapUp = { call: toWrapUp, isLate: true, pick: () => {}, leave: () => {} };
  return showInSoftphone(<WorkArea wrapUp={wrapUp} onWrappedUp={() => {}} />, { view: { ...quiet, ...view }, agent: { state } });
}

const ringing: CallView = { ...dialing, direction: 'inbound', state: 'ringing' };
const over: CallView = { ...dialing, ...endedCall() };
const others: CallView = { ...over, id: '5d1a2f0c-0000-4000-8000-000000000002', customer_name: 'Ada Byron' };

it.each([
  ['that rings', { call: ringing, caller, pop }, null, 'reserved', [name]],
  ['that lasts', { call: { ...dialing, state: 'connected' }, pop }, null, 'on_call', [name]],
  ['whose record does not have it yet', { call: { ...dialing, customer_name: null }, pop }, null, 'on_call', [name]],
  ['that is wrapped up', { call: over, pop }, over, 'wrap_up', [name]],
  ['that is about to be dialed', { pop }, null, 'reserved', ['About to dial', name]],
  ['of before, which is wrapped up beside another customer', { pop }, others, 'ready', ['Ada Byron', name]],
  ['that is over and wrapped up', { pop }, null, 'ready', [name]],
] as const)('names the customer of a call %s once, as a heading', async (_which, view, toWrapUp, state, headings) => {
  const page = workArea(view, toWrapUp, state);
  if (toWrapUp !== null) await page.findByTestId('wrap-up');
  // What else is known of the customer stands below, in any case.
  expect((await page.findByTestId('customer-card')).textContent).toMatch(/gold.*grace@example\.com/);
  expect(page.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(headings);
  expect(page.getAllByText(name)).toHaveLength(1);
});

it('names who calls by their number where nobody knows more, once as well', async () => {
  const page = workArea({ call: { ...ringing, customer_name: null }, caller: { ...caller, displayName: null }, pop: known }, null, 'reserved');
  await page.findByText('Nothing is known about this number.');
  expect(page.getAllByText(/555/)).toHaveLength(1);
});
