import type { Gateway, TestAgent, TestCompany } from '../gateway/gateway.ts';
import { eventually } from '../time/waiting.ts';
import type { DialingPlatform } from './dialingPlatform.ts';
import { platforms, type PlatformSends, type Sent } from './platforms.ts';

type Where = {
  gateway: Gateway;
  company: TestCompany;
  clock: { now: () => number };
  /** Whom calls are with; E.164. */ customer: string;
};

/** A company of two agents for whom a platform dials, as that platform tells of them. */
export class PlatformDesk {
  readonly platform: DialingPlatform;
  readonly sends: PlatformSends;
  path = '';
  #secret = '';
  readonly #where: Where;
  readonly #first: TestAgent;

  constructor(platform: DialingPlatform, where: Where) {
    this.platform = platform;
    this.sends = platforms.find(({ connector }) => connector === platform.connector)!;
    this.#where = where;
    [this.#first] = where.company.agents as [TestAgent];
  }

  get #admin() {
    return this.#where.gateway.as(this.#where.company);
  }

  async open(account: Record<string, string> = this.platform.settings): Promise<this> {
    const { company, gateway } = this.#where;
    const { connector } = this.platform;
    const { body } = await this.#admin.post('/api/integrations/cti/connections').send({ connector }).expect(201);
    this.path = new URL(body.url, gateway.url).pathname;
    this.#secret = body.secret ?? '';
    await this.#admin
      .patch(`/api/integrations/cti/connections/${connector}`)
      .send({ dial_via: 'platform', account })
      .expect(204);
    for (const { agentCode } of company.agents) this.platform.agents.add(agentCode);
    return this;
  }

  /** Ready as the platform says it, or at a softphone where it tells no states. */
  async ready(agent = this.#first): Promise<this> {
    const { clock, customer, gateway } = this.#where;
    const about = { callId: 'c-0', agent: agent.agentCode, customer, at: clock.now() };
    if (this.sends.ready !== null) await this.tell(this.sends.ready(about));
    else {
      // A call of the past, by which the platform's agent is known.
      await this.tell(this.sends.ringing!({ ...about, callId: `past-${agent.id}` }));
      await this.tell(this.sends.ended({ ...about, callId: `past-${agent.id}` }));
      await gateway.readySoftphone(agent);
    }
    await eventually(
      async () => (await this.#admin.get(`/api/agents/${agent.id}/state`).expect(200)).body.state === 'ready',
    );
    const own = this.platform.logInOf(agent.agentCode);
    if (own !== null) await this.logIn(own, agent).expect(200, { outcome: 'ok', detail: null });
    return this;
  }

  logIn(account: Record<string, string> | null, agent = this.#first) {
    return this.#admin
      .put(`/api/integrations/cti/connections/${this.platform.connector}/agents/${agent.agentCode}/account`)
      .send({ account });
  }

  async tell(sent: Sent): Promise<void> {
    const { headers, body } = this.sends.sign(sent, this.#secret);
    await this.#where.gateway.api.post(this.path).set(headers).send(body).expect(200);
  }

  /** That the customer answers, and that the call ends, of the call that the platform began last. */
  async tellOf(what: 'answered' | 'ended', agent = this.#first): Promise<void> {
    const { clock, customer } = this.#where;
    await this.tell(
      this.sends[what]({
        callId: this.platform.dialed.at(-1)!.callId,
        agent: agent.agentCode,
        customer,
        at: clock.now(),
        isOutbound: true,
      }),
    );
  }
}
