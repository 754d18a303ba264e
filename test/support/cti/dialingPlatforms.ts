import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Answer, FakeServer, type Heard, json } from '../http/fakeServer.ts';
import type { Sent } from './platforms.ts';

/** A call that a platform has begun for one of its agents. */
export type Dialed = { callId: string; agent: string; phone: string };

/**
 * A telephony platform on this machine that calls customers for its agents. It enforces log-in and form as the real one does, by code of its
 * own. An agent who talks already is refused as the real one refuses.
 */
export abstract class DialingPlatform extends FakeServer {
  abstract readonly connector: string;
  readonly dialed: Dialed[] = [];
  /** Its agents. */
  readonly agents = new Set<string>();
  /** Those whom it refuses now. */
  readonly busy = new Set<string>();
  /** What a company's admin types in for dialing. */
  abstract readonly settings: Record<string, string>;
  /** Settings with which it lets nobody in. */
  abstract readonly wrongSettings: Record<string, string>;
  /** The WebSockets that are open. */
  readonly lines = new Set<WebSocket>();
  readonly #sockets = new WebSocketServer({ noServer: true });

  /** Whether a WebSocket may be had with that request; null: it may, else the status of the refusal. */
  protected abstract refusalOf(request: IncomingMessage): number | null;
  /** Whether that is told at this line. */
  protected abstract isToldAt(line: WebSocket, told: Sent): boolean;

  protected override upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {});
    const status = this.refusalOf(request);
    if (status !== null) return void socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    this.#sockets.handleUpgrade(request, socket, head, (line) => {
      line.on('error', () => {});
      line.on('close', () => this.lines.delete(line));
      this.lines.add(line);
      this.opened(line, request);
    });
  }

  protected opened(_line: WebSocket, _request: IncomingMessage): void {
    // Most say nothing at first.
  }

  /** Tells at every line that is to hear it. @returns at how many */
  tell(told: Sent): number {
    const hearing = [...this.lines].filter((line) => this.isToldAt(line, told));
    for (const line of hearing) line.send(told.body);
    return hearing.length;
  }

  override async close(): Promise<void> {
    for (const line of this.lines) line.terminate();
    this.#sockets.close();
    await super.close();
  }

  /** Whether that request dials. */
  abstract isDial(request: Heard): boolean;
  /** Every token given so far is refused from now on. Does nothing where there are none. */
  abstract expireTokens(): void;
}

/** What `CreateCallRequest` has, of the published SDK. */
const createCallRequest = ['phoneNumber', 'callerId', 'callerIdName', 'callFromQueueId', 'callQueueId', 'callUserId', 'priority', 'attributes', 'languageId', 'routingSkillsIds', 'conversationIds', 'participants', 'uuiData', 'externalContactId', 'label'];

/** Genesys Cloud, as far as a dial on behalf of a user goes. */
export class FakeGenesys extends DialingPlatform {
  readonly connector = 'genesys';
  readonly settings = { region: 'mypurecloud.de', client_id: 'client-1', client_secret: 'secret-1' };
  readonly wrongSettings = { ...this.settings, client_secret: 'another' };
  readonly #tokens = new Set<string>();

  static start(): Promise<FakeGenesys> {
    return new FakeGenesys().listen();
  }

