// @vitest-environment happy-dom
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { SoftphoneRefusal } from '../../../../src/client/refusal.ts';
import { DialPad } from '../../../../web/src/features/calls/DialPad.tsx';
import type { Workplace } from '../../../../web/src/features/workplace/workplace.ts';
import { later } from '../../../support/components/hook.ts';
import { answerRequests } from '../../../support/components/page.tsx';
import { sessionSettings, showInSoftphone } from '../../../support/components/softphone.tsx';
import { eventually } from '../../../support/time/waiting.ts';

function Pad() {
  const [number, setNumber] = useState('');
  return <DialPad number={number} onNumber={setNumber} />;
}

type Answer = Parameters<typeof answerRequests>[0];
const nobody = { status: 200, body: { found: 'false' } };
const grace = { status: 200, body: { found: 'true', name: 'Grace Hopper', vip_tier: 'gold', email: '' } };

/** The field for a number, with what is said below it. */
function dialPad({ answer = () => nobody, dial = async () => ({}) as never, country = null }: { answer?: Answer; dial?: Workplace['dial']; country?: string | null } = {}) {
  const requests = answerRequests(answer);
  const dialed: string[] = [];
  const page = showInSoftphone(<Pad />, {
    workplace: { dial: (number) => (dialed.push(number), dial(number)) },
    view: { phone: { state: 'ready' }, settings: sessionSettings({ default_country: country } as never) },
  });
  const field = page.getByLabelText('Phone number');
  return { page, requests, dialed, field, hint: () => page.getByTestId('lookup').textContent };
}

describe('the number that is being typed', () => {
  it('is looked up once the agent pauses, and says whose it is', async () => {
    const { page, requests, field } = dialPad({ answer: () => grace });
    await page.user.type(field, '+15551230001');
    await page.findByText('Grace Hopper · gold');
    expect(requests.map(({ path }) => path)).toEqual(['/api/integrations/lookup?phone=%2B15551230001&format=flat']);
  });

  it('is told of in words where nobody is known, or the gateway cannot tell', async () => {
    let times = 0;
    const { page, field, hint } = dialPad({ answer: () => ((times += 1) === 1 ? nobody : { status: 503, body: { code: 'dependency_unavailable' } }) });
    await page.user.type(field, '+15551230001');
    await page.findByText('Not known');
    await page.user.type(field, '2');
    expect(hint()).toBe('Looking up…');
    await page.findByText('A part of the service is unavailable. Try again shortly.');
  });

  it('is never said to be somebody else’s, whose answer came late', async () => {
    const first = later<typeof grace>();
    const { page, field, requests } = dialPad({ answer: () => (requests.length === 1 ? first.promise : nobody) });
    await page.user.type(field, '+15551230001');
    await eventually(() => expect(requests).toHaveLength(1));
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
    expect(requests).toEqual([]);
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
