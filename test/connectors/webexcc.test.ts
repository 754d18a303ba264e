import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { PlatformDelivery } from '../../src/connectors/connector.ts';
import { webexcc } from '../../src/connectors/webexcc.ts';
import { callOf, deliveryOf } from './deliveries.ts';
import { fixture } from './wholeCalls.ts';

const secret = 'replace-with-32-to-256-random-characters';
const body = fixture('webexTaskConnect.json');
/** Over the file's bytes, by `openssl dgst -sha256 -hmac`. */
const signature = '1bcac7a3a55050337e718dccfb7afcfa4d066e2d79ddcb58999655526f457b57';
const stamp = 1_760_000_000_000;

type Delivered = { text?: string; headers?: Record<string, string>; receivedAt?: number };

function delivered({ text = body, headers = {}, receivedAt = stamp }: Delivered = {}): PlatformDelivery {
  const given = { 'x-webexcc-signature': signature, 'x-webexcc-timestamp': String(stamp), ...headers };
  return { ...deliveryOf(text, given), receivedAt };
}

const verify = (given?: Delivered, key = secret) => webexcc.verify?.(delivered(given), key);
const sign = (text: string) => execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: text, encoding: 'utf8' }).trim().split(' ').at(-1) ?? '';

describe('the signature of Webex Contact Center', () => {
  it('is good as recorded, and up to five minutes off', () => {
    expect(verify()).toBe('ok');
    expect(verify({ receivedAt: stamp + 300_000 })).toBe('ok');
    expect(verify({ receivedAt: stamp - 300_000 })).toBe('ok');
  });

  it('is good over any body that was signed', () => {
    const text = JSON.stringify({ type: 'task:ended', comciscotimestamp: String(stamp), data: { taskId: 'Zoë ✓' } });
    expect(verify({ text, headers: { 'x-webexcc-signature': sign(text) } })).toBe('ok');
  });

  it.each<[string, Delivered, string]>([
    ['no signature', { headers: { 'x-webexcc-signature': '' } }, 'missing'],
    ['a body that was changed', { text: body.replace('+15550100', '+15550101') }, 'mismatch'],
    ['white space added', { text: `${body} ` }, 'mismatch'],
    ['upper case', { headers: { 'x-webexcc-signature': signature.toUpperCase() } }, 'mismatch'],
    ['half a signature', { headers: { 'x-webexcc-signature': signature.slice(0, 32) } }, 'mismatch'],
    ['no hex', { headers: { 'x-webexcc-signature': 'z'.repeat(64) } }, 'mismatch'],
    ['no time', { headers: { 'x-webexcc-timestamp': '' } }, 'stale'],
    ['a time that is none', { headers: { 'x-webexcc-timestamp': '1e12' } }, 'stale'],
    ['another time than the body has', { headers: { 'x-webexcc-timestamp': String(stamp + 1) } }, 'mismatch'],
    ['an old time', { receivedAt: stamp + 300_001 }, 'stale'],
    ['a time to come', { receivedAt: stamp - 300_001 }, 'stale'],
  ])('is refused with %s', (_name, given, verdict) => {
    expect(verify(given)).toBe(verdict);
  });

  it('is refused of another secret, and over what is no event', () => {
    expect(verify({}, `${secret}x`)).toBe('mismatch');
    expect(verify({ text: 'no JSON', headers: { 'x-webexcc-signature': sign('no JSON') } })).toBe('mismatch');
  });
});

describe('events of Webex Contact Center', () => {
  const agent = (type: string, data: object) => webexcc.read(deliveryOf({ id: 'e', type, comciscotimestamp: String(stamp), data: { agentId: 'ag', ...data } }));
  const told = { kind: 'agent_state', eventId: 'e', agent: { id: 'ag', email: null, name: null }, reason: null, at: stamp };

  it('are read from the sample', () => {
    expect(webexcc.read(delivered())).toEqual([
      callOf('ringing', {
        callId: '9d6c0000-0000-4000-8000-000000000003',
        eventId: '7e6b2f2e-0000-4000-8000-000000000001',
        direction: 'inbound',
        customer: '+15550100',
        line: '+15550199',
        agent: { id: '11110000-0000-4000-8000-000000000004', email: null, name: null },
        queue: '22220000-0000-4000-8000-000000000005',
        at: stamp,
      }),
    ]);
  });

  it('tell that an agent who let it ring is not ready since there was no answer', () => {
    expect(agent('agent:channel_state_change', { currentState: 'RONA' })).toEqual([{ ...told, state: 'not_ready', reason: 'no_answer' }]);
  });

  it('tell what agents do', () => {
    expect(agent('agent:login', {})).toEqual([{ ...told, state: 'not_ready' }]);
    expect(agent('agent:channel_state_change', { currentState: 'idle', auxCodeName: 'Lunch' })).toEqual([{ ...told, state: 'not_ready', reason: 'Lunch' }]);
    expect(agent('agent:channel_state_change', { currentState: 'available' })).toEqual([{ ...told, state: 'ready' }]);
    expect(agent('agent:channel_state_change', { currentState: 'on-hold' })).toEqual([{ ...told, state: 'on_call' }]);
    expect(agent('agent:channel_state_change', { currentState: 'available', channelType: 'chat' })).toEqual([]);
    expect(agent('agent:logout', {})).toEqual([{ ...told, state: 'offline' }]);
  });

  it('have the called number as customer where the agent called', () => {
    const data = { taskId: 't', direction: 'OUTBOUND', origin: '+15550199', destination: '+15550100' };
    expect(webexcc.read(deliveryOf({ type: 'task:connected', data }))).toEqual([callOf('answered', { callId: 't', direction: 'outbound', customer: '+15550100', line: '+15550199' })]);
  });
});
