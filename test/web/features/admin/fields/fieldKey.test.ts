import { expect, it } from 'vitest';
import { createFieldRequest } from '../../../../../src/contract/contactFields.ts';
import { fieldKeyFor } from '../../../../../web/src/features/admin/fields/fieldKey.ts';

it.each([
  ['Contract number', 'contract_number'],
  ['Notes', 'field_notes'],
  ['Do not call', 'field_do_not_call'],
  ['2024', 'field_2024'],
  ['№', 'no'],
  ['客户', 'field'],
])('makes a key of the label %s that the gateway takes', (label, key) => {
  expect(fieldKeyFor(label)).toBe(key);
  expect(createFieldRequest.safeParse({ key, label, kind: 'text' }).success).toBe(true);
});

it('makes none without a label', () => expect(fieldKeyFor(' ')).toBe(''));