  isDial({ path }: Heard): boolean {
    return path.includes('/conversations/calls/');
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  /** Its channels, and what is subscribed to of each. */
  readonly #channels = new Map<string, Set<string>>();
  readonly #channelOf = new WeakMap<WebSocket, string>();
  /** Users that have an e-mail address. */
  readonly emails = new Map<string, string>();

  protected refusalOf({ url = '' }: IncomingMessage): number | null {
    return this.#channels.has(url.replace('/channels/', '')) ? null : 404;
  }

  protected override opened(line: WebSocket, { url = '' }: IncomingMessage): void {
    this.#channelOf.set(line, url.replace('/channels/', ''));
    line.send(JSON.stringify({ topicName: 'channel.metadata', eventBody: { message: 'WebSocket Heartbeat' } }));
  }

  protected isToldAt(line: WebSocket, { body }: Sent): boolean {
    return this.#channels.get(this.#channelOf.get(line) ?? '')?.has((JSON.parse(body) as { topicName: string }).topicName) ?? false;
  }

  protected answer(request: Heard): Answer {
    if (request.path === '/oauth/token') return this.#logIn(request);
    const asked = this.#asked(request);
    if (asked !== null) return asked;
    const [, user] = /^\/api\/v2\/conversations\/calls\/user\/([^/?]+)$/.exec(request.path) ?? [];
    if (user === undefined || request.method !== 'POST') return json(404, { message: 'Not found', code: 'not.found', status: 404 });
    const token = /^Bearer (\S+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? '';
    if (!this.#tokens.has(token)) return json(401, { message: 'Invalid login credentials.', code: 'bad.credentials', status: 401 });
    return this.#call(decodeURIComponent(user), request);
  }

  /** What listening takes; null: something else was asked. */
  #asked({ body, headers, method, url }: Heard): Answer | null {
    const isUsers = url.pathname === '/api/v2/users';
    const [, channel] = /^\/api\/v2\/notifications\/channels(?:\/([^/]+)\/subscriptions)?$/.exec(url.pathname) ?? [];
    const isChannels = url.pathname.startsWith('/api/v2/notifications/channels');
    if (!isUsers && !isChannels) return null;
    if (!this.#tokens.has((headers['authorization'] ?? '').replace('Bearer ', ''))) return json(401, { message: 'Invalid login credentials.', code: 'bad.credentials', status: 401 });
    if (isUsers && method === 'GET') return this.#users(Number(url.searchParams.get('pageSize')), Number(url.searchParams.get('pageNumber')));
    if (method !== 'POST') return json(405, { message: 'Method not allowed' });
    if (channel === undefined) {
      const id = `streaming-${randomUUID()}`;
      this.#channels.set(id, new Set());
      return json(200, { id, connectUri: `${this.url.replace('http', 'ws')}/channels/${id}`, expires: '2026-11-24T10:00:00.000Z' });
    }
    const topics = JSON.parse(body) as { id: string }[];
    const own = this.#channels.get(channel);
    if (own === undefined || topics.length > 1_000) return json(400, { message: 'Invalid channel or too many topics', code: 'bad.request', status: 400 });
    for (const { id } of topics) own.add(id);
    return json(200, { entities: topics });
  }

  #users(pageSize: number, pageNumber: number): Answer {
    if (!(pageSize >= 1 && pageSize <= 500 && pageNumber >= 1)) return json(400, { message: 'pageSize must be at most 500', code: 'bad.request', status: 400 });
    const users = [...this.agents].map((id) => ({ id, name: `User ${id}`, ...(this.emails.has(id) ? { email: this.emails.get(id) } : {}), state: 'active' }));
    const entities = users.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
    return json(200, { entities, pageSize, pageNumber, total: users.length, pageCount: Math.max(1, Math.ceil(users.length / pageSize)) });
  }

  #logIn({ body, headers, method }: Heard): Answer {
    const expected = `Basic ${btoa(`${this.settings.client_id}:${this.settings.client_secret}`)}`;
    if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded' || body !== 'grant_type=client_credentials') return json(400, { error: 'invalid_request' });
    if (headers['authorization'] !== expected) return json(401, { error: 'invalid_client', description: 'client not found: application', error_description: 'client not found: application' });
    const token = randomUUID();
    this.#tokens.add(token);
    return json(200, { access_token: token, token_type: 'bearer', expires_in: 86_399 });
  }

  #call(agent: string, { body, headers }: Heard): Answer {
    const given = JSON.parse(body) as Record<string, unknown>;
    const strangers = Object.keys(given).filter((name) => !createCallRequest.includes(name));
    const phone = given['phoneNumber'];
    if (headers['content-type'] !== 'application/json' || strangers.length > 0 || typeof phone !== 'string' || !/^\+[1-9]\d{6,14}$/.test(phone)) {
      return json(400, { message: `The request could not be understood: ${strangers.join(' ')}`, code: 'bad.request', status: 400 });
    }
    if (!this.agents.has(agent)) return json(404, { message: 'Unable to find the user', code: 'not.found', status: 404 });
    if (this.busy.has(agent)) return json(409, { message: 'The user has no station', code: 'conflict', status: 409 });
    const callId = randomUUID();
    this.dialed.push({ callId, agent, phone });
    return json(200, { id: callId, name: phone, selfUri: `/api/v2/conversations/calls/${callId}` });
  }
}

