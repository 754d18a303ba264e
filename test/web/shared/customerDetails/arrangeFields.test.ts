import { describe, expect, it } from 'vitest';
import type { PopField } from '../../../../src/contract/popLayout.ts';
import {
  type ArrangedField,
  arrangeFields,
  patternOf,
} from '../../../../web/src/shared/customerDetails/arrangeFields.ts';
import { customerFields } from '../../../../web/src/shared/customerDetails/customerFields.ts';
import { english } from '../../../support/web/english.ts';

const record =
  '{"plan":"pro","city":"Bonn","revenue":12500.5,"currency":"chf",' +
  '"orders":[{"total":10,"state":"open"},{"total":20,"state":"paid"}],"account":{"id":"A-1"}}';
const fields: ArrangedField[] = customerFields(english, record).map((field) => ({ ...field, how: { format: 'auto' } }));
const nobody = { object: undefined, isContact: false };

const arrange = (
  rules: PopField[],
  of = nobody as Parameters<typeof arrangeFields>[2],
  contact_fields: Parameters<typeof arrangeFields>[1]['contact_fields'] = [],
) => arrangeFields(fields, { fields: rules, contact_fields }, of);
const keys = (rules: PopField[], of?: Parameters<typeof arrangeFields>[2]) => {
  const { pinned, others } = arrange(rules, of);
  return [pinned, others].map((list) => list.map(({ key }) => key));
};
const asItCame = [
  'plan',
  'city',
  'revenue',
  'currency',
  'orders.0.total',
  'orders.0.state',
  'orders.1.total',
  'orders.1.state',
  'account.id',
];

describe('the fields of a pop', () => {
  it('stand as the CRM has them where nothing is arranged', () => {
    expect(keys([])).toEqual([[], asItCame]);
    expect(arrange([]).others).toEqual(fields);
  });

  it('stand in the admin’s order, what is not named after them in the CRM’s', () => {
    expect(keys([{ key: 'account.id' }, { key: 'no_such_field' }, { key: 'plan' }])).toEqual([
      [],
      ['account.id', 'plan', ...asItCame.slice(1, -1)],
    ]);
  });

  it('are pinned in that order, and hidden, pinned or not', () => {
    expect(
      keys([
        { key: 'revenue', pinned: true },
        { key: 'plan', hidden: true, pinned: true },
        { key: 'city', pinned: true },
      ])[0],
    ).toEqual(['revenue', 'city']);
    expect(keys([{ key: 'plan', hidden: true }])[1]).not.toContain('plan');
  });

  it('are called as the admin says, entries of a list with their place', () => {
    const labels = arrange([
      { key: 'plan', label: 'Contract' },
      { key: 'orders.*.total', label: 'Order' },
    ]).others.map(({ label }) => label);
    expect(labels.slice(0, 3)).toEqual(['Contract', 'Order 1', 'Order 2']);
    expect(labels).toContain('Orders › 1 › State');
  });

  it('are meant one by one before they are meant as a list', () => {
    expect(
      keys([
        { key: 'orders.*.total', hidden: true },
        { key: 'orders.1.total', pinned: true },
      ]),
    ).toEqual([['orders.1.total'], asItCame.filter((key) => !key.endsWith('total'))]);
    expect(['orders.12.total', '12', 'a.b', 'list.0'].map(patternOf)).toEqual([
      'orders.*.total',
      '12',
      'a.b',
      'list.*',
    ]);
  });

  it('are arranged for a kind of records before they are for all, whatever comes first', () => {
    const rules = [
      { key: 'plan', object: 'Lead', label: 'Interest', pinned: true },
      { key: 'plan', label: 'Contract' },
      { key: 'city', object: 'Lead', hidden: true },
    ];
    for (const order of [rules, rules.toReversed()]) {
      expect(arrange(order, { object: 'Lead', isContact: false }).pinned.map(({ label }) => label)).toEqual([
        'Interest',
      ]);
      const { pinned, others } = arrange(order, { object: 'Contact', isContact: false });
      expect([pinned, others[0]?.label, others[1]?.key]).toEqual([[], 'Contract', 'city']);
    }
  });

  it('have the currency that is set, or that another field of the record names, hidden or not', () => {
    const how = (rule: Omit<PopField, 'key'>) =>
      arrange([
        { key: 'revenue', format: 'money', ...rule },
        { key: 'currency', hidden: true },
      ]).others[0]?.how;
    expect(how({ currency: 'EUR', currency_key: 'currency' })).toEqual({ format: 'money', currency: 'EUR' });
    expect(how({ currency_key: 'currency' })).toEqual({ format: 'money', currency: 'CHF' });
    expect(how({ currency_key: 'city' })).toEqual({ format: 'money', currency: null });
    expect(how({})).toEqual({ format: 'money', currency: null });
  });

  it('are written as the built-in CRM has them where the customer is a contact and the admin says no more', () => {
    const own = [
      { key: 'plan', label: 'Vertrag', kind: 'choice' as const },
      { key: 'revenue', label: 'Umsatz', kind: 'number' as const },
    ];
    const contact = { object: undefined, isContact: true };
    const found = (rules: PopField[], of = contact) =>
      arrange(rules, of, own)
        .others.filter(({ key }) => key === 'plan' || key === 'revenue')
        .map(({ label, how }) => [label, how.format]);
    expect(found([])).toEqual([
      ['Vertrag', 'text'],
      ['Umsatz', 'number'],
    ]);
    expect(
      found([
        { key: 'plan', label: 'Plan B' },
        { key: 'revenue', format: 'money' },
      ]),
    ).toEqual([
      ['Plan B', 'text'],
      ['Umsatz', 'money'],
    ]);
    expect(found([], nobody)).toEqual([
      ['Plan', 'auto'],
      ['Revenue', 'auto'],
    ]);
  });
});
