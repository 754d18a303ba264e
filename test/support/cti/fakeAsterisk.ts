import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type Answer, type Heard, json } from '../http/fakeServer.ts';
import { ariChannel, ariTime } from './ariEvents.ts';
import { type Dialed, DialingPlatform } from './dialingPlatform.ts';
import type { Sent } from './platforms.ts';

/** What becomes of a dial. `agent_away`: the agent's telephone was not answered, and nobody else was called. */
export type Course = 'answered' | 'busy' | 'no_answer' | 'unreachable_then_answered' | 'agent_away';

type Parameter = { name: string; required: boolean; type: 'string' | 'int' | 'long' };

/** The query parameters of `POST /channels`, as ARI's resource description lists them. */
const parameters = JSON.parse(readFileSync(new URL('ariOriginate.json', import.meta.url), 'utf8')) as Parameter[];

/** What of an originate does not fit ARI's description; empty: nothing. */
export function faultsOfOriginate(given: URLSearchParams): string[] {
  const strangers = [...given.keys()].filter((name) => parameters.every((one) => one.name !== name));
  const missing = parameters
    .filter(({ name, required }) => required && (given.get(name) ?? '') === '')
    .map(({ name }) => name);
  const mistyped = parameters
    .filter(({ name, type }) => type !== 'string' && given.has(name) && !/^-?\d+$/.test(given.get(name) ?? ''))
    .map(({ name }) => name);
  return [...strangers, ...missing, ...mistyped];
}

/**
 * Asterisk, as far as its REST interface makes a channel,
 * and tells what becomes of it and of the channel to the customer.
 */
export class FakeAsterisk extends DialingPlatform {
  readonly connector = 'asterisk';
  readonly words = /Allocation failed/;
  readonly wrongSettings = { password: 'another' };

  static start(): Promise<FakeAsterisk> {
    return new FakeAsterisk().listen();
  }

  get settings() {
    return { url: this.url, user: 'readyline', password: 'secret-2', context: 'from-internal' };
  }

  isDial({ method, path }: Heard): boolean {
    return method === 'POST' && path.startsWith('/ari/channels');
  }

  expireTokens(): void {
    // It has none.
  }

