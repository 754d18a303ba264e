import { providers, register } from '../../../src/providers/registry.ts';
import type { DeliveryDetail, DeliveryView } from '../../../src/contract/deliveries.ts';
import type { Softphone } from '../../../src/client/softphone.ts';
import type { CallView } from '../../../src/contract/calls.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { startGateway, type Gateway, type TestCompany } from '../gateway/gateway.ts';
import { nextEvent } from '../gateway/softphoneEvents.ts';
import { eventually } from '../time/waiting.ts';
import { type FakedCrm, writesCall } from './fakedCrms.ts';
import type { Answer, FakeCrm, Fault, Heard, Person } from './fakeCrm.ts';
import { harbour } from './harbour.ts';
import { type Address, type Heard as Answered, issueAddress, publicUrl, sendNotice } from './notices.ts';

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9';
/** What every CRM understands as a refusal of the credentials. */
export const unauthorized: Answer = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  body: '{"message":"revoked","error":"invalid_client","code":"INVALID_TOKEN"}',
};

/** One gateway for all that is tried of CRM systems, the eleventh among them; each company meets a CRM of its own. */
export class CrmRoom<C extends Clock & { advance(ms: number): Promise<void> }> {
  readonly gateway: Gateway;
  readonly clock: C;
  readonly #addresses: Map<string, string>;
  #companies = 0;

  private constructor(gateway: Gateway, clock: C, addresses: Map<string, string>) {
    this.gateway = gateway;
    this.clock = clock;
    this.#addresses = addresses;
  }

  static async open<C extends Clock & { advance(ms: number): Promise<void> }>(clock: C): Promise<CrmRoom<C>> {
    const addresses = new Map<string, string>();
    // Rates run by the machine's clock, and are tried elsewhere.
    const crmSystems = [...providers, register(harbour)].map((provider) => ({
      ...provider,
      limits: { all: { count: 10_000, perMs: 1_000 }, searches: null },
    }));
    return new CrmRoom(
      await startGateway('memory', { clock, crmSystems, config: { crmBaseUrls: addresses, publicUrl } }),
      clock,
      addresses,
    );
  }

  /** A company beside a CRM that has just been opened; not connected yet. @param agents who sign in */
  async company(faked: FakedCrm, { agents = 0 } = {}): Promise<AtCrm<C>> {
    const crm = await faked.open(this.clock.now);
    this.#addresses.set(crm.id, crm.url);
    return new AtCrm({ room: this, faked, crm, company: await this.another({ agents }) });
  }

  another({ agents = 0 } = {}): Promise<TestCompany> {
    this.#companies += 1;
    return this.gateway.company({ slug: `at-a-crm-${this.#companies}`, agents, wrapUpSeconds: 30 });
  }

  /** Connections to that CRM are refused until the result is called. */
  unplug({ id, url }: FakeCrm): () => void {
    this.#addresses.set(id, nowhere);
    return () => void this.#addresses.set(id, url);
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}

/** What a company has to do with its CRM, at the front door of a gateway. */
export class AtCrm<C extends Clock & { advance(ms: number): Promise<void> }> {
  readonly room: CrmRoom<C>;
  readonly faked: FakedCrm;
  readonly crm: FakeCrm;
  readonly company: TestCompany;
  readonly clock: C;
  readonly gateway: Gateway;
  #numbers = 0;
  #softphone: Softphone | null = null;

  constructor({
    room,
    faked,
    crm,
    company,
  }: {
    room: CrmRoom<C>;
    faked: FakedCrm;
    crm: FakeCrm;
    company: TestCompany;
  }) {
    this.room = room;
    this.faked = faked;
    this.crm = crm;
    this.company = company;
    this.clock = room.clock;
    this.gateway = room.gateway;
  }

  admin() {
    return this.gateway.as(this.company);
  }
  connect(credentials: object = this.crm.credentials, more: object = {}) {
    const { options = {} } = this.faked;
    return this.admin()
      .put('/api/integrations/crm')
      .send({ provider: this.crm.id, credentials, options, ...more });
  }
  async connection() {
    return (await this.admin().get('/api/integrations/crm').expect(200)).body.connection;
  }
  check() {
    return this.admin().post('/api/integrations/check');
  }
  /** Which abilities work, and what they need. */
  async abilities(): Promise<Record<string, { works: boolean | null; needs: string | null; detail: string | null }>> {
    const { body } = await this.check().expect(200);
    return Object.fromEntries(body.abilities.map(({ ability, ...told }: { ability: string }) => [ability, told]));
  }
  lookUp(phone: string) {
    return this.gateway.api.get('/api/integrations/lookup').query({ phone }).set('X-Service-Api-Key', this.company.key);
  }
  async found(phone: string) {
    return (await this.lookUp(phone).expect(200)).body.screen_pop;
  }
  /** What agents would see for a number; null: nothing is known. */
  async known(phone: string): Promise<Record<string, unknown> | null> {
    const { status, body } = await this.lookUp(phone);
    return status === 200 ? body.screen_pop : null;
  }

