import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsMoreValues, readJson } from '../../src/contract/jsonReader.ts';
import { bytesOf, canonical, isHeldByDouble, JsonText, plainJson, writeJson } from '../../src/contract/jsonText.ts';
import { crmFields } from '../../src/client/crmFields.ts';
import { customerFields, textOf } from '../../web/src/shared/customerDetails/customerFields.ts';
import { indented } from '../../web/src/shared/indented.ts';
import { english } from '../support/web/english.ts';

const read = (text: string) => readJson(text, canonical);
const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, part) => sum + valuesIn(part), 1)
    : 1;
/** Keys as CRMs have them, and those that JavaScript moves or means something by. */
const keys = fc.oneof(fc.string(), fc.constantFrom('10', '2', '__proto__', 'constructor', 'toJSON', 'a"b', '\\'));
const records = fc.jsonValue().map((value) => JSON.stringify(value));
const objects = fc.dictionary(keys, fc.jsonValue()).map((value) => JSON.stringify(value));

describe('JSON text', () => {
  it('is the same value without the white space, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(read(JSON.stringify(value, null, 3)))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(read(JSON.stringify(value, null, '\t'))).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each([
    [' { "b" : 1.10 , "10" : [ -0 , 1E+5 ] , "2" : { } , "e" : [ ] } ', '{"b":1.10,"10":[-0,1E+5],"2":{},"e":[]}'],
    ['{"a":1,"b":2,"a":{"c":3}}', '{"a":{"c":3},"b":2}'],
    ['{"\\u0061":1,"a":2}', '{"a":2}'],
    ['"\\u00e9\\/\\n\\\\"', '"é/\\n\\\\"'],
    ['{"text":"a, b: {c} [d] \\"e\\""}', '{"text":"a, b: {c} [d] \\"e\\""}'],
  ])('keeps of %s every digit and the order, and each field once', (given, text) => {
    expect(read(given)).toBe(text);
  });

  it('is written into what holds it as it is, and there alone', () => {
    const exact = new JsonText('{"10":9007199254740993,"2":1.10}');
    expect(writeJson({ a: exact, b: [exact, 'x'], c: { d: null } })).toBe(
      `{"a":${exact.text},"b":[${exact.text},"x"],"c":{"d":null}}`,
    );
    expect(writeJson(exact)).toBe(exact.text);
    expect(JSON.stringify({ a: exact })).toBe('{"a":{"2":1.1,"10":"9007199254740993"}}');
    fc.assert(fc.property(records, (text) => void expect(writeJson({ a: new JsonText(text) })).toBe(`{"a":${text}}`)));
  });

  it('is laid over another field by field, in the order of the lower one', () => {
    const lower = new JsonText('{"z":1.0,"10":2,"a":3}');
    expect(lower.overlaidWith(new JsonText('{"b":9007199254740993,"10":[1.10]}')).text).toBe(
      '{"z":1.0,"10":[1.10],"a":3,"b":9007199254740993}',
    );
  });

  it('tells the exact text only where JavaScript would lose something of it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.string(), fc.integer(), fc.boolean())),
        (record) => {
          expect(JsonText.of(record).exact()).toBeUndefined();
        },
      ),
    );
    for (const text of [
      '{"10":1,"2":2}',
      '{"a":1.10}',
      '{"a":-0}',
      '{"a":9007199254740993}',
      '{"a":1e400}',
      '{"a":1e2}',
    ]) {
      expect(new JsonText(text).exact()).toBe(text);
    }
  });

  it.each([
    ['0', true],
    ['-0', true],
    ['0.0', true],
    ['1.10', true],
    ['-1.5e3', true],
    ['0.1', true],
    ['1e21', true],
    ['123456789012345', true],
    ['9007199254740992', true],
    ['9007199254740993', false],
    ['554023000000235001', false],
    ['0.1234567890123456789', false],
    ['1e400', false],
    ['-1e400', false],
    ['1e-400', false],
    ['12345678.1234567', true],
    ['5e-324', true],
    ['1.7976931348623157e308', true],
  ])('%s is held by a double: %s', (number, isHeld) => {
    expect(isHeldByDouble(number)).toBe(isHeld);
    expect(typeof plainJson(number)).toBe(isHeld ? 'number' : 'string');
  });

  it('leaves a number as its text that is longer than any double is written', () => {
    const long = `1.${'0'.repeat(2_000)}`;
    expect(plainJson(`{"a":${long},"b":1}`)).toEqual({ a: long, b: 1 });
  });

  it('holds every number that JavaScript writes', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (number) => void expect(isHeldByDouble(JSON.stringify(number))).toBe(true),
      ),
    );
  });

  it('refuses what is no JSON, however it is read', () => {
    for (const text of ['', '{', '{"a":9007199254740993', '[1e400', '"9007199254740993', 'nonsense 9007199254740993'])
      expect(() => plainJson(text)).toThrow(SyntaxError);
  });

  it('is counted by its values before any is made', () => {
    fc.assert(
      fc.property(fc.oneof(records, objects), (text) => {
        const count = valuesIn(JSON.parse(text));
        expect([holdsMoreValues(text, count - 1), holdsMoreValues(text, count)]).toEqual([true, false]);
        expect(holdsMoreValues(JSON.stringify(JSON.parse(text), null, 2), count)).toBe(false);
      }),
    );
    for (const text of ['{"a', '[[[[', ',,,,', '"\\', '}]']) expect(typeof holdsMoreValues(text, 2)).toBe('boolean');
  });

  it('is measured in bytes of UTF-8', () => {
    expect([bytesOf('aé€😀'), JsonText.of({ a: 'é' }).bytes]).toEqual([10, 10]);
  });
});

describe('a record on a page', () => {
  const exact =
    '{"zip":"00123","10":1.10,"2":{"id":9007199254740993,"tags":["a",1.50,null],"list":[{"x":true}]},"none":{},' +
    '"empty":"","web":"https://crm.example/7"}';

  it('shows every digit, in the order of the CRM', () => {
    expect(customerFields(english, exact).map(({ label, values }) => [label, textOf(values)])).toEqual([
      ['Zip', '00123'],
      ['11', '1.10'],
      ['3 › Id', '9007199254740993'],
      ['3 › Tags', 'a\n1.50\n–'],
      ['3 › List › 1 › X', 'Yes'],
      ['None', '–'],
      ['Empty', '–'],
      ['Web', 'https://crm.example/7'],
    ]);
    const pop = { screen_pop: { crm: new JsonText(exact).plain() }, exact: { crm: exact } };
    expect(crmFields(pop).slice(0, 3)).toEqual([
      ['zip', '00123'],
      ['10', '1.10'],
      ['2', '{"id":9007199254740993,"tags":["a",1.50,null],"list":[{"x":true}]}'],
    ]);
    expect(crmFields({ screen_pop: { crm: { a: 1, b: 'two' } } })).toEqual([
      ['a', '1'],
      ['b', 'two'],
    ]);
  });

  it('is set out line by line without a change', () => {
    expect(indented('{"b":9007199254740993,"1":[1.10,{}],"a":"x\\ny"}')).toBe(
      '{\n  "b": 9007199254740993,\n  "1": [\n    1.10,\n    {}\n  ],\n  "a": "x\\ny"\n}',
    );
    expect(indented('no JSON')).toBe('no JSON');
    fc.assert(fc.property(records, (text) => void expect(JSON.parse(indented(text))).toEqual(JSON.parse(text))));
  });
});