  /** All that it tells of a dial from its beginning to its end, in order. */
  courseOf({ agent, callId, phone }: Dialed, course: Course, begin: number): Sent[] {
    let seconds = 0;
    const own = (state: string) =>
      ariChannel({
        id: callId,
        name: `PJSIP/${agent}-00000001`,
        state,
        number: phone,
        connected: phone,
        context: this.settings.context,
        exten: phone,
        at: begin,
      });
    const trunk = (state: string, nth = 2) =>
      ariChannel({
        id: `1760000000.${nth}`,
        name: `PJSIP/provider-0000000${nth}`,
        state,
        connected: phone,
        context: 'from-provider',
        exten: '',
        at: begin,
      });
    const tell = (type: string, more: object): Sent => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type, timestamp: ariTime(begin + seconds++ * 1_000), application: 'readyline', ...more }),
    });
    const dialOwn = (dialstatus: string, state: string) =>
      tell('Dial', { peer: own(state), dialstring: agent, dialstatus });
    const dialTrunk = (dialstatus: string, state: string, nth = 2) =>
      tell('Dial', { caller: own('Up'), peer: trunk(state, nth), dialstring: `${phone}@provider`, dialstatus });
    const destroyed = (channel: object, cause: number) => tell('ChannelDestroyed', { channel, cause, cause_txt: '' });
    const called = [
      tell('ChannelCreated', { channel: own('Down') }),
      dialOwn('', 'Down'),
      tell('ChannelStateChange', { channel: own('Ringing') }),
      dialOwn('RINGING', 'Ringing'),
    ];
    if (course === 'agent_away') return [...called, dialOwn('NOANSWER', 'Ringing'), destroyed(own('Ringing'), 19)];
    const there = [
      tell('ChannelStateChange', { channel: own('Up') }),
      dialOwn('ANSWER', 'Up'),
      tell('ChannelCreated', { channel: trunk('Down') }),
      dialTrunk('', 'Down'),
    ];
    const unreachable =
      course === 'unreachable_then_answered'
        ? [
            dialTrunk('CHANUNAVAIL', 'Down'),
            destroyed(trunk('Down'), 20),
            tell('ChannelCreated', { channel: trunk('Down', 3) }),
            dialTrunk('', 'Down', 3),
          ]
        : [];
    const nth = unreachable.length > 0 ? 3 : 2;
    const rings = [
      tell('ChannelStateChange', { channel: trunk('Ringing', nth) }),
      dialTrunk('RINGING', 'Ringing', nth),
    ];
    const head = [...called, ...there, ...unreachable, ...rings];
    if (course === 'busy')
      return [...head, dialTrunk('BUSY', 'Ringing'), destroyed(trunk('Ringing'), 17), destroyed(own('Up'), 17)];
    if (course === 'no_answer')
      return [...head, dialTrunk('NOANSWER', 'Ringing'), destroyed(trunk('Ringing'), 16), destroyed(own('Up'), 16)];
    return [
      ...head,
      tell('ChannelStateChange', { channel: trunk('Up', nth) }),
      dialTrunk('ANSWER', 'Up', nth),
      destroyed(trunk('Up', nth), 16),
      destroyed(own('Up'), 16),
    ];
  }

  protected override refusalOf({ headers, url = '' }: IncomingMessage): number | null {
    const asked = new URL(url, this.url);
    if (headers.authorization !== `Basic ${btoa(`${this.settings.user}:${this.settings.password}`)}`) return 401;
    return asked.pathname === '/ari/events' &&
      /^\w+$/.test(asked.searchParams.get('app') ?? '') &&
      asked.searchParams.get('subscribeAll') === 'true'
      ? null
      : 400;
  }

  protected override isToldAt(): boolean {
    return true;
  }

  protected answer({ headers, method, url }: Heard): Answer {
    if (headers['authorization'] !== `Basic ${btoa(`${this.settings.user}:${this.settings.password}`)}`)
      return json(401, { message: 'Authentication required' });
    if (method === 'GET' && url.pathname === '/ari/asterisk/ping')
      return json(200, { asterisk_id: '08:00:27', ping: 'pong', timestamp: '2026-11-23T10:00:00.000+0000' });
    const [, id] = /^\/ari\/channels\/(.+)$/.exec(url.pathname) ?? [];
    if (method === 'GET' && id !== undefined) {
      return this.dialed.some(({ callId }) => callId === id)
        ? json(200, { id, state: 'Down' })
        : json(404, { message: 'Channel not found' });
    }
    return method === 'POST' && url.pathname === '/ari/channels'
      ? this.#originate(url.searchParams)
      : json(404, { message: 'Resource not found' });
  }

  #originate(given: URLSearchParams): Answer {
    const [endpoint, extension, callId] = ['endpoint', 'extension', 'channelId'].map((name) => given.get(name) ?? '');
    const agent = /^PJSIP\/(.+)$/.exec(endpoint ?? '')?.[1];
    const isWhole =
      agent !== undefined &&
      extension !== '' &&
      given.get('context') === this.settings.context &&
      /^\d+$/.test(given.get('priority') ?? '') &&
      given.get('app') === null;
    if (!isWhole || faultsOfOriginate(given).length > 0)
      return json(400, { message: 'Invalid parameters for originating a channel' });
    if (this.dialed.some((one) => one.callId === callId))
      return json(409, { message: 'Channel with given unique ID already exists' });
    // An endpoint that is not registered, or does not exist.
    if (!this.agents.has(agent) || this.busy.has(agent)) return json(500, { error: 'Allocation failed' });
    this.dialed.push({ callId: callId ?? '', agent, phone: extension ?? '' });
    return json(200, {
      id: callId,
      name: `PJSIP/${agent}-00000001`,
      state: 'Down',
      caller: { name: '', number: '' },
      connected: { name: '', number: extension },
    });
  }
}
