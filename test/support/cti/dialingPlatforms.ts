import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Answer, FakeServer, type Heard, json } from '../http/fakeServer.ts';
import type { Sent } from './platforms.ts';

/** A call that a platform has begun for one of its agents. */
export type Dialed = { callId: string; agent: string; phone: string };

/**
 * A telephony platform on this machine that calls customers for its agents. It enforces log-in and form as the real one
 * does, by code of its own. An agent who talks already is refused as the real one refuses.
 */
export abstract class DialingPlatform extends FakeServer {
  abstract readonly connector: string;
  readonly dialed: Dialed[] = [];
  /** Its agents. */
  readonly agents = new Set<string>();
  /** Those whom it refuses now. */
  readonly busy = new Set<string>();
  /** What it calls the next call; null: as no call before. */
  nextCallId: string | null = null;
  /** The states that were asked for, in its own words; null: it takes none. */
  readonly states: { agent: string; state: string }[] | null = null;
  /** What a company's admin types in for dialing. */
  abstract readonly settings: Record<string, string>;
  /** Settings with which it lets nobody in. */
  abstract readonly wrongSettings: Record<string, string>;
  /** Agents' settings with which it lets nobody in. */
  readonly wrongAgentSettings: Record<string, string> = {};
  /** Whether its answer says what it calls the call. */
  readonly namesCalls: boolean = true;
  /** What it says of an agent whom it refuses. */
  abstract readonly words: RegExp;
  /** The WebSockets that are open. */
  readonly lines = new Set<WebSocket>();
  readonly #sockets = new WebSocketServer({ noServer: true });

  /** Whether a WebSocket may be had with that request; null: it may, else the status of the refusal. */
  protected refusalOf(_request: IncomingMessage): number | null {
    return 404;
  }

  /** Whether that is told at this line. */
  protected isToldAt(_line: WebSocket, _told: Sent): boolean {
    return false;
  }

  protected override upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {});
    const status = this.refusalOf(request);
    if (status !== null)
      return void socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
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

  /** What an agent of it logs in with; null: the company's account serves for all. */
  logInOf(_agent: string): Record<string, string> | null {
    return null;
  }

  /** Whether that request dials. */
  abstract isDial(request: Heard): boolean;
  /** Whether that request asks for a state. */
  isState(_request: Heard): boolean {
    return false;
  }

  /** Every token given so far is refused from now on. Does nothing where there are none. */
  abstract expireTokens(): void;
}

const xml = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body,
});
const finesseError = (status: number, type: string) =>
  xml(
    status,
    `<ApiErrors><ApiError><ErrorType>${type}</ErrorType><ErrorMessage>HTTP Status code: ` +
      `${status}</ErrorMessage><ErrorData></ErrorData></ApiError></ApiErrors>`,
  );

/** Finesse, as far as agents who are signed in make calls. Its dialogs have ids of which its answer says nothing. */
export class FakeFinesse extends DialingPlatform {
  readonly connector = 'cisco';
  readonly words = /Invalid State/;
  readonly wrongSettings = {};
  readonly #logIn = { extension: '1001001', password: 'pass&word' };
  override readonly wrongAgentSettings = { password: 'another' };
  override readonly namesCalls = false;
  override readonly states: { agent: string; state: string }[] = [];

  static start(): Promise<FakeFinesse> {
    return new FakeFinesse().listen();
  }

  get settings() {
    return { url: this.url, prefix: '9' };
  }

  override logInOf() {
    return this.#logIn;
  }

  isDial({ path }: Heard): boolean {
    return path.endsWith('/Dialogs');
  }

  override isState({ method }: Heard): boolean {
    return method === 'PUT';
  }

  expireTokens(): void {
    // It has none.
  }

