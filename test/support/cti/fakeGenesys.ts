import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { type Answer, type Heard, json } from '../http/fakeServer.ts';
import { DialingPlatform } from './dialingPlatform.ts';
import type { Sent } from './platforms.ts';

/** What `CreateCallRequest` has, of the published SDK. */
const createCallRequest = [
  'phoneNumber',
  'callerId',
  'callerIdName',
  'callFromQueueId',
  'callQueueId',
  'callUserId',
  'priority',
  'attributes',
  'languageId',
  'routingSkillsIds',
  'conversationIds',
  'participants',
  'uuiData',
  'externalContactId',
  'label',
];

/**
 * A company's presences: one that it switched off, those of its own, which fill a page,
 * and those that it has from Genesys.
 */
const presences = [
  { id: 'p-0', systemPresence: 'Break', primary: false, deactivated: true },
  { id: 'p-1', systemPresence: 'On Queue', primary: false, deactivated: false },
  ...Array.from({ length: 100 }, (_none, index) => ({
    id: `own-${index}`,
    systemPresence: 'Busy',
    primary: false,
    deactivated: false,
  })),
  ...['Available', 'Away', 'Break', 'Busy', 'Meal', 'Meeting', 'Offline', 'On Queue', 'Training'].map(
    (systemPresence, index) => ({ id: `p-${index + 2}`, systemPresence, primary: true, deactivated: false }),
  ),
];

/** @param most entries of a page */
function pageOf(all: readonly object[], asked: URLSearchParams, most: number): Answer {
  const [pageSize, pageNumber] = [Number(asked.get('pageSize')), Number(asked.get('pageNumber'))];
  if (!(pageSize >= 1 && pageSize <= most && pageNumber >= 1))
    return json(400, { message: `pageSize must be at most ${most}`, code: 'bad.request', status: 400 });
  const entities = all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  const pageCount = Math.max(1, Math.ceil(all.length / pageSize));
  return json(200, { entities, pageSize, pageNumber, total: all.length, pageCount });
}

/** Genesys Cloud, as far as a dial on behalf of a user goes. */
export class FakeGenesys extends DialingPlatform {
  readonly connector = 'genesys';
  readonly words = /no station/;
  readonly settings = { region: 'mypurecloud.de', client_id: 'client-1', client_secret: 'secret-1' };
  readonly wrongSettings = { ...this.settings, client_secret: 'another' };
  override readonly states: { agent: string; state: string }[] = [];
  readonly #tokens = new Set<string>();

  static start(): Promise<FakeGenesys> {
    return new FakeGenesys().listen();
  }

  isDial({ path }: Heard): boolean {
    return path.includes('/conversations/calls/');
  }

