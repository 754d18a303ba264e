// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { SoftphoneRefusal } from '../../../../src/client/softphone.ts';
import type { CallSummary, DispositionRequest } from '../../../../src/contract/calls.ts';
import type { SessionSettings } from '../../../../src/contract/telephony.ts';
import { WrapUp } from '../../../../web/src/features/wrapUp/WrapUp.tsx';
import type { Workplace } from '../../../../web/src/features/workplace/workplace.ts';
import { later } from '../../../support/components/hook.ts';
import { endedCall, sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';
import { eventually } from '../../../support/time/waiting.ts';

const call = endedCall();
const settings = sessionSettings({
  dispositions: [
    { code: 'resolved', label: 'Resolved', requires_callback_at: false },
    { code: 'call_back', label: 'Call back', requires_callback_at: true },
  ],
});

type Needs = {
  ofCompany?: Partial<SessionSettings>;
  one?: CallSummary;
  isLate?: boolean;
  submit?: Workplace['submitDisposition'];
  endsInMs?: number;
  extend?: Workplace['extendWrapUp'];
};

/** The form of an ended call, and what it told. */
function wrapUp({
  ofCompany = {},
  one = call,
  isLate = false,
  submit,
  endsInMs = 60_000,
  extend = async () => {},
}: Needs = {}) {
  const submitted: [string, DispositionRequest][] = [];
  const left: string[] = [];
  const times = { done: 0 };
  const page = showInSoftphone(
    <WrapUp
      call={one}
      phase={isLate ? 'late' : 'running'}
      leave={(id) => left.push(id)}
      onDone={() => (times.done += 1)}
    />,
    {
      workplace: {
        submitDisposition: submit ?? (async (id, disposition) => void submitted.push([id, disposition])),
        extendWrapUp: extend,
      },
      agent: { state: 'wrap_up', call_id: call.id, wrap_up_ends_at: new Date(Date.now() + endsInMs).toISOString() },
      view: { settings: { ...settings, ...ofCompany } },
    },
  );
  const save = () => page.user.click(page.getByRole('button', { name: 'Save' }));
  return { page, submitted, left, times, save };
}

/** As the field for a time has it: local, to the minute. */
function localTime(inMs: number): string {
  const at = new Date(Date.now() + inMs);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

describe('the wrap-up of a call', () => {
  it('is not saved before it is said how the call went', async () => {
    const { page, submitted, save } = wrapUp();
    await save();
    expect((await page.findByRole('alert')).textContent).toBe('Choose how the call went.');
    await page.user.click(page.getByRole('radio', { name: 'Resolved' }));
    expect(page.queryByRole('alert')).toBeNull();
    await save();
    expect(submitted).toEqual([[call.id, { code: 'resolved' }]]);
  });

  it('as a call back needs a time, and one to come', async () => {
    const { page, submitted, save } = wrapUp();
    const time = () => page.getByLabelText(/^Call back at/);
    expect(time().getAttribute('aria-required')).toBe('false');
    await page.user.click(page.getByRole('radio', { name: 'Call back' }));
    expect(time().getAttribute('aria-required')).toBe('true');
    await save();
    expect((await page.findByRole('alert')).textContent).toBe('Choose when to call back.');
    fireEvent.change(time(), { target: { value: localTime(-3_600_000) } });
    await save();
    expect((await page.findByRole('alert')).textContent).toBe('The time to call back must be in the future.');
    const at = localTime(3_600_000);
    fireEvent.change(time(), { target: { value: at } });
    await save();
    expect(submitted).toEqual([
      [
        call.id,
        {
          code: 'call_back',
          callback_at: new Date(at).toISOString(),
          callback_time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        },
      ],
    ]);
  });

  it('is saved by Ctrl+Enter from anywhere on the page', async () => {
    for (const enter of [document.body, 'radio', 'combobox', 'time', 'save'] as const) {
      const { page, submitted } = wrapUp({
        ofCompany: { tags: [{ code: 'price', label: 'Price' }] },
        one: { ...call, code_draft: 'resolved' },
      });
      const places = {
        radio: page.getAllByRole('radio')[0]!,
        combobox: page.getByRole('combobox', { name: 'Tags' }),
        time: page.getByLabelText(/^Call back at/),
        save: page.getByRole('button', { name: 'Save' }),
      };
      if (typeof enter === 'string') places[enter].focus();
      await page.user.keyboard('{Control>}{Enter}{/Control}');
      expect(submitted).toEqual([[call.id, { code: 'resolved', tags: [] }]]);
      page.unmount();
    }
  });

  it('is saved by Ctrl+Enter from the notes, which are sent without the white space around them', async () => {
    const { page, submitted, left, times } = wrapUp();
    await page.user.keyboard('1');
    await page.user.type(page.getByLabelText('Notes'), '  wants a quote \n{Control>}{Enter}{/Control}');
    expect(submitted).toEqual([[call.id, { code: 'resolved', notes: 'wants a quote' }]]);
    expect([left, times.done]).toEqual([[call.id], 1]);
  });

  it('is saved by 1 and then Enter, from anywhere but where Enter means something else', async () => {
    const { page, submitted } = wrapUp({ isLate: true });
    await page.user.keyboard('{Enter}');
    expect((await page.findByRole('alert')).textContent).toBe('Choose how the call went.');
    await page.user.keyboard('1');
    await page.user.type(page.getByLabelText('Notes'), 'a quote{Enter}by mail');
    await page.user.click(page.getByLabelText(/^Call back at/));
    await page.user.click(document.body);
    const leave = page.getByRole('button', { name: 'Leave it' });
    leave.addEventListener('click', (event) => event.stopImmediatePropagation(), { capture: true });
    leave.focus();
    await page.user.keyboard('{Enter}');
    expect(submitted).toEqual([]);
    await page.user.click(document.body);
    await page.user.keyboard('2');
    expect(page.getByRole('radio', { name: 'Resolved' })).toHaveProperty('checked', true);
    for (const held of ['Alt', 'Shift']) await page.user.keyboard(`{${held}>}{Enter}{/${held}}`);
    expect(submitted).toEqual([]);
    page.getByRole('radio', { name: 'Resolved' }).focus();
    await page.user.keyboard('2');
    await page.user.keyboard('1');
    expect(document.activeElement).toBe(page.getByRole('radio', { name: 'Resolved' }));
    await page.user.keyboard('{Enter}');
    expect(submitted).toEqual([[call.id, { code: 'resolved', notes: 'a quote\nby mail' }]]);
  });

  it('is saved by Enter too where it was chosen on another device, and once', async () => {
    const submitted: unknown[] = [];
    const { page } = wrapUp({
      one: { ...call, code_draft: 'resolved' },
      submit: (...what) => (submitted.push(what), new Promise(() => {})),
    });
    await page.user.keyboard('{Enter}{Enter}');
    expect(page.queryByRole('alert')).toBeNull();
    expect(submitted).toEqual([[call.id, { code: 'resolved' }]]);
  });

  it('is marked with the company’s tags, and with words of one’s own where it allows that', async () => {
    const tags = [
      { code: 'price', label: 'Price' },
      { code: 'complaint', label: 'Complaint' },
    ];
    const bound = wrapUp({ ofCompany: { tags }, one: { ...call, tags: [{ code: 'gone', label: 'Was there' }] } });
    await bound.page.user.click(bound.page.getByRole('combobox', { name: 'Tags' }));
    await bound.page.user.click(await bound.page.findByRole('option', { name: 'Complaint' }));
    await bound.page.user.keyboard('In a hurry{Enter}1');
    expect(bound.submitted).toEqual([]);
    await bound.page.user.click(bound.page.getByRole('radio', { name: 'Resolved' }));
    await bound.save();
    expect(bound.submitted).toEqual([[call.id, { code: 'resolved', tags: ['gone', 'complaint'] }]]);
    bound.page.unmount();
    const free = wrapUp({ ofCompany: { tags, free_tags: true } });
    const field = free.page.getByRole('combobox', { name: 'Tags' });
    await free.page.user.type(field, 'price{Enter}In a hurry{Enter}');
    await free.page.user.click(free.page.getByRole('radio', { name: 'Resolved' }));
    await free.save();
    expect(free.submitted).toEqual([[call.id, { code: 'resolved', tags: ['price', 'In a hurry'] }]]);
  });

  it('has no tags where the company has none, or its gateway knows of none', () => {
    for (const ofCompany of [{ tags: [], free_tags: false }, {}]) {
      const { page } = wrapUp({ ofCompany });
      expect(page.queryByRole('combobox', { name: 'Tags' })).toBeNull();
      page.unmount();
    }
  });

  it('keeps what was typed until it is saved, over a page that is gone meanwhile', async () => {
    const first = wrapUp();
    await first.page.user.keyboard('1');
    await first.page.user.type(first.page.getByLabelText('Notes'), 'wants a quote');
    first.page.unmount();
    const second = wrapUp();
    expect(second.page.getByLabelText('Notes')).toHaveProperty('value', 'wants a quote');
    expect(second.page.getByRole('radio', { name: 'Resolved' })).toHaveProperty('checked', true);
    await second.save();
    second.page.unmount();
    expect(wrapUp().page.getByLabelText('Notes')).toHaveProperty('value', '');
  });

  it('that is refused says why, in the gateway’s words, and keeps every word', async () => {
    let refusals = 0;
    const { page, left, save } = wrapUp({
      submit: () => {
        refusals += 1;
        return Promise.reject(new SoftphoneRefusal({ code: 'conflict', detail: 'The call was wrapped up already.' }));
      },
    });
    await page.user.keyboard('1');
    await page.user.type(page.getByLabelText('Notes'), 'wants a quote');
    await save();
    expect((await page.findByRole('alert')).textContent).toBe('The call was wrapped up already.');
    expect(page.getByLabelText('Notes')).toHaveProperty('value', 'wants a quote');
    await save();
    expect([refusals, left]).toEqual([2, []]);
  });

  it('says at each field what is wrong with it, until that field is changed', async () => {
    const { page, save } = wrapUp();
    const time = page.getByLabelText(/^Call back at/);
    fireEvent.change(time, { target: { value: localTime(-3_600_000) } });
    await save();
    expect(page.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Choose how the call went.',
      'The time to call back must be in the future.',
    ]);
    expect(time.getAttribute('aria-invalid')).toBe('true');
    await page.user.keyboard('1');
    expect(page.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'The time to call back must be in the future.',
    ]);
    fireEvent.change(time, { target: { value: '' } });
    expect(page.queryByRole('alert')).toBeNull();
  });

  it('is saved once, however often Ctrl+Enter is pressed', async () => {
    const answer = later<void>();
    let times = 0;
    const { page, left } = wrapUp({ submit: () => ((times += 1), answer.promise) });
    await page.user.keyboard('1');
    await page.user.type(page.getByLabelText('Notes'), 'a quote{Control>}{Enter}{Enter}{/Control}');
    expect([times, left]).toEqual([1, []]);
    answer.resolve();
    await eventually(() => expect(left).toEqual([call.id]));
  });

  it('is kept word by word where nobody answers, and saved the next time', async () => {
    let times = 0;
    const { page, left, save } = wrapUp({
      submit: () => ((times += 1) === 1 ? Promise.reject(new Error('no answer')) : Promise.resolve()),
    });
    await page.user.keyboard('1');
    await page.user.type(page.getByLabelText('Notes'), 'a quote');
    await save();
    expect((await page.findByRole('alert')).textContent).toBe('No answer from the server. Try again.');
    expect(page.getByLabelText('Notes')).toHaveProperty('value', 'a quote');
    await save();
    await eventually(() => expect(left).toEqual([call.id]));
  });

  it('is given more time for a key while little is left, once for many keys', async () => {
    const asked: string[] = [];
    const extend = async (id: string) => void asked.push(id);
    const unhurried = wrapUp({ endsInMs: 60_000, extend });
    await unhurried.page.user.type(unhurried.page.getByLabelText('Notes'), 'many words');
    expect(asked).toEqual([]);
    unhurried.page.unmount();
    const hurried = wrapUp({ endsInMs: 10_000, extend });
    await hurried.page.user.type(hurried.page.getByLabelText('Notes'), 'many words');
    expect(asked).toEqual([call.id]);
    hurried.page.unmount();
    const marking = wrapUp({ endsInMs: 10_000, extend, ofCompany: { free_tags: true } });
    await marking.page.user.type(marking.page.getByRole('combobox', { name: 'Tags' }), 'Price{Enter}');
    expect(asked).toEqual([call.id, call.id]);
  });

  it('whose time is over can still be saved, or left', async () => {
    const { page, left, submitted } = wrapUp({ isLate: true });
    expect(page.queryByRole('timer')).toBeNull();
    await page.user.click(page.getByRole('button', { name: 'Leave it' }));
    expect([left, submitted]).toEqual([[call.id], []]);
  });
});
