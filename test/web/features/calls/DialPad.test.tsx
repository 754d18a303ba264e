// @vitest-environment happy-dom
import { useState } from 'react';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SignedInAgent } from '../../../../src/contract/auth.ts';
import { SoftphoneRefusal } from '../../../../src/client/refusal.ts';
import { DialPad } from '../../../../web/src/features/calls/DialPad.tsx';
import type { Workplace } from '../../../../web/src/features/workplace/workplace.ts';
import { setStoredSignIn } from '../../../../web/src/lib/gateway/signIn.ts';
import { later } from '../../../support/components/hook.ts';
import { answerRequests } from '../../../support/components/page.tsx';
import { sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';
import { eventually } from '../../../support/time/waiting.ts';

function Pad() {
  const [number, setNumber] = useState('');
  return <DialPad number={number} onNumber={setNumber} />;
}

type Answer = Parameters<typeof answerRequests>[0];
const nobody = {
  status: 200,
  body: { found: 'false', calls: [], colleagues: [], contacts: [], own: [], shared: [], version: 0 },
};
/** What the field asks beside whose number it is: who may be meant. */
const isLookup = ({ path }: { path: string }) => path.startsWith('/api/integrations/lookup');
const grace = {
  status: 200,
  body: { ...nobody.body, found: 'true', name: 'Grace Hopper', vip_tier: 'gold', email: '' },
};

/** The field for a number, with what is said below it. */
function dialPad({
  answer = () => nobody,
  dial = async () => ({}) as never,
  country = null,
}: { answer?: Answer; dial?: Workplace['dial']; country?: string | null } = {}) {
  const all = answerRequests((asked) => (isLookup(asked) ? answer(asked) : nobody));
  const dialed: string[] = [];
  const page = showInSoftphone(<Pad />, {
    workplace: { dial: (number, options) => (dialed.push(number), dial(number, options)) },
    view: { phone: { state: 'ready' }, settings: sessionSettings({ default_country: country } as never) },
  });
  const field = page.getByRole('combobox', { name: 'Name or phone number' });
  return {
    page,
    requests: () => all.filter(isLookup),
    dialed,
    field,
    hint: () => page.getByTestId('lookup').textContent,
  };
}

describe('the number that is being typed', () => {
  it('is looked up once the agent pauses, and says whose it is', async () => {
    const { page, requests, field } = dialPad({ answer: () => grace });
    await page.user.type(field, '+15551230001');
    await page.findByText('Grace Hopper · gold');
    expect(requests().map(({ path }) => path)).toEqual(['/api/integrations/lookup?phone=%2B15551230001&format=flat']);
  });

  it('is told of in words where nobody is known, or the gateway cannot tell', async () => {
    let times = 0;
    const { page, field, hint } = dialPad({
      answer: () => ((times += 1) === 1 ? nobody : { status: 503, body: { code: 'dependency_unavailable' } }),
    });
    await page.user.type(field, '+15551230001');
    await page.findByText('Not known');
    await page.user.type(field, '2');
    expect(hint()).toBe('Looking up…');
    await page.findByText('A part of the service is unavailable. Try again shortly.');
  });

  it('is never said to be somebody else’s, whose answer came late', async () => {
    const first = later<typeof grace>();
    const { page, field, requests } = dialPad({ answer: () => (requests().length === 1 ? first.promise : nobody) });
    await page.user.type(field, '+15551230001');
    await eventually(() => expect(requests()).toHaveLength(1));
    await page.user.type(field, '2');
    await page.findByText('Not known');
    first.resolve(grace);
    await first.promise;
    expect(page.queryByText(/Grace Hopper/)).toBeNull();
  });

  it.each([
    ['too short', '+155', null],
    ['national, and the company has no country', '5551230001', null],
  ])('is not looked up where it is %s', async (_what, number, country) => {
    const { page, field, requests, hint } = dialPad({ country });
    await page.user.type(field, number);
    expect(hint()).not.toBe('Looking up…');
    expect(requests()).toEqual([]);
  });
});

describe('the number that the customer sees', () => {
  const numbers = ['+4930111', '+4930222'].map((phone_number) => ({ name: `Line ${phone_number}`, phone_number }));
  const settings = (outgoing_numbers: object[]) => ({
    settings: sessionSettings({ default_country: null, outgoing_numbers, outgoing_number: '+4930111' } as never),
  });

  it('is the one that the agent has chosen, until the company has it no more', async () => {
    const dialed: unknown[] = [];
    const { page, field } = dialPad({
      dial: async (_number, options) => (dialed.push(options?.callerId), {} as never),
    });
    page.become({ view: settings(numbers) });
    const shown = page.getByRole('combobox', { name: 'Number shown' }) as HTMLSelectElement;
    await page.user.selectOptions(shown, '+4930222');
    await page.user.type(field, '+15551230001{Enter}');
    await eventually(() => expect(dialed).toEqual(['+4930222']));
    page.become({ view: settings(numbers.slice(0, 1)) });
    expect(shown.value).toBe('');
    await page.user.type(field, '+15551230001{Enter}');
    await eventually(() => expect(dialed).toEqual(['+4930222', undefined]));
  });
});

describe('who may be meant', () => {
  const phones = { help: '+15551239999', grace: '+15551230001', ada: '+15551230002' };
  const found = ({ path }: { path: string }) => {
    if (path.startsWith('/api/me/speed-dials'))
      return { own: [{ name: 'Help desk', phone_number: phones.help }], shared: [], version: 1 };
    if (path.startsWith('/api/crm/search')) {
      return {
        contacts: [
          {
            name: 'Grace Hopper',
            phone_number: phones.grace,
            organisation: { name: 'Navy' },
            email: null,
            do_not_call: true,
          },
        ],
        organisations: [],
      };
    }
    if (path.startsWith('/api/calls')) {
      return {
        calls: [
          { phone: phones.grace, customer_name: 'Grace Hopper' },
          { phone: phones.ada, customer_name: 'Ada Grace Lovelace' },
        ],
        next_cursor: null,
      };
    }
    if (path.startsWith('/api/colleagues'))
      return { colleagues: [{ id: 'c', name: 'Gracia', extension: '1007', state: null, agent_code: 'c' }] };
    return nobody.body;
  };

  function padWith(view: object = {}, answer: Answer = (asked) => ({ status: 200, body: found(asked) })) {
    const dialed: string[] = [];
    answerRequests(answer);
    const page = showInSoftphone(<Pad />, {
      workplace: { dial: async (number) => (dialed.push(number), {} as never) },
      view: {
        phone: { state: 'ready' },
        settings: sessionSettings({ default_country: null, contacts: true } as never),
        ...view,
      },
    });
    return { page, dialed, field: page.getByRole('combobox') as HTMLInputElement };
  }
  const options = (page: ReturnType<typeof padWith>['page']) =>
    page.getAllByRole('option').map((option) => option.textContent);

  it('is suggested as a name is typed, each number once, and chosen by the keys; Enter then dials it', async () => {
    const { page, dialed, field } = padWith();
    await page.user.type(field, 'grace');
    await page.findByRole('listbox', { name: 'Who can be dialed' });
    await eventually(() =>
      expect(options(page)).toEqual([
        expect.stringMatching(/^Grace Hopper .*Navy$/),
        expect.stringMatching(/^Ada Grace Lovelace/),
      ]),
    );
    expect(page.getByLabelText('Do not call')).toBeTruthy();
    // The field is told of the list once it is there.
    await eventually(() => expect(field.getAttribute('aria-expanded')).toBe('true'));
    expect(field.getAttribute('aria-activedescendant')).toBeNull();
    await page.user.keyboard('{ArrowDown}{ArrowDown}');
    const [, second] = page.getAllByRole('option');
    expect([second?.getAttribute('aria-selected'), field.getAttribute('aria-activedescendant')]).toEqual([
      'true',
      second?.id,
    ]);
    await page.user.keyboard('{Enter}');
    expect([field.value, dialed, page.queryByRole('listbox')]).toEqual([phones.ada, [], null]);
    await page.user.keyboard('{Enter}');
    await eventually(() => expect(dialed).toEqual([phones.ada]));
  });

  it('is dialed at once with Ctrl and Enter, and taken by a press', async () => {
    const { page, dialed, field } = padWith();
    await page.user.type(field, 'help');
    await page.findByRole('option', { name: /Help desk/ });
    await page.user.keyboard('{ArrowDown}{Control>}{Enter}{/Control}');
    await eventually(() => expect(dialed).toEqual([phones.help]));
    await eventually(() => expect(field.value).toBe(''));
    await page.user.type(field, 'help');
    await page.user.click(await page.findByRole('option', { name: /Help desk/ }));
    expect(field.value).toBe(phones.help);
  });

  it('stays chosen when others are found later, who stand before', async () => {
    const contacts = later<{ status: number; body: object }>();
    const { page, field } = padWith({}, (asked) =>
      asked.path.startsWith('/api/crm/search') ? contacts.promise : { status: 200, body: found(asked) },
    );
    await page.user.type(field, 'ada grace');
    await page.findByRole('option', { name: /Ada Grace Lovelace/ });
    await page.user.keyboard('{ArrowDown}');
    contacts.resolve({ status: 200, body: found({ path: '/api/crm/search' }) });
    await page.findByRole('option', { name: /Grace Hopper/ });
    expect(page.getByRole('option', { selected: true }).textContent).toMatch(/^Ada Grace Lovelace/);
    await page.user.keyboard('{Enter}');
    expect(field.value).toBe(phones.ada);
  });

  it('is chosen first where Enter is pressed behind a name, and Escape closes the list', async () => {
    const { page, dialed, field } = padWith();
    await page.user.type(field, 'grace');
    await page.findByRole('option', { name: /Grace Hopper/ });
    await page.user.keyboard('{Enter}');
    expect([page.getAllByRole('option')[0]?.getAttribute('aria-selected'), dialed]).toEqual(['true', []]);
    await page.user.keyboard('{Escape}');
    expect(page.queryByRole('listbox')).toBeNull();
    expect(field.value).toBe('grace');
  });

  it('is found by a part of a number too; contacts are not asked for where the company has none', async () => {
    const { page, field } = padWith({ settings: sessionSettings({ contacts: false } as never) });
    await page.user.type(field, '0002');
    await eventually(() => expect(options(page)).toEqual([expect.stringMatching(/^Ada Grace Lovelace/)]));
  });
});

describe('what is pasted', () => {
  it('stands in the field as the number in it, in place of what was selected', async () => {
    const { page, field } = dialPad({ country: 'DE' });
    await page.user.click(field);
    await page.user.paste('Tel.: 0151/234-567 (priv.)');
    expect(field).toHaveProperty('value', '0151/234-567');
    (field as HTMLInputElement).setSelectionRange(0, 4);
    await page.user.paste('030 12');
    expect(field).toHaveProperty('value', '030 12/234-567');
  });
});

describe('a number that is not to be called', () => {
  const refusal = new SoftphoneRefusal({
    code: 'do_not_call',
    detail: 'It is on the list.',
    cause: { code: 'on_do_not_dial_list' },
  });
  const signInAs = (role: string) =>
    setStoredSignIn({ token: 't', expiresAt: '2100-01-01T00:00:00Z', agent: { role } as SignedInAgent });

  it('says so, and is dialed all the same when a supervisor wants it', async () => {
    signInAs('supervisor');
    onTestFinished(() => setStoredSignIn(null));
    const asked: unknown[] = [];
    const dial: Workplace['dial'] = (_number, options) => (
      asked.push(options),
      options?.overrideDoNotCall === true ? Promise.resolve({} as never) : Promise.reject(refusal)
    );
    const { page, field } = dialPad({ dial });
    await page.user.type(field, '+15551230001{Enter}');
    expect((await page.findByRole('alert')).textContent).toBe('This number is on the company’s do-not-dial list.');
    await page.user.click(page.getByRole('button', { name: 'Call anyway' }));
    await eventually(() => expect((field as HTMLInputElement).value).toBe(''));
    expect(asked).toEqual([{}, { overrideDoNotCall: true }]);
  });

  it('gives an agent no such way', async () => {
    signInAs('agent');
    onTestFinished(() => setStoredSignIn(null));
    const { page, field } = dialPad({ dial: () => Promise.reject(refusal) });
    await page.user.type(field, '+15551230001{Enter}');
    await page.findByRole('alert');
    expect(page.queryByRole('button', { name: 'Call anyway' })).toBeNull();
  });
});

describe('dialing by hand', () => {
  it('says what is wrong with what is no number, keeps it, and forgets that when it is changed', async () => {
    const refusal = new SoftphoneRefusal({ code: 'invalid_phone', detail: 'not a number is no phone number.' });
    const { page, field } = dialPad({ dial: () => Promise.reject(refusal) });
    await page.user.type(field, 'not a number{Enter}');
    expect((await page.findByRole('alert')).textContent).toBe('not a number is no phone number.');
    expect(field).toHaveProperty('value', 'not a number');
    await page.user.type(field, '1');
    expect(page.queryByRole('alert')).toBeNull();
  });

  it('dials once, however often Enter is pressed, and empties the field', async () => {
    const call = later<never>();
    const { page, field, dialed } = dialPad({ dial: () => call.promise });
    await page.user.type(field, ' +15551230001 {Enter}{Enter}');
    expect(dialed).toEqual(['+15551230001']);
    call.resolve({} as never);
    await eventually(() => expect((field as HTMLInputElement).value).toBe(''));
  });
});
