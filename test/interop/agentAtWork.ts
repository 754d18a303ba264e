import type { Page } from 'playwright-core';
import type { CallView } from '../../src/contract/calls.ts';
import { signIn, type BrowserRoom } from '../support/browser/browser.ts';
import type { Gateway, TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { allIsWell } from '../support/browser/softphonePage.ts';
import { eventually } from '../support/time/waiting.ts';
import type { WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

export type Room = {
  gateway: Gateway;
  company: TestCompany;
  webhooks: WebhookReceiver;
  browser: BrowserRoom;
  sipSecret: string;
};

type Button =
  | ('Hang up' | 'Hold' | 'Resume' | 'Answer' | 'Decline' | 'Keypad' | 'Transfer')
  | ('Complete the transfer' | 'Swap' | 'Conference' | 'Back to the customer');

/** Keeps the page's peer connections where the test finds them, to see what goes through. */
const keepConnections = `{
  const Native = RTCPeerConnection;
  window.connections = [];
  window.RTCPeerConnection = class extends Native {
    constructor(...args) { super(...args); connections.push(this); }
  };
}`;
/** Whether sound has gone both ways in the latest call: more bytes than it takes to set one up. */
const hasSound = `(async () => {
  const bytes = { inbound: 0, outbound: 0 };
  const report = await connections.at(-1)?.getStats() ?? [];
  report.forEach(({ type, bytesReceived, bytesSent }) => {
    if (type === 'inbound-rtp') bytes.inbound = bytesReceived;
    if (type === 'outbound-rtp') bytes.outbound = bytesSent;
  });
  return bytes.inbound > 8000 && bytes.outbound > 8000;
})()`;

const bytesHeard = `(async () => {
  let bytes = 0;
  (await connections.at(-1).getStats()).forEach(({ type, bytesReceived }) => {
    if (type === 'inbound-rtp') bytes += bytesReceived;
  });
  return bytes;
})()`;
const addressUsed = `(async () => {
  const report = await connections.at(-1).getStats();
  const transport = [...report.values()].find(({ type }) => type === 'transport');
  const pair = report.get(transport?.selectedCandidatePairId);
  return report.get(pair?.localCandidateId)?.address ?? '';
})()`;

/** An agent who is Ready at the softphone page, with an account at the PBX. */
export class AgentAtWork {
  readonly #room: Room;
  readonly agent: TestAgent;
  readonly page: Page;
  readonly sipUser: string;

  private constructor(room: Room, agent: TestAgent, page: Page, sipUser: string) {
    this.#room = room;
    this.agent = agent;
    this.page = page;
    this.sipUser = sipUser;
  }

  /** @param number of the agent, who has none of the state of other tests */
  static async begin(room: Room, number: number): Promise<AgentAtWork> {
    const { gateway, company, browser, sipSecret } = room;
    const agent = await gateway.agent(company, `sip${number}`);
    const sipUser = String(1_000 + number);
    await gateway
      .as(company)
      .patch(`/api/agents/${agent.id}`)
      .send({ sip_user: sipUser, sip_secret: sipSecret })
      .expect(200);
    const profile = await browser.profile({ size: 'panel' });
    await profile.context.addInitScript(keepConnections);
    const page = await profile.open(`${gateway.url}/`);
    await signIn(page, agent);
    const atWork = new AgentAtWork(room, agent, page, sipUser);
    await allIsWell(page).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Ready', exact: true }).click();
    await atWork.sees('agent-state', /^Ready/);
    return atWork;
  }

  /** Waits until that part of the page says so. */
  async sees(
    part: 'status-line' | 'call-state' | 'agent-state' | 'voice-trouble',
    text: string | RegExp,
  ): Promise<void> {
    await this.page.getByTestId(part).filter({ hasText: text }).waitFor();
  }

  async press(button: Button): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }

  /** Loads the page anew, whatever it says to that. */
  async reload(): Promise<void> {
    this.page.once('dialog', (dialog) => void dialog.accept());
    await this.page.reload();
  }

  /** The SIP dialog of the call, as the page keeps it for the page after a reload. */
  sipDialog(): Promise<{ callId: string; localTag: string; remoteTag: string }> {
    return this.page.evaluate("JSON.parse(sessionStorage.getItem('readyline.voice'))[0].dialog");
  }

  /** Waits until sound has gone both ways. */
  hasSound(): Promise<void> {
    return eventually(() => this.page.evaluate<boolean>(hasSound));
  }

  /** Waits until the page tells of no trouble with the voice, and sound arrives that was not there before. */
  async hasSoundAgain(): Promise<void> {
    await this.page.getByTestId('voice-trouble').waitFor({ state: 'detached' });
    const before = await this.page.evaluate<number>(bytesHeard);
    await eventually(async () => (await this.page.evaluate<number>(bytesHeard)) > before + 8_000);
  }

  /** Waits until both sides have agreed on another way for the voice. @param before what `way` was */
  async agreesOnAnotherWay(before: string): Promise<void> {
    await eventually(async () => (await this.way()) !== before);
  }

  /** Names the way that both sides have agreed on last. */
  way(): Promise<string> {
    return this.page.evaluate<string>('/a=ice-ufrag:(.*)/.exec(connections.at(-1).currentLocalDescription.sdp)[1]');
  }

  /** Waits until the voice goes out from that address. */
  speaksFrom(address: string): Promise<void> {
    return eventually(async () => (await this.page.evaluate<string>(addressUsed)) === address);
  }

  /** A click in the CRM makes this agent's telephone dial. */
  async dialByClick(phoneNumber = '+15551230001'): Promise<void> {
    const { gateway, company } = this.#room;
    const body = { phone_number: phoneNumber, agent_code: this.agent.agentCode };
    await gateway.click(company, body).expect(201);
  }

  /** Says on the page how the call went, and answers what the gateway then holds and has sent of it. */
  async wrapUp(): Promise<{ call: CallView; webhooks: string[] }> {
    const form = this.page.getByTestId('wrap-up');
    await form.getByRole('radio', { name: /Follow-up needed/ }).check();
    await form.getByLabel('Notes').fill('by way of the PBX');
    await form.getByRole('button', { name: 'Save' }).click();
    return this.#recorded('disposition');
  }

  /** What the gateway holds and has sent of a call that was missed. */
  isNotAsked(): Promise<{ call: CallView; webhooks: string[] }> {
    return this.#recorded('call_started');
  }

  /** @param event that the gateway sends of it */
  async #recorded(event: 'disposition' | 'call_started'): Promise<{ call: CallView; webhooks: string[] }> {
    const { gateway, company, webhooks } = this.#room;
    const isMine = (data: Record<string, unknown>) => (data['agent'] as { id: string }).id === this.agent.id;
    const [told] = await webhooks.waitFor(({ body }) => body.event === event && isMine(body.data));
    const callId = String(told?.body.data['call_id']);
    const look = () => gateway.as(company).get(`/api/calls/${callId}`).expect(200);
    await eventually(async () => ((await look()).body as CallView).state === 'ended');
    const answer = await look();
    // They arrive as they can; their sequence says how it was.
    const mine = webhooks.received.filter(({ body }) => body.data['call_id'] === callId);
    mine.sort((a, b) => Number(a.body.data['sequence']) - Number(b.body.data['sequence']));
    return { call: answer.body as CallView, webhooks: mine.map(({ body }) => body.event) };
  }
}
