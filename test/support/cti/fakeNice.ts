import { randomUUID } from 'node:crypto';
import { type Answer, type Heard, json } from '../http/fakeServer.ts';
import { DialingPlatform } from './dialingPlatform.ts';

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