/** The query parameters of `POST /channels`, of the published resource description of ARI. */
const originateParameters = ['endpoint', 'extension', 'context', 'priority', 'label', 'app', 'appArgs', 'callerId', 'timeout', 'channelId', 'otherChannelId', 'originator', 'formats'];

/** Asterisk, as far as its REST interface makes a channel. */
export class FakeAsterisk extends DialingPlatform {
  readonly connector = 'asterisk';
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

  protected refusalOf({ headers, url = '' }: IncomingMessage): number | null {
    const asked = new URL(url, this.url);
    if (headers.authorization !== `Basic ${btoa(`${this.settings.user}:${this.settings.password}`)}`) return 401;
    return asked.pathname === '/ari/events' && /^\w+$/.test(asked.searchParams.get('app') ?? '') && asked.searchParams.get('subscribeAll') === 'true' ? null : 400;
  }

  protected isToldAt(): boolean {
    return true;
  }

  protected answer({ headers, method, url }: Heard): Answer {
    if (headers['authorization'] !== `Basic ${btoa(`${this.settings.user}:${this.settings.password}`)}`) return json(401, { message: 'Authentication required' });
    if (method === 'GET' && url.pathname === '/ari/asterisk/ping') return json(200, { asterisk_id: '08:00:27', ping: 'pong', timestamp: '2026-11-23T10:00:00.000+0000' });
    const [, id] = /^\/ari\/channels\/(.+)$/.exec(url.pathname) ?? [];
    if (method === 'GET' && id !== undefined) return this.dialed.some(({ callId }) => callId === id) ? json(200, { id, state: 'Down' }) : json(404, { message: 'Channel not found' });
    return method === 'POST' && url.pathname === '/ari/channels' ? this.#originate(url.searchParams) : json(404, { message: 'Resource not found' });
  }

  #originate(given: URLSearchParams): Answer {
    const strangers = [...given.keys()].filter((name) => !originateParameters.includes(name));
    const [endpoint, extension, callId] = ['endpoint', 'extension', 'channelId'].map((name) => given.get(name) ?? '');
    const agent = /^PJSIP\/(.+)$/.exec(endpoint ?? '')?.[1];
    const isWhole = agent !== undefined && extension !== '' && given.get('context') === this.settings.context && /^\d+$/.test(given.get('priority') ?? '') && given.get('app') === null;
    if (!isWhole || strangers.length > 0) return json(400, { message: 'Invalid parameters for originating a channel' });
    if (this.dialed.some((one) => one.callId === callId)) return json(409, { message: 'Channel with given unique ID already exists' });
    // An endpoint that is not registered, or does not exist.
    if (!this.agents.has(agent) || this.busy.has(agent)) return json(500, { error: 'Allocation failed' });
    this.dialed.push({ callId: callId ?? '', agent, phone: extension ?? '' });
    return json(200, { id: callId, name: `PJSIP/${agent}-00000001`, state: 'Down', caller: { name: '', number: '' }, connected: { name: '', number: extension } });
  }
}
