import { afterAll, beforeAll } from 'vitest';
import { useBrowser, type BrowserRoom } from '../support/browser/browser.ts';
import { SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';

type AtWork = { phone: SoftphonePage; agent: TestAgent };

/** A gateway and a company whose agents sit before the softphone in a CRM's panel. */
export class SoftphoneRoom {
  gateway!: Gateway;
  company!: TestCompany;
  readonly browser: BrowserRoom;
  #agents = 0;

  constructor(browser: BrowserRoom) {
    this.browser = browser;
  }

  /** One whom no other test uses. */
  newAgent(of = this.company): Promise<TestAgent> {
    this.#agents += 1;
    return this.gateway.agent(of, `t${String(this.#agents)}`);
  }

  /** A new agent who is signed in. */
  async atWork(of = this.company): Promise<AtWork> {
    const agent = await this.newAgent(of);
    const phone = new SoftphonePage(await this.browser.open(`${this.gateway.url}/`));
    await phone.enter(agent, of);
    return { phone, agent };
  }

  /** In a call by hand with the carrier's answering machine. */
  async inCall(): Promise<AtWork> {
    const room = await this.atWork();
    await room.phone.number.fill('+15551230001');
    await room.phone.number.press('Enter');
    await room.phone.inCall('Connected');
    return room;
  }
}

/** Opens a room for the tests of a file. */
export function useSoftphoneRoom(): SoftphoneRoom {
  let room: SoftphoneRoom | null = null;
  beforeAll(async () => {
    const gateway = await startGateway();
    Object.assign(room!, { gateway, company: await gateway.company({ slug: 'acme', wrapUpSeconds: 3_600 }) });
  });
  afterAll(() => room!.gateway.close());
  room = new SoftphoneRoom(useBrowser({ profile: { size: 'panel' } }));
  return room;
}