  /** Somebody whom the CRM knows, with a number whose last digits occur nowhere else. */
  person(differs: Partial<Person> & { phone?: string } = {}): { id: string; phone: string } {
    this.#numbers += 1;
    const phone = differs.phone ?? `+1415555${7391 + 1251 * (this.#numbers % 2) + 10 * this.#numbers}`;
    return {
      id: this.crm.addPerson({ name: 'Ada Byron', email: `ada.${this.#numbers}@example.org`, ...differs, phone }),
      phone,
    };
  }

  /** Until all that is heard so far is more than before. */
  hears(before: number): Promise<void> {
    return eventually(() => this.crm.heard.length > before);
  }

  /** An address for its notices. @param company another one than this */
  address(company: TestCompany = this.company): Promise<Address> {
    return issueAddress(this.gateway, company, this.crm);
  }
  /** What the CRM sends of one of its people. */
  notice(personId: string, { secret, url }: Address, at = new Date(this.clock.now())) {
    return this.crm.notice(personId, secret, at, url);
  }
  send(address: Pick<Address, 'path'>, notice: { headers: Record<string, string>; body: string }): Promise<Answered> {
    return sendNotice(this.gateway, address, notice);
  }
  /** The addresses as the admin sees them. */
  async listed(company: TestCompany = this.company): Promise<Record<string, unknown>[]> {
    return (await this.gateway.as(company).get('/api/integrations/crm').expect(200)).body.inbound;
  }

  /** Of the one agent, who is Ready. */
  async softphone(): Promise<Softphone> {
    const [agent] = this.company.agents;
    if (agent === undefined) throw new Error('the company has no agent');
    this.#softphone ??= await this.gateway.readySoftphone(agent);
    return this.#softphone;
  }
  /** An inbound ring, until its screen pop is what is waited for. */
  async rung(
    phone: string,
    fits: (call: CallView) => boolean = (call) => call.screen_pop?.external_system === this.crm.id,
  ): Promise<CallView> {
    const softphone = await this.softphone();
    const popped = nextEvent(softphone, 'call', fits);
    const { call } = await softphone.incomingCall(phone);
    await popped;
    return this.call(call.id);
  }
  async call(id: string): Promise<CallView> {
    return (await this.admin().get(`/api/calls/${id}`).expect(200)).body;
  }
  async end(callId: string, how: Parameters<Softphone['reportProgress']>[2] = {}): Promise<string> {
    const softphone = await this.softphone();
    await softphone.reportProgress(callId, 'connected');
    await softphone.reportProgress(callId, 'ended', how);
    return callId;
  }
  /** An inbound ring that pops, is answered and ends. */
  async answered(phone: string): Promise<string> {
    return this.end((await this.rung(phone)).id);
  }
  async wrapUp(callId: string): Promise<void> {
    await (
      await this.softphone()
    ).submitDisposition(callId, { code: 'resolved', notes: 'Asked for the invoice of May.' });
  }

  /** Whether a request writes a call. */
  readonly isWrite = (heard: Heard): boolean => writesCall(this.crm, heard);
  failWrite(fault: Fault): void {
    this.crm.failNext(fault, this.isWrite);
  }
  /** What stands in the CRM of a call. */
  entries(callId: string) {
    return this.crm.logged.filter(({ text }) => text.includes(callId));
  }
  /** The attempts to log a call, the oldest first. */
  async deliveries(callId: string): Promise<DeliveryView[]> {
    return (
      await this.admin()
        .get('/api/integrations/webhook-deliveries')
        .query({ call_id: callId, target: 'crm' })
        .expect(200)
    ).body.deliveries.toReversed();
  }
  async delivery(callId: string): Promise<DeliveryView | undefined> {
    return (await this.deliveries(callId))[0];
  }
  async detail(id: string): Promise<DeliveryDetail> {
    return (await this.admin().get(`/api/integrations/webhook-deliveries/${id}`).expect(200)).body;
  }
  /** Until the first delivery of a call is as it is waited for. @param stepMs time moves on so far between two looks */
  async untilDelivery(callId: string, fits: (delivery: DeliveryView) => boolean, stepMs = 250): Promise<DeliveryView> {
    return eventually(async () => {
      const delivery = await this.delivery(callId);
      if (delivery !== undefined && fits(delivery)) return delivery;
      await this.clock.advance(stepMs);
      throw new Error(`the delivery is ${JSON.stringify(delivery)}`);
    });
  }
  logged(callId: string, stepMs?: number): Promise<DeliveryView> {
    return this.untilDelivery(callId, ({ state }) => state === 'delivered', stepMs);
  }

  /** Nothing of this company meets the CRM of another one. */
  async close(): Promise<void> {
    this.#softphone?.close();
    await this.admin().put('/api/integrations/crm').send({ provider: this.crm.id, credentials: null });
    await this.crm.close();
  }
}
