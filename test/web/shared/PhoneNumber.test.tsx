// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { internationalFormat } from '../../../web/src/shared/phoneNumbers/internationalFormat.ts';
import { OtherEnd } from '../../../web/src/shared/phoneNumbers/OtherEnd.tsx';
import { PhoneNumber } from '../../../web/src/shared/phoneNumbers/PhoneNumber.tsx';
import { createPhoneText, PhoneTextContext, type PhoneText } from '../../../web/src/shared/phoneNumbers/phoneText.ts';
import { show } from '../../support/components/page.tsx';

const number = '+15551230001';

/** Shows a part of a page whose formats arrive, or fail to, when the test says so. */
function showWith(part: React.ReactElement) {
  let loaded: (format: PhoneText) => void;
  let failed: (error: Error) => void;
  const loading = new Promise<PhoneText>((resolve, reject) => {
    loaded = resolve;
    failed = reject;
  });
  const load = vi.fn<() => Promise<PhoneText>>(() => loading);
  const store = createPhoneText(load);
  const page = show(part, (inner) => <PhoneTextContext value={store}>{inner}</PhoneTextContext>);
  return {
    page,
    load,
    arrive: () => act(async () => loaded(internationalFormat)),
    fail: () => act(async () => failed(new Error('offline'))),
    texts: () => [...page.container.querySelectorAll('bdi')].map(({ textContent }) => textContent),
  };
}

it('stands as it is until the formats are here, then as people read it', async () => {
  const { page, load, arrive, texts } = showWith(
    <>
      <PhoneNumber number={number} />
      <PhoneNumber number="+4930123456" />
    </>,
  );
  expect(texts()).toEqual([number, '+4930123456']);
  await arrive();
  expect(texts()).toEqual(['+1 555 123 0001', '+49 30 123456']);
  expect(load).toHaveBeenCalledOnce();
  const [first] = page.container.querySelectorAll('bdi');
  expect([first!.dir, first!.title, first!.style.whiteSpace]).toEqual(['ltr', number, 'nowrap']);
});

it('stays as it is where the formats cannot be loaded', async () => {
  const { page, load, fail, texts } = showWith(<PhoneNumber number={number} />);
  await fail();
  expect(texts()).toEqual([number]);
  page.change(
    <>
      <PhoneNumber number={number} />
      <PhoneNumber number="+4930123456" />
    </>,
  );
  expect(texts()).toEqual([number, '+4930123456']);
  expect(load).toHaveBeenCalledOnce();
});

it('asks for the formats once a page shows a number, and not before', () => {
  const { page, load } = showWith(<OtherEnd phone={null} caller="204" />);
  expect(load).not.toHaveBeenCalled();
  page.change(<PhoneNumber number={number} />);
  expect(load).toHaveBeenCalledOnce();
});

it.each([
  ['a customer with a name', { name: ' Grace Hopper ', phone: number }, 'Grace Hopper'],
  ['a customer without one', { name: ' ', phone: number }, '+1 555 123 0001'],
  ['an extension of the company', { phone: null, caller: '204' }, '204'],
  ['a SIP address', { phone: null, caller: 'sip:front-desk@pbx.test' }, 'sip:front-desk@pbx.test'],
  ['somebody who withholds the number', { phone: null, caller: null }, 'Withheld number'],
  ['somebody of whom nothing is told', { phone: null }, 'Withheld number'],
  ['a caller who sends a hundred digits', { phone: null, caller: '1'.repeat(100) }, '1'.repeat(100)],
])('names the other end of a call: %s', async (_who, end, shown) => {
  const { texts, arrive, page } = showWith(<OtherEnd {...end} />);
  await arrive();
  expect(texts()).toEqual([shown]);
  // What a stranger sends may be wider than the page, and must break.
  expect(page.container.querySelector('bdi')!.style.whiteSpace).toBe(
    end.phone === null ? '' : (end.name?.trim() ?? '') === '' ? 'nowrap' : '',
  );
});

it('lets a hostile text break, which a CRM has pushed as a phone number', async () => {
  const hostile = '9'.repeat(100);
  const { texts, arrive, page } = showWith(<PhoneNumber number={hostile} />);
  await arrive();
  expect(texts()).toEqual([hostile]);
  expect(page.container.querySelector('bdi')!.style.whiteSpace).toBe('');
});
