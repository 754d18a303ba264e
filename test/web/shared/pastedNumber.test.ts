import { describe, expect, it } from 'vitest';
import { isWords, pastedNumber } from '../../../web/src/shared/phoneNumbers/pastedNumber.ts';

describe('a number in a text that was copied', () => {
  it.each([
    ['Tel.: 0151/234-567 (priv.)', '0151/234-567'],
    ['+49 (0)30 123456', '+49 (0)30 123456'],
    ['(0151) 234-567', '(0151) 234-567'],
    ['Call me: (555) 123-0001!', '(555) 123-0001'],
    ['tel:+1-555-123-0001', '+1-555-123-0001'],
    ['"Grace" <sip:+15551230001@pbx.example.com>', '+15551230001'],
    ['\u202a+1 555 123 0001\u202c', '+1 555 123 0001'],
    ['+1 555 123 0001 ext. 12', '+1 555 123 0001'],
    ['Main St. 12\n030 123456', '030 123456'],
    ['\u0660\u0661\u0665\u0661\u0662\u0663\u0664\u0665\u0666\u0667', '0151234567'],
    ['\uff0b\uff14\uff19 \uff13\uff10 123456', '+49 30 123456'],
  ])('is found in %j', (text, number) => {
    expect(pastedNumber(text)).toBe(number);
  });

  it.each([
    ['0151 234567, 030 99999', '0151 234567'],
    ['0041 44 123 45 67 / 0041 79 123 45 67', '0041 44 123 45 67'],
    ['24.11.2025 Tel 0151/234567', '0151/234567'],
    ['3 Feb 2026 15:00 +15551230001', '+15551230001'],
  ])('is the first of several, and no day or time: %j', (text, number) => {
    expect(pastedNumber(text)).toBe(number);
  });

  it.each(['Grace Hopper', 'Fax', '112', '24.11.2025', '2026-02-03', '12345678901234567890', '', '*31#0151234567'])(
    'is not in %j',
    (text) => {
      expect(pastedNumber(text)).toBeNull();
    },
  );

  it('is told from a name or an address that somebody types', () => {
    expect(['Grace', 'grace@example.com', 'Jr 7'].map(isWords)).toEqual([true, true, true]);
    expect(['0151', '+49 30 1', 'Tel 0151 234567'].map(isWords)).toEqual([false, false, false]);
  });
});
