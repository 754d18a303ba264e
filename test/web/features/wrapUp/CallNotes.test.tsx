// @vitest-environment happy-dom
import { fireEvent, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { CallSummary, CallView } from '../../../../src/contract/calls.ts';
import type { SessionSettings } from '../../../../src/contract/telephony.ts';
import { useKeptDrafts } from '../../../../web/src/features/wrapUp/useKeptDrafts.ts';
import { WrapUp } from '../../../../web/src/features/wrapUp/WrapUp.tsx';
import { dialingCall } from '../../../support/gateway/fakeGateway.ts';
import { later } from '../../../support/components/hook.ts';
import { type AskedRequest, answerRequests } from '../../../support/components/page.tsx';
import { endedCall, sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';

const tags = [{ code: 'price', label: 'Price' }];
const aMoment = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
const taken = () => ({ status: 200, body: {} });
let calls = 0;

/** A call that comes in, each time another. */
function ringing(): CallView {
  calls += 1;
  return { ...dialingCall(`5d1a2f0c-0000-4000-8000-00000000001${calls}`), direction: 'inbound', state: 'ringing' };
}

function Notes({ call, isPassive = false, isOver = false }: { call: CallView; isPassive?: boolean; isOver?: boolean }) {
  useKeptDrafts(isPassive);
  if (isPassive) return null;
  return (
    <WrapUp
      call={isOver ? endedCall({ id: call.id }) : call}
      phase={isOver ? 'running' : 'lasts'}
      leave={() => {}}
      onDone={() => {}}
    />
  );
}

function shown(call: CallView, settings: Partial<SessionSettings> = { tags, free_tags: true }) {
  const page = showInSoftphone(<Notes call={call} />, {
    view: { settings: sessionSettings(settings) },
    workplace: { extendWrapUp: async () => {} },
  });
  return {
    page,
    notes: () => page.getByRole('textbox', { name: 'Notes' }),
    field: () => page.getByRole('combobox', { name: 'Tags' }),
  };
}

/** The agent looks at another window. */
const turnAway = () => fireEvent.blur(window);
const bodiesOf = (requests: AskedRequest[]) => requests.map(({ method, path, body }) => [`${method} ${path}`, body]);

describe('notes and tags during a call', () => {
  it('are kept by the gateway from the first ring, at the latest when the agent turns away', async () => {
    const requests = answerRequests(taken);
    const call = ringing();
    const { page, notes, field } = shown(call);
    await page.user.type(notes(), 'Asks for the list');
    await page.user.type(field(), 'Price{Enter}In a hurry{Enter}');
    expect(requests).toEqual([]);
    turnAway();
    await waitFor(() =>
      expect(bodiesOf(requests)).toEqual([
        [
          `PUT /api/calls/${call.id}/notes`,
          {
            notes: 'Asks for the list',
            tags: ['price', 'In a hurry'],
            code: null,
            callback_at: null,
            entered_at: aMoment,
          },
        ],
      ]),
    );
    // Nothing new is nothing to save.
    turnAway();
    await page.user.type(notes(), '!');
    turnAway();
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[1]?.body).toMatchObject({ notes: 'Asks for the list!', tags: ['price', 'In a hurry'] });
  });

  it('are saved without what a gateway of before does not know', async () => {
    const requests = answerRequests(({ body }) =>
      Object.keys(body as object).length > 1 ? { status: 400, body: { code: 'invalid_request' } } : taken(),
    );
    const { draft_at: _untold, ...ofBefore } = ringing();
    const { page, notes } = shown(ofBefore as CallView, {});
    await page.user.type(notes(), 'Asks');
    turnAway();
    await waitFor(() =>
      expect(requests.map(({ body }) => body)).toEqual([
        { notes: 'Asks', tags: [], code: null, callback_at: null },
        { notes: 'Asks' },
      ]),
    );
  });

  it('are shown as the gateway has kept them for another device', () => {
    const { page, notes } = shown({
      ...ringing(),
      notes_draft: 'From elsewhere',
      tags: [{ code: 'price', label: 'Price' }],
    });
    expect(notes()).toHaveProperty('value', 'From elsewhere');
    expect(page.getByText('Price')).toBeTruthy();
  });

  it('are those of the other device when the softphone comes back from there', async () => {
    answerRequests(taken);
    const call = ringing();
    const { page, notes } = shown(call);
    await page.user.type(notes(), 'Here');
    page.change(<Notes call={call} isPassive />);
    await waitFor(() => expect(sessionStorage.getItem(`readyline.wrap-up.${call.id}`)).toContain('"isSaved":true'));
    page.change(<Notes call={{ ...call, notes_draft: 'Here and there' }} />);
    expect(notes()).toHaveProperty('value', 'Here and there');
  });

  it('are those of this page where the gateway could not be told', async () => {
    const requests = answerRequests(() => ({ status: 503, body: { code: 'dependency_unavailable' } }));
    const call = ringing();
    const { page, notes } = shown(call);
    await page.user.type(notes(), 'Here');
    page.change(<Notes call={call} isPassive />);
    await waitFor(() => expect(requests).toHaveLength(1));
    page.change(<Notes call={{ ...call, notes_draft: 'Before', draft_at: '2020-01-01T00:00:00.000Z' }} />);
    expect(notes()).toHaveProperty('value', 'Here');
  });

  it('are those of another device where that was later, with words from here that the gateway never got', async () => {
    const requests = answerRequests(() => ({ status: 503, body: { code: 'dependency_unavailable' } }));
    const call = ringing();
    const { page, notes } = shown(call);
    await page.user.type(notes(), 'Here');
    page.change(<Notes call={call} isPassive />);
    await waitFor(() => expect(requests).toHaveLength(1));
    const later = new Date(Date.now() + 60_000).toISOString();
    page.change(<Notes call={{ ...call, notes_draft: 'There', draft_at: later, tags }} />);
    expect(notes()).toHaveProperty('value', 'There\nHere');
    expect(page.getByText('Price')).toBeTruthy();
  });

  it('go on in the wrap-up, with the focus at the letter where the agent was', async () => {
    answerRequests(taken);
    const call = ringing();
    const { page, notes } = shown(call);
    await page.user.type(notes(), 'Order 1', { initialSelectionStart: 0 });
    (notes() as HTMLTextAreaElement).setSelectionRange(6, 6);
    page.change(<Notes call={call} isOver />);
    expect(document.activeElement).toBe(notes());
    await page.user.keyboard('2');
    expect(notes()).toHaveProperty('value', 'Order 21');
    expect(page.queryByRole('radio', { checked: true })).toBeNull();
  });

  it('are one field from ring to save', () => {
    const call = ringing();
    const { page, notes } = shown(call);
    const field = notes();
    page.change(<Notes call={call} isOver />);
    expect(notes()).toBe(field);
  });

  it('leave the keyboard to the ways the call may have gone where the agent was not typing', async () => {
    answerRequests(taken);
    const call = ringing();
    const { page, notes } = shown(call, {
      dispositions: [{ code: 'resolved', label: 'Resolved', requires_callback_at: false }],
    });
    await page.user.type(notes(), 'Order');
    await page.user.click(document.body);
    page.change(<Notes call={call} isOver />);
    expect(document.activeElement).toBe(page.getByRole('radio', { name: 'Resolved' }));
    await page.user.keyboard('1');
    expect(page.getByRole('radio', { name: 'Resolved' })).toHaveProperty('checked', true);
  });
});

describe('the wrap-up', () => {
  it('saves what was chosen and when to call back, and shows another device’s choice in its own time', async () => {
    const requests = answerRequests(taken);
    const call = endedCall({
      id: '5d1a2f0c-0000-4000-8000-000000000099',
      code_draft: 'resolved',
      callback_at_draft: '2090-06-01T10:30:00.000Z',
    });
    const dispositions = ['Resolved', 'Other'].map((label) => ({
      code: label.toLowerCase(),
      label,
      requires_callback_at: false,
    }));
    const page = showInSoftphone(<Kept call={call} />, { view: { settings: sessionSettings({ dispositions }) } });
    expect(page.getByRole('radio', { name: 'Resolved' })).toHaveProperty('checked', true);
    const time = page.getByLabelText(/^Call back at/);
    expect(new Date((time as HTMLInputElement).value).toISOString()).toBe('2090-06-01T10:30:00.000Z');
    await page.user.click(page.getByRole('radio', { name: 'Other' }));
    const at = '2090-06-02T09:00';
    fireEvent.change(time, { target: { value: at } });
    // The page goes.
    fireEvent(window, new Event('pagehide'));
    await waitFor(() =>
      expect(requests.map(({ body }) => body)).toEqual([
        { notes: null, tags: [], code: 'other', callback_at: new Date(at).toISOString(), entered_at: aMoment },
      ]),
    );
  });

  it('saves nothing while it is being submitted, and goes on to do so where that was refused', async () => {
    const requests = answerRequests(taken);
    const call = endedCall({ id: '5d1a2f0c-0000-4000-8000-000000000098', code_draft: 'resolved' });
    const settings = sessionSettings({
      dispositions: [{ code: 'resolved', label: 'Resolved', requires_callback_at: false }],
    });
    const answer = later<void>();
    const page = showInSoftphone(<Kept call={call} />, {
      view: { settings },
      workplace: { submitDisposition: () => answer.promise },
    });
    await page.user.type(page.getByRole('textbox', { name: 'Notes' }), 'A quote{Control>}{Enter}{/Control}');
    turnAway();
    expect(requests).toEqual([]);
    answer.reject(new Error('no answer'));
    await page.findByRole('alert');
    turnAway();
    await waitFor(() =>
      expect(requests.map(({ body }) => body)).toMatchObject([{ notes: 'A quote', code: 'resolved' }]),
    );
  });
});

function Kept({ call }: { call: CallSummary }) {
  useKeptDrafts(false);
  return <WrapUp call={call} phase="late" leave={() => {}} onDone={() => {}} />;
}