  protected answer({ body, headers, method, path }: Heard): Answer {
    const [, user, isDialogs] = /^\/finesse\/api\/User\/([^/]+)(\/Dialogs)?$/.exec(path) ?? [];
    if (user === undefined) return finesseError(404, 'Not Found');
    const agent = decodeURIComponent(user);
    if (headers['authorization'] !== `Basic ${btoa(`${agent}:${this.#logIn.password}`)}` || !this.agents.has(agent))
      return finesseError(401, 'Authorization Failure');
    if (method === 'GET' && isDialogs === undefined) {
      return xml(
        200,
        `<User><loginId>${agent}</loginId><extension>${this.#logIn.extension}</extension><state>READY</state></User>`,
      );
    }
    if (method === 'PUT' && isDialogs === undefined) return this.#setState(agent, headers['content-type'], body);
    if (method !== 'POST' || isDialogs === undefined) return finesseError(405, 'Method Not Allowed');
    return this.#call(agent, headers['content-type'], body);
  }

  #setState(agent: string, type: string | undefined, body: string): Answer {
    const [, state] = /^<User><state>(READY|NOT_READY)<\/state><\/User>$/.exec(body) ?? [];
    if (type !== 'application/xml' || state === undefined) return finesseError(400, 'Invalid Input');
    if (this.busy.has(agent)) return finesseError(400, 'Invalid State');
    this.states.push({ agent, state });
    return { status: 202, body: '' };
  }

  #call(agent: string, type: string | undefined, body: string): Answer {
    const [, from, to] =
      /^<Dialog><requestedAction>MAKE_CALL<\/requestedAction><fromAddress>([^<]*)<\/fromAddress><toAddress>([^<]*)<\/toAddress><\/Dialog>$/.exec(
        body,
      ) ?? [];
    if (type !== 'application/xml' || from === undefined) return finesseError(400, 'Parameter Missing');
    // It converts no plus, and calls from nowhere but where the agent is signed in.
    if (from !== this.#logIn.extension || !/^9\d{3,20}$/.test(to ?? ''))
      return finesseError(400, 'Invalid Destination');
    if (this.busy.has(agent)) return finesseError(400, 'Invalid State');
    this.dialed.push({ callId: String(16_777_217 + this.dialed.length), agent, phone: `+${(to ?? '').slice(1)}` });
    return { status: 202, body: '' };
  }
}

/** Five9, as far as agents' sessions make calls. */
export class FakeFive9 extends DialingPlatform {
  readonly connector = 'five9';
  readonly words = /NOT_READY_FOR_CALL/;
  readonly settings = { region: 'app.five9.com', campaign_id: '1130000000000123' };
  readonly wrongSettings = {};
  override readonly wrongAgentSettings = { password: 'another' };
  override readonly namesCalls = false;
  /** Its log-ins, and whose they are. */
  readonly #logins = new Map<string, string>();

  static start(): Promise<FakeFive9> {
    return new FakeFive9().listen();
  }

  override logInOf(agent: string) {
    return { user: `${agent}@example.com`, password: 'secret-5' };
  }

  isDial({ path }: Heard): boolean {
    return path.endsWith('/make_external_call');
  }

  expireTokens(): void {
    this.#logins.clear();
  }

  protected answer({ body, headers, method, path }: Heard): Answer {
    const given = JSON.parse(body) as Record<string, unknown>;
    if (method === 'POST' && path === '/appsvcs/rs/svc/auth/login') return this.#logIn(given);
    const [, agent] = /^\/appsvcs\/rs\/svc\/agents\/([^/]+)\/interactions\/make_external_call$/.exec(path) ?? [];
    if (method !== 'POST' || agent === undefined) return json(404, { message: 'Not found' });
    if (
      this.#logins.get(/^Bearer-(\S+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '') !== agent ||
      headers['farmid'] !== 'farm-7'
    )
      return json(401, { message: 'Unauthorized' });
    const names = Object.keys(given).toSorted().join(' ');
    if (
      names !== 'campaignId checkMultipleContacts number skipDNCCheck' ||
      given['campaignId'] !== this.settings.campaign_id ||
      !/^\d{7,18}$/.test(String(given['number']))
    )
      return json(400, { message: 'Bad request' });
    const code = agent.replace('user-', '');
    if (this.busy.has(code)) return json(409, { message: 'NOT_READY_FOR_CALL' });
    this.dialed.push({ callId: randomUUID(), agent: code, phone: `+1${String(given['number'])}` });
    return json(200, {});
  }

  #logIn({ appKey, passwordCredentials, policy }: Record<string, unknown>): Answer {
    const { password, username } = (passwordCredentials ?? {}) as Record<string, unknown>;
    if (typeof appKey !== 'string' || (policy !== 'AttachExisting' && policy !== 'ForceIn'))
      return json(400, { message: 'Bad request' });
    const code = [...this.agents].find((agent) => this.logInOf(agent).user === username);
    if (code === undefined || password !== 'secret-5') return json(401, { message: 'Wrong username or password' });
    const tokenId = randomUUID();
    this.#logins.set(tokenId, `user-${code}`);
    return json(200, {
      tokenId,
      userId: `user-${code}`,
      orgId: '12',
      context: { farmId: 'farm-7' },
      metadata: { dataCenters: [{ name: 'Atlanta', apiUrls: [{ host: 'app-atl.five9.com', port: '443' }] }] },
    });
  }
}

