import { startGateway, type Gateway, type TestCompany } from '../gateway/gateway.ts';
import { fakeIds, fakes, type FakeId } from './allFakes.ts';
import type { FakeCrm, Notice } from './fakeCrm.ts';
import { type Address, type Heard, issueAddress, publicUrl, sendNotice } from './notices.ts';

/** A gateway and one CRM of each kind, which tell it of their records. */
export class InboundRoom {
  readonly gateway: Gateway;
  readonly crms: ReadonlyMap<FakeId, FakeCrm>;
  #companies = 0;
  #numbers = 0;

  private constructor(gateway: Gateway, crms: ReadonlyMap<FakeId, FakeCrm>) {
    this.gateway = gateway;
    this.crms = crms;
  }

  /** @param ids those that take part */
  static async open(ids: readonly FakeId[] = fakeIds): Promise<InboundRoom> {
    const crms = new Map<FakeId, FakeCrm>();
    for (const id of ids) crms.set(id, await fakes[id]());
    const crmBaseUrls = new Map([...crms].map(([id, crm]) => [id as string, crm.url]));
    return new InboundRoom(await startGateway('memory', { config: { crmBaseUrls, publicUrl } }), crms);
  }

  /** The same around a gateway and CRM systems that are there already, and that somebody else closes. */
  static around(gateway: Gateway, crms: readonly FakeCrm[]): InboundRoom {
    return new InboundRoom(gateway, new Map(crms.map((crm) => [crm.id as FakeId, crm])));
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await Promise.all([...this.crms.values()].map((crm) => crm.close()));
  }

  crm(id: FakeId): FakeCrm {
    const crm = this.crms.get(id);
    if (crm === undefined) throw new Error(`${id} takes no part`);
    return crm;
  }

  company(): Promise<TestCompany> {
    this.#companies += 1;
    return this.gateway.company({ slug: `told-${this.#companies}` });
  }

  /** A company that is connected to a CRM, but looks nothing up there: what it knows, it was told. */
  async connected(id: FakeId): Promise<TestCompany> {
    const company = await this.company();
    await this.connect(company, id);
    return company;
  }

  async connect(company: TestCompany, id: FakeId): Promise<void> {
    const { credentials } = this.crm(id);
    await this.gateway.as(company).put('/api/integrations/crm').send({ provider: id, credentials }).expect(200);
    await this.gateway.as(company).put('/api/integrations').send({ mode: 'push' }).expect(200);
  }

  /** Makes an address and enters the CRM's own signing secret where it has one. */
  address(company: TestCompany, id: FakeId): Promise<Address> {
    return issueAddress(this.gateway, company, this.crm(id));
  }

  /** What the CRM sends of one of its people. */
  notice(id: FakeId, personId: string, { secret, url }: Address, at = new Date()): Notice {
    return this.crm(id).notice(personId, secret, at, url);
  }

  /** Sends it byte for byte. */
  send(address: Pick<Address, 'path'>, notice: Pick<Notice, 'headers' | 'body'> & { method?: string }): Promise<Heard> {
    return sendNotice(this.gateway, address, notice);
  }

  /**
   * Somebody whom the CRM knows, with a number of her own.
   * @param isPlain written without signs, which not every search sees past
   */
  person(id: FakeId, name = 'Ada Byron', isPlain = false): { id: string; phone: string } {
    this.#numbers += 1;
    const digits = String(this.#numbers).padStart(4, '0');
    const phone = `+1415555${digits}`;
    return {
      id: this.crm(id).addPerson({
        name,
        email: `ada.${digits}@example.org`,
        phone: isPlain ? phone : `+1 415-555-${digits}`,
      }),
      phone,
    };
  }

  /** What agents would see for a number; null: nothing is known. */
  async known(company: TestCompany, phone: string): Promise<Record<string, unknown> | null> {
    const { status, body } = await this.gateway.api
      .get('/api/integrations/lookup')
      .query({ phone })
      .set('X-Service-Api-Key', company.key);
    return status === 200 ? body.screen_pop : null;
  }

  /** The addresses as the admin sees them. */
  async listed(company: TestCompany): Promise<Record<string, unknown>[]> {
    return (await this.gateway.as(company).get('/api/integrations/crm').expect(200)).body.inbound;
  }
}
