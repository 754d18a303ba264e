import { describe, expect, it } from 'vitest';
import { UnreadableAnswer } from '../../src/providers/provider.ts';
import { readObject } from '../../src/providers/answers.ts';
import { recordFrom } from '../../src/providers/records.ts';

const parts = {
  object: 'contact',
  id: '1',
  name: 'Grace Hopper',
  email: 'grace@example.com',
  phones: ['+15551230001'],
  details: {},
};
const long = 'x'.repeat(900_000);

describe('a record of a CRM', () => {
  it('keeps as much of each text as a push may bring, and shows that there was more', () => {
    const details = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [index === 0 ? long : `field_${index}`, long]),
    );
    const record = recordFrom({ ...parts, name: long, email: long, accountNumber: long, tier: long, details });
    expect([record.name, record.email, record.accountNumber].map((text) => text?.length)).toEqual([500, 500, 500]);
    expect(record.tier).toHaveLength(200);
    expect(record.name?.at(-1)).toBe('…');
    expect(Object.keys(record.details)).toHaveLength(50);
    expect(Object.entries(record.details).every(([name, text]) => name.length <= 200 && text.length === 200)).toBe(
      true,
    );
  });

  it('leaves whole what is as long as it may be', () => {
    expect(recordFrom({ ...parts, name: 'x'.repeat(500), tier: 'y'.repeat(200) })).toMatchObject({
      name: 'x'.repeat(500),
      tier: 'y'.repeat(200),
    });
  });

  it('has no halves of characters where it is cut, and nothing that no database keeps', () => {
    expect(recordFrom({ ...parts, name: '\u{1F600}'.repeat(400), tier: 'go\0ld\uD800' })).toMatchObject({
      name: `${'\u{1F600}'.repeat(249)}…`,
      tier: 'gold',
    });
  });

  it('has numbers and links that are such, and not too many', () => {
    const phones = [long, ...Array.from({ length: 30 }, (_, index) => `+1555123${String(index).padStart(4, '0')}`)];
    const record = recordFrom({ ...parts, phones, url: `https://crm.example/${long}` });
    expect(record.phones).toEqual(phones.slice(1, 21));
    expect(record.url).toBeNull();
  });

  it.each([
    ['too long', 'x'.repeat(501)],
    ['damaged', 'a\0b'],
    ['missing', null],
    ['empty', ''],
  ])('is none where its id is %s', (_why, id) => {
    expect(() => recordFrom({ ...parts, id })).toThrow(UnreadableAnswer);
  });
});

describe('the JSON of a CRM', () => {
  it.each([
    ['many keys', `{${Array.from({ length: 25_001 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['many lists', `{"a":[${'[],'.repeat(25_001)}[]]}`],
    ['depth', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['depth without an end', '['.repeat(1_000_000)],
  ])('is not made into anything where it is of %s', (_what, text) => {
    expect(() => readObject(text)).toThrow(UnreadableAnswer);
  });
});
