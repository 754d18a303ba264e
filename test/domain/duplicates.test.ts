import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Comparable, likenessOf } from '../../src/domain/duplicates.ts';

const nobody: Comparable = { name: null, organisationId: null, phones: [], emails: [], records: [] };
const reasonsOf = (one: Partial<Comparable>, other: Partial<Comparable>) =>
  likenessOf({ ...nobody, ...one }, { ...nobody, ...other })?.reasons ?? null;

describe('what speaks for two contacts being one person', () => {
  it('is an address, a record of the other system, and the digits of a number behind its country', () => {
    expect(reasonsOf({ emails: ['a@x.example', 'b@x.example'] }, { emails: ['b@x.example'] })).toEqual(['email']);
    expect(reasonsOf({ records: ['C-1'] }, { records: ['C-1'] })).toEqual(['record']);
    expect(reasonsOf({ phones: ['+493012345678'] }, { phones: ['+13012345678'] })).toEqual(['phone']);
    expect(reasonsOf({ phones: ['+4512345678'] }, { phones: ['+4612345678'] })).toBeNull();
    expect(reasonsOf({ phones: ['+45123456'] }, { phones: ['+45123456'] })).toBeNull();
  });

  it('is a name, however it is written, unless the organisations say otherwise', () => {
    expect(reasonsOf({ name: 'Grace Hopper' }, { name: 'HOPPER,  Gräce' })).toEqual(['name']);
    expect(
      reasonsOf({ name: 'Grace Hopper', organisationId: 'a' }, { name: 'Grace Hopper', organisationId: 'b' }),
    ).toBeNull();
    expect(reasonsOf({ name: 'Grace Hopper', organisationId: 'a' }, { name: 'Grace Hopper' })).toEqual(['name']);
    expect(reasonsOf({ name: 'Grace' }, { name: 'Grace' })).toBeNull();
    expect(reasonsOf({ name: 'Grace', organisationId: 'a' }, { name: 'grace', organisationId: 'a' })).toEqual([
      'name',
      'organisation',
    ]);
    expect(reasonsOf({ name: '–' }, { name: '…' })).toBeNull();
  });

  it('is a slip in a long name, at one organisation or beside a number with an extension', () => {
    const [grace, slip] = ['Grace Hopper', 'Grace Hoper'];
    expect(reasonsOf({ name: grace }, { name: slip })).toBeNull();
    expect(reasonsOf({ name: grace, organisationId: 'a' }, { name: slip, organisationId: 'a' })).toEqual([
      'similar_name',
      'organisation',
    ]);
    expect(reasonsOf({ name: grace, phones: ['+493012345'] }, { name: slip, phones: ['+493012345678'] })).toEqual([
      'similar_name',
      'extension',
    ]);
    expect(reasonsOf({ name: 'Mia Lee', organisationId: 'a' }, { name: 'Moe Lei', organisationId: 'a' })).toBeNull();
    expect(reasonsOf({ name: 'Ann Wu', organisationId: 'a' }, { name: 'Ana Wu', organisationId: 'a' })).toBeNull();
    expect(reasonsOf({ name: 'Garce Hopper', organisationId: 'a' }, { name: grace, organisationId: 'a' })).toEqual([
      'similar_name',
      'organisation',
    ]);
  });

  it('is not that two have nothing', () => {
    expect(reasonsOf({}, {})).toBeNull();
    expect(reasonsOf({ organisationId: 'a' }, { organisationId: 'a' })).toBeNull();
    expect(reasonsOf({ phones: ['+493012345'] }, { phones: ['+493012345678'] })).toBeNull();
  });

  it('says the same of both, whichever is asked first', () => {
    const few = <T>(values: fc.Arbitrary<T>) => fc.array(values, { maxLength: 2 });
    const anybody = fc.record({
      name: fc.option(
        fc.constantFrom('Grace Hopper', 'Grace Hoper', 'Hopper Grace', 'Grace', 'Ann Wu', 'Ana Wu', 'Garce Hoppr'),
      ),
      organisationId: fc.option(fc.constantFrom('a', 'b')),
      phones: few(fc.constantFrom('+493012345', '+493012345678', '+13012345678', '+4512345')),
      emails: few(fc.constantFrom('a@x.example', 'b@x.example')),
      records: few(fc.constantFrom('C-1', 'C-2')),
    });
    fc.assert(
      fc.property(
        anybody,
        anybody,
        (one, other) => void expect(likenessOf(one, other)).toEqual(likenessOf(other, one)),
      ),
    );
  });
});