/** Webex Contact Center, as far as agents who are signed in dial out. */
export class FakeWebex extends DialingPlatform {
  readonly connector = 'webexcc';
  readonly words = /Agent is not available/;
  readonly settings = {
    region: 'eu1',
    client_id: 'C-1',
    client_secret: 'secret-7',
    entry_point_id: 'ep-1',
    origin: '+15550199',
    idle_code_id: 'idle-9',
  };
  override readonly states: { agent: string; state: string }[] = [];
  readonly wrongSettings = {};
  override readonly wrongAgentSettings = { refresh_token: 'another' };
  /** Whether another refresh token takes the place of each that is used, as its answer may say. */
  replacesConsents = false;
  /** How often a refresh token came that was good for nobody. */
  refusedRefreshes = 0;
  /** Its tokens, and whose they are. */
  readonly #tokens = new Map<string, string>();
  /** The refresh tokens of agents, where they are others than at first. */
  readonly #consents = new Map<string, string>();

  static start(): Promise<FakeWebex> {
    return new FakeWebex().listen();
  }

  override logInOf(agent: string) {
    return { refresh_token: this.#consents.get(agent) ?? `refresh of ${agent}` };
  }

  /** Has the agent consent anew. */
  consent(agent: string) {
    this.#consents.set(agent, randomUUID());
    return this.logInOf(agent);
  }

  isDial({ path }: Heard): boolean {
    return path === '/v1/tasks';
  }

  isGrant({ path }: Heard): boolean {
    return path === '/v1/access_token';
  }

  override isState({ path }: Heard): boolean {
    return path === '/v1/agents/session/state';
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  protected answer({ body, headers, method, path }: Heard): Answer {
    if (
      method === 'POST' &&
      path === '/v1/access_token' &&
      headers['content-type'] === 'application/x-www-form-urlencoded'
    )
      return this.#grant(new URLSearchParams(body));
    const isState = method === 'PUT' && path === '/v1/agents/session/state';
    if (!isState && (method !== 'POST' || path !== '/v1/tasks')) return json(404, { message: 'Not found' });
    const agent = this.#tokens.get((headers['authorization'] ?? '').replace('Bearer ', ''));
    if (agent === undefined) return json(401, { message: 'Unauthorized' });
    if (isState) return this.#setState(agent, JSON.parse(body) as Record<string, unknown>);
    const { attributes, destination, entryPointId, mediaType, origin, outboundType, ...strangers } = JSON.parse(
      body,
    ) as Record<string, unknown>;
    const isWhole =
      entryPointId === 'ep-1' &&
      mediaType === 'telephony' &&
      outboundType === 'OUTDIAL' &&
      origin === '+15550199' &&
      typeof attributes === 'object' &&
      Object.keys(strangers).length === 0;
    if (!isWhole || !/^\+[1-9]\d{6,14}$/.test(String(destination))) return json(400, { message: 'Bad request' });
    if (this.busy.has(agent)) return json(400, { message: 'Agent is not available' });
    const callId = randomUUID();
    this.dialed.push({ callId, agent, phone: String(destination) });
    return json(201, { meta: { orgId: 'org' }, data: { id: callId } });
  }

  #setState(
    agent: string,
    { agentId, auxCodeId, lastStateChangeReason, state, ...strangers }: Record<string, unknown>,
  ): Answer {
    const isWhole =
      agentId === agent && typeof lastStateChangeReason === 'string' && Object.keys(strangers).length === 0;
    // Every state has its code; that of Available is 0.
    if (!isWhole || !((state === 'Available' && auxCodeId === '0') || (state === 'Idle' && auxCodeId === 'idle-9')))
      return json(400, { message: 'Bad request' });
    if (this.busy.has(agent)) return json(400, { message: 'Agent is not available' });
    this.states.push({ agent, state: `${state} ${lastStateChangeReason}` });
    return { status: 202, body: '' };
  }

  #grant(given: URLSearchParams): Answer {
    const agent = [...this.agents].find((one) => this.logInOf(one).refresh_token === given.get('refresh_token'));
    if (
      given.get('grant_type') !== 'refresh_token' ||
      given.get('client_id') !== 'C-1' ||
      given.get('client_secret') !== 'secret-7' ||
      agent === undefined
    ) {
      this.refusedRefreshes += 1;
      return json(401, { message: 'The refresh token is not valid' });
    }
    const token = randomUUID();
    this.#tokens.set(token, agent);
    if (this.replacesConsents) this.consent(agent);
    return json(200, {
      access_token: token,
      expires_in: 43_199,
      refresh_token: this.logInOf(agent).refresh_token,
      refresh_token_expires_in: 7_775_999,
    });
  }
}

/** NICE CXone, as far as a session of an agent that was joined dials. */
export class FakeNice extends DialingPlatform {
  readonly connector = 'nice';
  readonly words = /no session|InvalidAgentState/;
  readonly wrongSettings = { access_key_secret: 'another' };
  override readonly namesCalls = false;
  override readonly states: { agent: string; state: string }[] = [];
  readonly #tokens = new Set<string>();
  readonly #sessions = new Map<string, string>();

