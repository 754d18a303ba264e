import { describe, expect, it } from 'vitest';
import { type PlatformDelivery, type PlatformEvent, UnreadableEvent } from '../../src/connectors/connector.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { connectorOf, deliveryOf, formOf, xmlOf } from './deliveries.ts';

const connectorIds = [...connectors.keys()];

/** What a connector makes of a delivery that it may refuse; anything else that is thrown fails the test. */
function readOrRefused(id: string, delivery: PlatformDelivery): PlatformEvent[] {
  try {
    return connectorOf(id).read(delivery);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableEvent);
    return [];
  }
}

const bytes = (...body: number[]): PlatformDelivery => ({ ...deliveryOf(''), body: Buffer.from(body) });
const entities =
  '<?xml version="1.0"?><!DOCTYPE u [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Update><data><user>' +
  '<loginId>&b;</loginId><state>READY</state></user></data></Update>';

/** Nothing of these is an event of anybody. */
const nonsense: [string, PlatformDelivery][] = [
  ['nothing', deliveryOf('')],
  ['white space', deliveryOf(' \n ')],
  ['no JSON', deliveryOf('{"event":')],
  ['a word', deliveryOf('null')],
  ['a number', deliveryOf('1760000000000')],
  ['a text', deliveryOf('"ringing"')],
  ['a list in place of an object', deliveryOf([{ event: 'ringing', call_id: '1' }])],
  ['an empty object', deliveryOf({})],
  ['an empty form', { ...deliveryOf(''), headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['another form', formOf({ a: '1', b: '2' })],
  [
    'a form of many fields',
    formOf(Object.fromEntries(Array.from({ length: 5_000 }, (_none, index) => [`f${index}`, 'x']))),
  ],
  ['bytes that are no text', bytes(0xff, 0xfe, 0x00, 0x80)],
  ['zeros', bytes(0, 0, 0, 0)],
  ['megabytes of JSON', deliveryOf(JSON.stringify({ event: 'ringing', call_id: '1', more: 'x'.repeat(3_000_000) }))],
  ['megabytes of a form', formOf({ event: 'hangup', callId: '1', direction: 'in', more: 'x'.repeat(3_000_000) })],
  ['megabytes of XML', xmlOf(`<Update>${'<a/>'.repeat(1_000_000)}</Update>`)],
  ['JSON as deep as it is long', deliveryOf('['.repeat(120_000) + ']'.repeat(120_000))],
  [
    'an event around deep JSON',
    deliveryOf(`{"event":"ringing","call_id":"1","more":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`),
  ],
  ['a text without an end', deliveryOf(`{"event":"${'\\"'.repeat(120_000)}`)],
  ['deep XML', xmlOf(`${'<Update>'.repeat(20_000)}${'</Update>'.repeat(20_000)}`)],
  ['XML with entities of its own', xmlOf(entities)],
  ['XML with a document type', xmlOf('<!DOCTYPE Update SYSTEM "file:///etc/passwd"><Update><data/></Update>')],
  [
    'XML that fetches',
    xmlOf('<!DOCTYPE u [<!ENTITY x SYSTEM "http://127.0.0.1/">]><Update><source>&x;</source></Update>'),
  ],
  ['XML with a comment and CDATA', xmlOf('<Update><!-- x --><data><![CDATA[<user/>]]></data></Update>')],
  ['XML without an end', xmlOf('<Update><data>')],
  ['other XML', xmlOf('<ApiErrors><ApiError/></ApiErrors>')],
  ['an Update of nothing', xmlOf('<Update/>')],
  [
    'names of every object',
    deliveryOf({
      event: 'constructor',
      type: 'toString',
      topicName: '__proto__',
      status: 'valueOf',
      events: 'hasOwnProperty',
    }),
  ],
  ['states of every object', deliveryOf({ event: 'agent_state', agent_id: '7', state: 'constructor' })],
  [
    'a prototype',
    deliveryOf('{"__proto__":{"event":"ringing","call_id":"1"},"constructor":{"prototype":{"call_id":"1"}}}'),
  ],
];

/** Ids that are none, in the place of a call's. */
const badIds: [string, unknown][] = [
  ['null', null],
  ['empty', ''],
  ['white space', ' \t '],
  ['an object', { id: '1' }],
  ['a list', ['1']],
  ['true', true],
  ['a fraction', 1.5],
  ['a huge number', 1e300],
  ['a text with NUL', 'a\0b'],
  ['half a surrogate pair', '\uD800'],
  ['a line break', 'a\r\nb'],
  ['bytes that were no UTF-8', 'a\uFFFD'],
  ['thousands of characters', 'x'.repeat(5_000)],
];

describe.each(connectorIds)('%s', (id) => {
  it.each(nonsense)('makes nothing of %s', (_name, delivery) => {
    expect(readOrRefused(id, delivery)).toEqual([]);
  });

  it.each(badIds)('makes no call of an id that is %s', (_name, callId) => {
    expect(() => connectorOf(id).read(deliveryOf({ event: 'ringing', call_id: callId }))).toThrow(UnreadableEvent);
  });

  it('takes fields of a wrong kind for ones that are not told', () => {
    const wrong = {
      direction: 7,
      customer_number: { a: 1 },
      dialed_number: ['+4930123456'],
      agent_id: { id: '7' },
      agent_email: [],
      agent_name: false,
      queue: 1.5,
      talk_seconds: 'long',
      at: { now: true },
      event_id: null,
    };
    const [event] = connectorOf(id).read(deliveryOf({ event: 'ringing', call_id: '1', ...wrong }));
    expect(event).toMatchObject({
      callId: '1',
      eventId: null,
      direction: null,
      customer: null,
      dialedNumber: null,
      agent: null,
      queue: null,
      at: null,
      talkMs: null,
    });
  });

  it('keeps long numbers whole', () => {
    const [event] = connectorOf(id).read(
      deliveryOf('{"event":"ringing","call_id":12345678901234567890,"customer_number":4930123456789}'),
    );
    expect(event).toMatchObject({ callId: '12345678901234567890', customer: '4930123456789' });
  });

  it('refuses an agent’s state without the agent', () => {
    expect(() => connectorOf(id).read(deliveryOf({ event: 'agent_state', state: 'ready' }))).toThrow(UnreadableEvent);
    expect(() => connectorOf(id).read(deliveryOf({ event: 'agent_state', agent_id: '7' }))).toThrow(UnreadableEvent);
  });

  it('says nothing of what came where it refuses it', () => {
    for (const body of [
      '{"secret-4711',
      '{"type":"secret-4711","event":"secret-4711"}',
      'event=secret-4711',
      '<secret-4711>',
    ]) {
      try {
        connectorOf(id).read(deliveryOf(body));
      } catch (error) {
        expect(String(error)).not.toContain('4711');
      }
    }
  });
});

describe('times', () => {
  const read = (at: unknown) => connectorOf('push').read(deliveryOf({ event: 'ringing', call_id: '1', at }))[0]?.at;
  const told = Date.UTC(2025, 9, 9, 8, 53, 20);

  it.each<[unknown, number]>([
    [told, told],
    [String(told), told],
    [told / 1_000, told],
    [String(told / 1_000), told],
    [`${told / 1_000}.250`, told + 250],
    ['2025-10-09T08:53:20Z', told],
    ['2025-10-09T08:53:20.5Z', told + 500],
    ['2025-10-09T08:53:20.123456789Z', told + 123],
    ['2025-10-09T10:53:20+02:00', told],
    ['2025-10-09T10:53:20.000+0200', told],
    ['2025-10-09 08:53:20 +0000', told],
  ])('are read of %s', (value, expected) => {
    expect(read(value)).toBe(expected);
  });

  it.each([
    0,
    -1,
    1e300,
    12,
    '0',
    '99999999999999999999',
    '2025-10-09T08:53:20',
    '2025-02-30T08:53:20Z',
    '2025-13-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    'yesterday',
    '',
    true,
    {},
  ])('are not read of %j', (value) => {
    expect(read(value)).toBeNull();
  });
});
