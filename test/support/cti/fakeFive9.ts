import { randomUUID } from 'node:crypto';
import { type Answer, type Heard, json } from '../http/fakeServer.ts';
import { DialingPlatform } from './dialingPlatform.ts';

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
