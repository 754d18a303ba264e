import { describe, expect, it } from 'vitest';
import { push } from '../../src/connectors/push.ts';
import { callOf, deliveryOf, formOf } from './deliveries.ts';

// Synthetic: written after Zammad's documentation of its generic CTI.
const inbound = { from: '493055571600', to: '491711234567890', direction: 'in', callId: '307fa962' };
const told = { callId: '307fa962', direction: 'inbound', customer: '493055571600', line: '491711234567890' } as const;
const anna = { id: null, email: null, name: 'Anna Berg' };

describe('the push of PBX bridges', () => {
  it.each([
    ['a form', (fields: Record<string, string>) => formOf({ ...fields, 'user[]': ['Anna Berg', 'Ben Kurz'], queue: 'sales' })],
    ['JSON', (fields: Record<string, string>) => deliveryOf({ ...fields, user: ['Anna Berg', 'Ben Kurz'], queue: 'sales' })],
  ])('rings at each user it names in %s', (_name, deliver) => {
    expect(push.read(deliver({ ...inbound, event: 'newCall' }))).toEqual([
      callOf('ringing', { ...told, agent: anna, queue: 'sales' }),
      callOf('ringing', { ...told, agent: { id: null, email: null, name: 'Ben Kurz' }, queue: 'sales' }),
    ]);
  });

  it('is answered by the one user, by the number that answered, or by nobody known', () => {
    const answered = (more: Record<string, string>) => push.read(formOf({ ...inbound, event: 'answer', ...more }));
    expect(answered({ user: 'Anna Berg', answeringNumber: '201' })).toEqual([callOf('answered', { ...told, agent: anna })]);
    expect(answered({ answeringNumber: '201' })).toEqual([callOf('answered', { ...told, agent: { id: '201', email: null, name: null } })]);
    expect(answered({ answeringNumber: 'a@b.example' })).toMatchObject([{ agent: { id: 'a@b.example', email: 'a@b.example' } }]);
    expect(answered({})).toEqual([callOf('answered', told)]);
  });

  it.each([
    ['normalClearing', null],
    ['busy', 'busy'],
    ['cancel', 'canceled'],
    ['noAnswer', 'no_answer'],
    ['congestion', 'failed'],
    ['notFound', 'failed'],
    ['forwarded', null],
    ['constructor', null],
  ])('ends for everybody, with the cause %s', (cause, expected) => {
    expect(push.read(formOf({ ...inbound, event: 'hangup', cause, 'user[]': 'Anna Berg' }))).toEqual([callOf('ended', { ...told, cause: expected as 'busy' | null })]);
  });

  it('takes who is called for the customer of an outbound call', () => {
    const events = push.read(deliveryOf({ event: 'newCall', direction: 'out', callId: 9_007_199_254, from: '200', to: '+4930123', user: 'Anna Berg' }));
    expect(events).toEqual([callOf('ringing', { callId: '9007199254', direction: 'outbound', customer: '+4930123', line: '200', agent: anna })]);
  });

  it.each([
    ['no event', { ...inbound }],
    ['another event', { ...inbound, event: 'dtmf' }],
    ['no call', { event: 'newCall', direction: 'in' }],
    ['no direction', { event: 'newCall', callId: '1', direction: 'sideways' }],
  ])('refuses %s', (_name, fields) => {
    expect(() => push.read(formOf(fields))).toThrow(expect.objectContaining({ name: 'UnreadableEvent' }));
  });
});
