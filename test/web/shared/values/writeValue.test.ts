import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PopFormat } from '../../../../src/contract/vocabulary.ts';
import { formatFor } from '../../../../web/src/lib/i18n/format.ts';
import { type HowWritten, type PlainValue, writeValue } from '../../../../web/src/shared/values/writeValue.ts';
import { english } from '../../../support/web/english.ts';

/** With plain spaces and apostrophes: which ones it is depends on the browser's version. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ').replaceAll('’', "'");
const written = (value: string | PlainValue, how: HowWritten, locale = 'en-US') =>
  writeValue(
    { t: english, locale, format: formatFor(locale) },
    typeof value === 'string' ? { type: 'text', text: value } : value,
    how,
  );
const shown = (
  value: string | PlainValue,
  format: PopFormat,
  more: { currency?: string | null; locale?: string } = {},
) => plain(written(value, { format, currency: more.currency ?? null }, more.locale).text);
const number = (text: string): PlainValue => ({ type: 'number', text });

describe('a value that nobody has said anything about', () => {
  it.each([
    ['a day', '2026-12-18', 'Dec 18, 2026'],
    ['a moment', '2020-11-22T12:00:00Z', expect.stringContaining('Nov 22, 2020')],
    ['a time with an offset', '2020-11-22T12:00:00.000+0000', expect.stringContaining('Nov 22, 2020')],
    ['a time without a time zone', '2026-12-18T10:00:00', '2026-12-18T10:00:00'],
    ['no day at all', '2026-02-30', '2026-02-30'],
    ['a sentence with a day', 'since 2026-12-18', 'since 2026-12-18'],
    ['an id', '0035g00000AbCdEAAV', '0035g00000AbCdEAAV'],
    ['digits', '554023000000235001', '554023000000235001'],
    ['money', '12.50 EUR', '12.50 EUR'],
    ['yes', 'true', 'true'],
  ])('is written so, where it is %s', (_what, came, text) => {
    const value = written(came, { format: 'auto' });
    expect({ ...value, text: plain(value.text) }).toEqual({ text, address: null, isPhone: false });
  });

  it('stays a number as it came: it may be an id', () => {
    for (const text of ['1234567', '1.10', '20261218', '1764057600000', '9007199254740993'])
      expect(shown(number(text), 'auto')).toBe(text);
  });

  it.each([
    ['+4930123456', true],
    ['+15551230001', true],
    ['+12', false],
    ['030 123456', false],
    ['+49 30 123456', false],
    ['+0123456789', false],
  ])('is a phone number beyond doubt: %s, %s', (text, isPhone) => {
    expect(written(text, { format: 'auto' })).toEqual({ text, address: null, isPhone });
  });

  it.each([
    ['https://crm.example/7?a=b', 'https://crm.example/7?a=b'],
    ['http://10.0.0.7/orders', 'http://10.0.0.7/orders'],
    ['grace@mail.example', 'mailto:grace@mail.example'],
    ["o'neil+crm@mail.example", "mailto:o'neil%2Bcrm@mail.example"],
    ['javascript:alert(1)', null],
    ['data:text/html,<script>', null],
    ['https://crm.example@evil.example/', null],
    ['see https://crm.example/7', null],
    ['https://crm.example/7 and more', null],
    ['grace@mail.example?bcc=all@mail.example', null],
    ['mailto:grace@mail.example', null],
    ['Grace <grace@mail.example>', null],
    ['grace@localhost', null],
    ['www.example.com', null],
  ])('opens what is safe to open, and no more: %s', (text, address) => {
    for (const format of ['auto', address?.startsWith('mailto') === true ? 'email' : 'link'] as const)
      expect(written(text, { format })).toEqual({ text, address, isPhone: false });
  });
});

describe('a value of a format that the admin has chosen', () => {
  it.each([
    ['number', '1234567.50', 'en-US', '1,234,567.50'],
    ['number', '1234567.50', 'de', '1.234.567,50'],
    ['number', '1234567.50', 'de-CH', "1'234'567.50"],
    ['number', '-0.00000000000000000001', 'en-US', '-0.00000000000000000001'],
    ['number', '554023000000235001', 'en-US', '554,023,000,000,235,001'],
    ['number', '007', 'en-US', '007'],
    ['number', '1e5', 'en-US', '1e5'],
    ['number', '12,5', 'en-US', '12,5'],
    ['number', 'many', 'en-US', 'many'],
    ['date', '2026-12-18', 'de', '18.12.2026'],
    ['date', '1764028800000', 'en-US', 'Nov 25, 2025'],
    ['date', '1764028800', 'en-US', 'Nov 25, 2025'],
    ['date', '2026-12-18T00:00:00Z', 'en-US', 'Dec 18, 2026'],
    ['date', '2026-12-18 23:30', 'en-US', 'Dec 18, 2026'],
    ['date', 'soon', 'en-US', 'soon'],
    ['date_time', '2020-12-18T10:00:00', 'en-US', 'Dec 18, 2020, 10:00 AM'],
    ['date_time', '2026-12-18', 'en-US', 'Dec 18, 2026'],
    ['date_time', '12345', 'en-US', '12345'],
    ['yes_no', 'true', 'en-US', 'Yes'],
    ['yes_no', '0', 'en-US', 'No'],
    ['yes_no', 'N', 'en-US', 'No'],
    ['yes_no', 'maybe', 'en-US', 'maybe'],
    ['text', '2026-12-18', 'en-US', '2026-12-18'],
  ] as const)('%s: %s is, for readers of %s, %s', (format, came, locale, text) => {
    expect(shown(came, format, { locale })).toBe(text);
    if (/^[\d.]+$/.test(came)) expect(shown(number(came), format, { locale })).toBe(text);
  });

  it.each([
    ['1234567.5', 'EUR', 'en-US', '€1,234,567.50'],
    ['1234567.5', 'EUR', 'de', '1.234.567,50 €'],
    ['1200.00', 'USD', 'en-US', '$1,200'],
    ['12.345', 'USD', 'en-US', '$12.345'],
    ['12.50', 'JPY', 'en-US', '¥12.5'],
    ['900719925474099312.34', 'EUR', 'en-US', '€900,719,925,474,099,312.34'],
    ['12.50 CHF', 'EUR', 'en-US', 'CHF 12.50'],
    ['12.50 EUR', null, 'en-US', '€12.50'],
    ['1234.5', null, 'en-US', '1,234.5'],
    ['0012', 'EUR', 'en-US', '0012'],
    ['a lot', 'EUR', 'en-US', 'a lot'],
  ])('money: %s in %s is, for readers of %s, %s', (came, currency, locale, text) => {
    expect(shown(came, 'money', { currency, locale })).toBe(text);
  });

  it('is a phone number, though nobody else would take it for one', () => {
    expect(written('030 123456', { format: 'phone' })).toEqual({ text: '030 123456', address: null, isPhone: true });
  });

  it('has every digit that came, whatever it is', () => {
    const numbers = fc
      .tuple(fc.bigInt(), fc.stringMatching(/^\d{0,30}$/))
      .map(([whole, fraction]) => `${whole}${fraction === '' ? '' : `.${fraction}`}`);
    const digits = (text: string) => text.replaceAll(/\D/g, '').replace(/0+$/, '');
    fc.assert(
      fc.property(
        numbers,
        fc.constantFrom('en-US', 'de', 'fr', 'es', 'de-CH'),
        fc.constantFrom('number', 'money', 'auto', 'text'),
        (came, locale, format) => {
          expect(digits(shown(number(came), format, { locale, currency: 'EUR' }))).toBe(digits(came));
        },
      ),
    );
  });

  it('is never lost, nor made an address that may not be opened', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom<PopFormat>('auto', 'number', 'money', 'date', 'date_time', 'phone', 'link', 'email', 'yes_no'),
        (came, format) => {
          const { text, address } = written(came, { format, currency: 'EUR' });
          expect(text).not.toBe(came === '' ? undefined : '');
          if (address !== null) expect(address).toMatch(/^(?:https?|mailto):/);
        },
      ),
    );
  });

  it('stays what the page says of it', () => {
    for (const format of ['auto', 'number', 'date', 'yes_no', 'link'] as const)
      expect(written({ type: 'words', text: '–' }, { format })).toEqual({ text: '–', address: null, isPhone: false });
  });
});