  override isState({ method }: Heard): boolean {
    return method === 'PATCH';
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  /** Its channels, and what is subscribed to of each. */
  readonly #channels = new Map<string, Set<string>>();
  readonly #channelOf = new WeakMap<WebSocket, string>();
  /** Users that have an e-mail address. */
  readonly emails = new Map<string, string>();

  protected override refusalOf({ url = '' }: IncomingMessage): number | null {
    return this.#channels.has(url.replace('/channels/', '')) ? null : 404;
  }

  protected override opened(line: WebSocket, { url = '' }: IncomingMessage): void {
    this.#channelOf.set(line, url.replace('/channels/', ''));
    line.send(JSON.stringify({ topicName: 'channel.metadata', eventBody: { message: 'WebSocket Heartbeat' } }));
  }

  protected override isToldAt(line: WebSocket, { body }: Sent): boolean {
    return (
      this.#channels.get(this.#channelOf.get(line) ?? '')?.has((JSON.parse(body) as { topicName: string }).topicName) ??
      false
    );
  }

  protected answer(request: Heard): Answer {
    if (request.path === '/oauth/token') return this.#logIn(request);
    const asked = this.#asked(request) ?? this.#presence(request);
    if (asked !== null) return asked;
    const [, user] = /^\/api\/v2\/conversations\/calls\/user\/([^/?]+)$/.exec(request.path) ?? [];
    if (user === undefined || request.method !== 'POST')
      return json(404, { message: 'Not found', code: 'not.found', status: 404 });
    const token = /^Bearer (\S+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? '';
    if (!this.#tokens.has(token))
      return json(401, { message: 'Invalid login credentials.', code: 'bad.credentials', status: 401 });
    return this.#call(decodeURIComponent(user), request);
  }

  /** What listening takes; null: something else was asked. */
  #asked({ body, headers, method, url }: Heard): Answer | null {
    const isUsers = url.pathname === '/api/v2/users';
    const [, channel] = /^\/api\/v2\/notifications\/channels(?:\/([^/]+)\/subscriptions)?$/.exec(url.pathname) ?? [];
    const isChannels = url.pathname.startsWith('/api/v2/notifications/channels');
    if (!isUsers && !isChannels) return null;
    if (!this.#tokens.has((headers['authorization'] ?? '').replace('Bearer ', '')))
      return json(401, { message: 'Invalid login credentials.', code: 'bad.credentials', status: 401 });
    if (isUsers && method === 'GET')
      return pageOf(
        [...this.agents].map((id) => this.#user(id)),
        url.searchParams,
        500,
      );
    if (method !== 'POST') return json(405, { message: 'Method not allowed' });
    if (channel === undefined) {
      const id = `streaming-${randomUUID()}`;
      this.#channels.set(id, new Set());
      return json(200, {
        id,
        connectUri: `${this.url.replace('http', 'ws')}/channels/${id}`,
        expires: '2026-11-24T10:00:00.000Z',
      });
    }
    const topics = JSON.parse(body) as { id: string }[];
    const own = this.#channels.get(channel);
    if (own === undefined || topics.length > 1_000)
      return json(400, { message: 'Invalid channel or too many topics', code: 'bad.request', status: 400 });
    for (const { id } of topics) own.add(id);
    return json(200, { entities: topics });
  }

  /** What setting a presence takes; null: something else was asked. */
  #presence({ body, headers, method, url }: Heard): Answer | null {
    const [, user] = /^\/api\/v2\/users\/([^/]+)\/presences\/purecloud$/.exec(url.pathname) ?? [];
    const isList = url.pathname === '/api/v2/presencedefinitions';
    if (user === undefined && !isList) return null;
    if (!this.#tokens.has((headers['authorization'] ?? '').replace('Bearer ', '')))
      return json(401, { message: 'Invalid login credentials.', code: 'bad.credentials', status: 401 });
    if (isList) {
      return method === 'GET' ? pageOf(presences, url.searchParams, 100) : json(405, { message: 'Method not allowed' });
    }
    const agent = decodeURIComponent(user ?? '');
    const { presenceDefinition, ...strangers } = JSON.parse(body) as { presenceDefinition?: { id?: unknown } };
    const wanted = presences.find(({ deactivated, id }) => id === presenceDefinition?.id && !deactivated);
    if (method !== 'PATCH' || wanted === undefined || Object.keys(strangers).length > 0)
      return json(400, { message: 'Invalid presence', code: 'bad.request', status: 400 });
    if (!this.agents.has(agent))
      return json(404, { message: 'Unable to find the user', code: 'not.found', status: 404 });
    if (this.busy.has(agent)) return json(409, { message: 'The user has no station', code: 'conflict', status: 409 });
    this.states.push({
      agent,
      state: wanted.primary ? wanted.systemPresence : `a presence of the company’s own: ${wanted.id}`,
    });
    return json(200, {
      id: agent,
      source: 'PURECLOUD',
      presenceDefinition: { id: wanted.id, systemPresence: wanted.systemPresence },
    });
  }

  #user(id: string): object {
    const email = this.emails.get(id);
    return { id, name: `User ${id}`, ...(email === undefined ? {} : { email }), state: 'active' };
  }

  #logIn({ body, headers, method }: Heard): Answer {
    const expected = `Basic ${btoa(`${this.settings.client_id}:${this.settings.client_secret}`)}`;
    if (
      method !== 'POST' ||
      headers['content-type'] !== 'application/x-www-form-urlencoded' ||
      body !== 'grant_type=client_credentials'
    )
      return json(400, { error: 'invalid_request' });
    if (headers['authorization'] !== expected) {
      return json(401, {
        error: 'invalid_client',
        description: 'client not found: application',
        error_description: 'client not found: application',
      });
    }
    const token = randomUUID();
    this.#tokens.add(token);
    return json(200, { access_token: token, token_type: 'bearer', expires_in: 86_399 });
  }

  #call(agent: string, { body, headers }: Heard): Answer {
    const given = JSON.parse(body) as Record<string, unknown>;
    const strangers = Object.keys(given).filter((name) => !createCallRequest.includes(name));
    const phone = given['phoneNumber'];
    if (
      headers['content-type'] !== 'application/json' ||
      strangers.length > 0 ||
      typeof phone !== 'string' ||
      !/^\+[1-9]\d{6,14}$/.test(phone)
    ) {
      return json(400, {
        message: `The request could not be understood: ${strangers.join(' ')}`,
        code: 'bad.request',
        status: 400,
      });
    }
    if (!this.agents.has(agent))
      return json(404, { message: 'Unable to find the user', code: 'not.found', status: 404 });
    if (this.busy.has(agent)) return json(409, { message: 'The user has no station', code: 'conflict', status: 409 });
    const callId = this.nextCallId ?? randomUUID();
    this.nextCallId = null;
    this.dialed.push({ callId, agent, phone });
    return json(200, { id: callId, name: phone, selfUri: `/api/v2/conversations/calls/${callId}` });
  }
}
