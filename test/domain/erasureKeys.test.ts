import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editsOf } from '../../src/domain/contacts.ts';
import { erasureKeys, knownByEdits } from '../../src/domain/erasureKeys.ts';
import type { PhoneNumber } from '../../src/domain/phones/phoneNumbers.ts';
import { emptyContact } from '../../src/usecases/contacts/readContent.ts';

describe('what a contact was known by', () => {
  const label = fc.option(fc.constantFrom('work', 'mobile (private)', 'a, b *', '+ *'));
  const phones = fc.uniqueArray(fc.integer({ min: 10, max: 999_999_999 }), { maxLength: 4 });
  const emails = fc.uniqueArray(
    fc.constantFrom('a@example.com', 'b.c+d@example.org', "o'brien@example.ie", 'x@y.example'),
    { maxLength: 3 },
  );

  it('is read from its edits, whatever the labels say', () => {
    fc.assert(
      fc.property(phones, emails, label, fc.integer({ min: -1, max: 3 }), (numbers, addresses, text, primary) => {
        const before = {
          ...emptyContact,
          phones: numbers.map((number, at) => ({
            phone: `+${number}` as PhoneNumber,
            label: at % 2 === 0 ? text : null,
            isPrimary: at === primary,
          })),
          emails: addresses.map((email, at) => ({
            email,
            label: at % 2 === 0 ? text : null,
            isPrimary: at === primary,
          })),
        };
        const known = knownByEdits([...editsOf(before, emptyContact), ...editsOf(emptyContact, before)]);
        expect([known.phones, known.emails]).toEqual([numbers.map((number) => `+${number}`), addresses]);
      }),
    );
  });

  it('takes names and external ids as they were, and nothing of other fields', () => {
    const edit = (field: string, before: string | null, after: string | null) => ({ field, before, after });
    expect(
      knownByEdits([
        edit('name', 'Ada', 'Ada King'),
        edit('external_id', null, 'C-1'),
        edit('notes', '+493012', 'x@example.com'),
        edit('fields.phones', '+493013', null),
      ]),
    ).toEqual({
      names: ['Ada', 'Ada King'],
      phones: [],
      emails: [],
      externalIds: ['C-1'],
    });
  });

  it('is remembered so that an external id is no number and no address', () => {
    const keys = erasureKeys({
      names: [],
      shared: [],
      phones: ['+4930'],
      emails: ['a@example.com'],
      externalIds: ['+4930', 'a@example.com'],
    });
    expect(new Set(keys).size).toBe(4);
  });
});
