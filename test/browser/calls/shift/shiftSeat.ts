import type { Page } from 'playwright-core';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import type { SoftphonePage } from '../../../support/browser/softphonePage.ts';
import type { BreakableLine } from '../../../support/gateway/breakableLine.ts';
import type { Gateway, TestAgent, TestCompany } from '../../../support/gateway/gateway.ts';
import type { CustomerPbx } from '../../../support/sip/customerPbx.ts';
import { eventually } from '../../../support/time/waiting.ts';
import { shownNumber } from '../../../support/web/shownNumber.ts';
import type { Played } from './ledger.ts';

type Needs = {
  gateway: Gateway;
  company: TestCompany;
  pbx: CustomerPbx;
  agent: TestAgent;
  extension: string;
  phone: SoftphonePage;
  line: BreakableLine;
};

/** An agent at work: the page, its line to the gateway, and what the gateway knows of the agent's calls. */
export class ShiftSeat {
  readonly agent: TestAgent;
  /** By which the PBX knows the agent. */
  readonly extension: string;
  readonly phone: SoftphonePage;
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.agent = needs.agent;
    this.extension = needs.extension;
    this.phone = needs.phone;
  }

  get page(): Page {
    return this.phone.page;
  }

  /** By which colleagues find the agent. */
  get name(): string {
    return `Agent ${this.agent.agentCode}`;
  }

  async isReady(): Promise<void> {
    await this.phone.state.getByText('Ready', { exact: true }).waitFor();
    // What the page shows the gateway knows, or will in a moment; a click would come too early.
    await eventually(async () => (await this.stateThere()) === 'ready');
  }

  /** Whoever has declined a call is Not Ready, and goes back to work. */
  async goesBackToWork(): Promise<void> {
    await this.phone.state.getByText('Not Ready').waitFor();
    await this.phone.button('Ready').click();
    await this.isReady();
  }

  async stateThere(): Promise<string> {
    const { gateway, company } = this.#needs;
    return (await gateway.as(company).get(`/api/agents/${this.agent.id}/state`).expect(200)).body.state;
  }

  /** The agent's record of the call with that number; undefined: not yet. */
  async recordOf(phone: string): Promise<CallSummary | undefined> {
    const { gateway, company } = this.#needs;
    const query = { phone, agent_id: this.agent.id };
    return (await gateway.as(company).get('/api/calls').query(query).expect(200)).body.calls[0];
  }

  /** Waits until the record is in that state. */
  async isRecorded(phone: string, state: CallSummary['state']): Promise<CallSummary> {
    return eventually(async () => {
      const record = await this.recordOf(phone);
      if (record?.state !== state) throw new Error(`the call with ${phone} is ${record?.state ?? 'not there'}`);
      return record;
    });
  }

  /** A click in the CRM that names the agent. */
  async isClicked(phone_number: string): Promise<void> {
    const { gateway, company } = this.#needs;
    await gateway.click(company, { phone_number, agent_id: this.agent.id }).expect(201);
  }

  async dialsByHand(number: string): Promise<void> {
    await this.phone.number.fill(number);
    await this.phone.number.press('Enter');
  }

  async holds(): Promise<void> {
    await this.phone.button('Hold').click();
    await this.phone.inCall('On hold');
  }

  async resumes(): Promise<void> {
    await this.phone.button('Resume').click();
    await this.phone.inCall('Connected');
  }

  async reloads(callState: string): Promise<void> {
    await this.phone.isWatched();
    await this.page.reload();
    await this.phone.connected();
    await this.phone.inCall(callState);
    await this.page.getByText('Reconnecting audio').waitFor({ state: 'detached' });
  }

  /** The line to the gateway is lost; what happens meanwhile happens without it. */
  async withoutGateway(meanwhile: () => Promise<void>): Promise<void> {
    const { line } = this.#needs;
    line.cut();
    await this.phone.status.getByText(/Reconnecting/).waitFor();
    await meanwhile();
    line.mend();
    await this.hurries();
    await this.phone.connected();
  }

  /** The browser has no network; what happens meanwhile happens without it. */
  async withoutNetwork(meanwhile: () => Promise<void>): Promise<void> {
    const context = this.page.context();
    await context.setOffline(true);
    await this.phone.state
      .getByText('Reconnecting…')
      .or(this.phone.status.getByText(/Reconnecting/))
      .first()
      .waitFor();
    await meanwhile();
    await context.setOffline(false);
    await this.hurries();
    await this.phone.connected();
  }

  /** The page's line to the PBX breaks, and is there again. */
  async losesPbx(): Promise<void> {
    await this.#needs.pbx.cut(this.extension);
    await this.phone.connected();
  }

  /** As when a network comes back: nobody waits longer than need be. */
  async hurries(): Promise<void> {
    await this.page.evaluate(() => void dispatchEvent(new Event('online')));
  }

  /** Notes what became of the call, and saves it. */
  async wrapsUp(played: Played, disposition: { label: string; notes: string }): Promise<void> {
    const { wrapUp } = this.phone;
    const form = wrapUp.filter({ hasText: shownNumber(played.phone) });
    await form.getByRole('textbox', { name: 'Notes' }).fill(disposition.notes);
    await form.getByRole('radio', { name: disposition.label }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    played.disposition = disposition;
  }
}
