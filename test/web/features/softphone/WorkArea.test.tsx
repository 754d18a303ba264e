// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { useEffect } from 'react';
import { describe, expect, it } from 'vitest';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { CallView } from '../../../../src/contract/calls.ts';
import { WorkArea } from '../../../../web/src/features/softphone/WorkArea.tsx';
import type { WorkplaceView } from '../../../../web/src/features/workplace/workplace.ts';
import { useWorkplace } from '../../../../web/src/features/workplace/workplaceContext.ts';
import { answerRequests } from '../../../support/components/page.tsx';
import { clickOf, dialingCall } from '../../../support/gateway/fakeGateway.ts';
import { endedCall, showInSoftphone } from '../../../support/components/softphone.tsx';
import { eventually } from '../../../support/time/waiting.ts';

const name = 'Grace Hopper';
const dialing: CallView = { ...dialingCall('5d1a2f0c-0000-4000-8000-000000000001'), customer_name: name };
const { pop: known } = clickOf(dialing.id);
const pop = { ...known, screen_pop: { name, vip_tier: 'gold', email: 'grace@example.com' } };
const can = { mute: true, hold: true, dtmf: true, transfer: 'refer' as const, incoming: true, reportsByHand: false };
const quiet: Partial<WorkplaceView> = {
  ...{ call: null, caller: null, pop: null, can, consult: null, isMuted: false, isHeld: false, isHeldByOther: false },
  ...{
    isTransferring: false,
    isAnswering: false,
    isRecovering: false,
    voiceTrouble: null,
    voiceQuality: null,
    listeners: [],
    messages: [],
  },
};
const caller = { phoneNumber: '+15551230001', displayName: 'GRACE' };

const noWrapUp = { isLate: true, pick: () => {}, leave: () => {} };

/** What is to be wrapped up changes in the same moment as the call. */
let wrapsUp: { call: CallView | null; isLate: boolean } | null = null;

function Area({ first }: { first: CallView | null }) {
  useWorkplace();
  useEffect(() => () => void (wrapsUp = null), []);
  return <WorkArea wrapUp={{ ...noWrapUp, ...(wrapsUp ?? { call: first }) }} onWrappedUp={() => {}} />;
}

function workArea(
  view: Partial<WorkplaceView>,
  toWrapUp: CallView | null,
  state: 'reserved' | 'on_call' | 'wrap_up' | 'ready',
) {
  return showInSoftphone(<Area first={toWrapUp} />, { view: { ...quiet, ...view }, agent: { state } });
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
  // Who calls is a part of the page that comes when somebody does.
  await eventually(() =>
    expect(page.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(headings),
  );
  expect(page.getAllByText(name)).toHaveLength(1);
});

it('names who calls by their number where nobody knows more, once as well', async () => {
  const page = workArea(
    { call: { ...ringing, customer_name: null }, caller: { ...caller, displayName: null }, pop: known },
    null,
    'reserved',
  );
  await page.findByText('Nothing is known about this number.');
  await eventually(() => expect(page.queryAllByText(/555/)).toHaveLength(1));
});

describe('the notes of a call', () => {
  const notesOf = (page: ReturnType<typeof workArea>) =>
    page.findByRole('textbox', { name: 'Notes' }) as Promise<HTMLTextAreaElement>;
  const become = (
    page: ReturnType<typeof workArea>,
    view: Partial<WorkplaceView>,
    toWrapUp: CallView | null,
    state: AgentStateView['state'],
  ) => {
    wrapsUp = { call: toWrapUp, isLate: false };
    page.become({ view, agent: { state } });
  };

  it('are one field, with its focus, from before the gateway knows of the caller until the wrap-up', async () => {
    const requests = answerRequests(() => ({ status: 200, body: {} }));
    const unrecorded: CallView = { ...ringing, id: 'unrecorded', state: 'connected', answered_at: over.answered_at };
    const page = workArea({ call: unrecorded }, null, 'ready');
    const field = await notesOf(page);
    await page.user.type(field, 'Order ');
    become(page, { call: { ...ringing, state: 'connected', answered_at: over.answered_at } }, null, 'on_call');
    await page.user.keyboard('4711');
    become(page, { call: over }, over, 'wrap_up');
    await page.user.keyboard('4');
    expect(await notesOf(page)).toBe(field);
    expect(field.value).toBe('Order 47114');
    fireEvent(window, new Event('pagehide'));
    expect(requests.map(({ path }) => path).filter((path) => path.includes('unrecorded'))).toEqual([]);
    // The next one whom it does not know is another call.
    become(page, { call: unrecorded }, null, 'ready');
    expect((await notesOf(page)).value).toBe('');
  });

  it('of before stay in sight while another call rings, and go when that is answered', async () => {
    answerRequests(() => ({ status: 200, body: {} }));
    const page = workArea({ call: over }, others, 'ready');
    const field = await notesOf(page);
    await page.user.type(field, 'Wants');
    const next = { ...ringing, id: '5d1a2f0c-0000-4000-8000-000000000003' };
    become(page, { call: next, caller }, others, 'reserved');
    await page.user.keyboard(' a quote');
    expect(field.isConnected && field.value).toBe('Wants a quote');
    become(
      page,
      { call: { ...next, state: 'connected', answered_at: over.answered_at }, caller: null },
      others,
      'on_call',
    );
    expect(field.isConnected).toBe(false);
  });
});
