import { randomUUID } from 'node:crypto';
import { type Answer, type Heard, json } from '../http/fakeServer.ts';
import { DialingPlatform } from './dialingPlatform.ts';

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
