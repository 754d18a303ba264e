import { type BrowserRoom } from '../../../support/browser/browser.ts';
import { SoftphonePage } from '../../../support/browser/softphonePage.ts';
import { openBreakableLine, type BreakableLine } from '../../../support/gateway/breakableLine.ts';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../../../support/gateway/gateway.ts';
import { patchAgent, putTelephony } from '../../../support/gateway/telephony.ts';
import { CustomerPbx } from '../../../support/sip/customerPbx.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/webhooks/webhookReceiver.ts';
import { Ledger } from './ledger.ts';
import { countPeers } from './pageMemory.ts';
import { ShiftSeat } from './shiftSeat.ts';

/** As many as the list of recent calls shows at first: later ones push them out, and the page does not grow by them. */
const callsBefore = 20;
/** The longest that a page waits for an answer: who does not answer says so. */
const noAnswerSeconds = 300;

const events = [
  'cti_click_to_dial',
  'call_started',
  'call_answered',
  'call_transferred',
  'call_ended',
  'disposition',
] as const;

/** A company whose agents telephone at its own PBX, with what they and its systems are told. */
export class ShiftRoom {
  readonly ledger = new Ledger();
  readonly gateway: Gateway;
  readonly company: TestCompany;
  readonly boss: TestAgent;
  readonly pbx: CustomerPbx;
  readonly receiver: WebhookReceiver;
  /** Begun then or later: ISO 8601. */
  readonly since: string;
  readonly #lines: BreakableLine[] = [];

  private constructor(needs: Pick<ShiftRoom, 'gateway' | 'company' | 'boss' | 'pbx' | 'receiver' | 'since'>) {
    this.gateway = needs.gateway;
    this.company = needs.company;
    this.boss = needs.boss;
    this.pbx = needs.pbx;
    this.receiver = needs.receiver;
    this.since = needs.since;
  }

  static async open(): Promise<ShiftRoom> {
    const gateway = await startGateway('redis');
    const company = await gateway.company({ slug: 'shift', agents: 2, wrapUpSeconds: 3_600 });
    const boss = await gateway.agent(company, 'boss', 'supervisor');
    const pbx = await CustomerPbx.open();
    await putTelephony(gateway, company, {
      mode: 'sip',
      sip_wss_url: pbx.wssUrl,
      sip_domain: pbx.domain,
      no_answer_seconds: noAnswerSeconds,
    }).expect(200);
    for (const agent of company.agents) await hadCalls(gateway, agent);
    const receiver = await startWebhookReceiver();
    await gateway
      .as(company)
      .put('/api/integrations')
      .send({ webhook_url: receiver.url, webhook_events: events })
      .expect(200);
    const [latest] = (await gateway.as(company).get('/api/calls').expect(200)).body.calls;
    const since = new Date(Date.parse(latest.created_at) + 1).toISOString();
    return new ShiftRoom({ gateway, company, boss, pbx, receiver, since });
  }

  /** An agent who is Ready, at a page of their own. */
  async seat(agent: TestAgent, browser: BrowserRoom): Promise<ShiftSeat> {
    const { gateway, company, pbx } = this;
    const extension = String(201 + company.agents.indexOf(agent));
    await patchAgent(gateway, company, agent, { sip_user: extension, sip_secret: pbx.secretOf(extension) }).expect(200);
    const line = await openBreakableLine(gateway.url, '/socket.io/');
    this.#lines.push(line);
    const { context } = await browser.profile();
    const page = await context.newPage();
    await page.addInitScript(countPeers);
    await page.goto(`${line.url}/`);
    const phone = new SoftphonePage(page);
    await phone.enter(agent, company);
    await phone.goReady();
    return new ShiftSeat({ gateway, company, pbx, agent, extension, phone, line });
  }

  /** How many that agent has had in this shift. */
  callsOf({ id }: TestAgent): number {
    return this.ledger.calls.filter(({ agentId }) => agentId === id).length;
  }

  async close(): Promise<void> {
    for (const line of this.#lines) await line.close();
    await this.pbx.close();
    await this.gateway.close();
    await this.receiver.close();
  }
}

/** On the day before, as it were. */
async function hadCalls(gateway: Gateway, agent: TestAgent): Promise<void> {
  const softphone = gateway.softphone(agent);
  await softphone.connect();
  for (let n = 0; n < callsBefore; n += 1) {
    const { id } = await softphone.startCall('+15551230001');
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'resolved' });
  }
  await softphone.signOut();
}