  static start(): Promise<FakeNice> {
    return new FakeNice().listen();
  }

  get settings() {
    return { region: 'eu1', url: this.url, access_key_id: 'KEY', access_key_secret: 'secret-6', skill_id: '4354630' };
  }

  isDial({ path }: Heard): boolean {
    return path.endsWith('/dial-phone');
  }

  override isState({ path }: Heard): boolean {
    return path.endsWith('/state');
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  protected answer({ body, headers, method, path }: Heard): Answer {
    if (method !== 'POST' || headers['content-type'] !== 'application/json')
      return json(405, { message: 'Method not allowed' });
    const given = JSON.parse(body) as Record<string, unknown>;
    if (path === '/authentication/v1/token/access-key') {
      if (given['accessKeyId'] !== 'KEY' || given['accessKeySecret'] !== 'secret-6')
        return json(401, { error_description: 'Invalid access key' });
      const token = randomUUID();
      this.#tokens.add(token);
      return json(200, { access_token: token, token_type: 'Bearer', expires_in: 3_600, refresh_token: randomUUID() });
    }
    if (!this.#tokens.has((headers['authorization'] ?? '').replace('Bearer ', '')))
      return json(401, { message: 'Unauthorized' });
    if (path === '/InContactAPI/services/v23.0/agent-sessions/join') return this.#join(String(given['asAgentId']));
    const [, session, what] =
      /^\/InContactAPI\/services\/v23\.0\/agent-sessions\/([^/]+)\/(dial-phone|state)$/.exec(path) ?? [];
    const agent = this.#sessions.get(decodeURIComponent(session ?? ''));
    if (agent === undefined) return json(404, { message: 'InvalidAgentSession' });
    if (what === 'state') return this.#setState(agent, given);
    if (given['skillId'] !== 4_354_630 || !/^\d{7,18}$/.test(String(given['phoneNumber'])))
      return json(400, { message: 'InvalidParameter' });
    if (this.busy.has(agent)) return json(409, { message: 'InvalidAgentState' });
    this.dialed.push({
      callId: String(415_389_000_001 + this.dialed.length),
      agent,
      phone: `+${String(given['phoneNumber'])}`,
    });
    return { status: 202, body: '' };
  }

  #setState(agent: string, { reason, state, ...strangers }: Record<string, unknown>): Answer {
    const isState =
      (state === 'Available' && reason === undefined) ||
      (state === 'Unavailable' && (reason === undefined || typeof reason === 'string'));
    if (!isState || Object.keys(strangers).length > 0) return json(400, { message: 'InvalidParameter' });
    if (this.busy.has(agent)) return json(409, { message: 'InvalidAgentState' });
    this.states.push({ agent, state: reason === undefined ? state : `${state} ${reason}` });
    return { status: 202, body: '' };
  }

  #join(agent: string): Answer {
    if (!this.agents.has(agent)) return json(404, { message: 'InvalidAgentSession' });
    const sessionId = `b2p+${randomUUID()}`;
    this.#sessions.set(sessionId, agent);
    return json(200, { sessionId });
  }
}

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
      return this.#users(Number(url.searchParams.get('pageSize')), Number(url.searchParams.get('pageNumber')));
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
      return method === 'GET'
        ? this.#presences(Number(url.searchParams.get('pageSize')), Number(url.searchParams.get('pageNumber')))
        : json(405, { message: 'Method not allowed' });
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

  #presences(pageSize: number, pageNumber: number): Answer {
    if (!(pageSize >= 1 && pageSize <= 100 && pageNumber >= 1))
      return json(400, { message: 'pageSize must be at most 100', code: 'bad.request', status: 400 });
    const entities = presences.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
    return json(200, {
      entities,
      pageSize,
      pageNumber,
      total: presences.length,
      pageCount: Math.ceil(presences.length / pageSize),
    });
  }

  #users(pageSize: number, pageNumber: number): Answer {
    if (!(pageSize >= 1 && pageSize <= 500 && pageNumber >= 1))
      return json(400, { message: 'pageSize must be at most 500', code: 'bad.request', status: 400 });
    const users = [...this.agents].map((id) => ({
      id,
      name: `User ${id}`,
      ...(this.emails.has(id) ? { email: this.emails.get(id) } : {}),
      state: 'active',
    }));
    const entities = users.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
    return json(200, {
      entities,
      pageSize,
      pageNumber,
      total: users.length,
      pageCount: Math.max(1, Math.ceil(users.length / pageSize)),
    });
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
