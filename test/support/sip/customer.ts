import { randomUUID } from 'node:crypto';
import { parseSip, type SipRequest, type SipResponse } from '../../../src/demo/carrier/sipMessage.ts';
import { offerSdp, type SaidRequest, type SipTelephone } from './sipTelephone.ts';

/** How a customer's one call went, as their telephone knows it. */
export type CustomersCall = {
  /** Who called whom, from the agents' side. */
  direction: 'outbound' | 'inbound';
  wasAnswered: boolean;
  /** Null: it lasts. */
  endedBy: 'customer' | 'agent' | null;
};

/** The names of the call in what the customer says. */
type Dialog = { callId: string; from: string; to: string };

/** A customer with a telephone, for one call: they call, or are called, once. */
export class Customer {
  readonly number: string;
  readonly #telephone: SipTelephone;
  #dialog: Dialog | null = null;
  #invite: SipRequest | null = null;
  #said: SaidRequest | null = null;
  #call: CustomersCall | null = null;
  /** Calls that began at this telephone, in either direction. */
  calls = 0;

  constructor(telephone: SipTelephone, number: string) {
    this.#telephone = telephone;
    this.number = number;
    telephone.socket.on('message', (data: Buffer) => {
      const message = parseSip(data.toString());
      if (message?.kind === 'request') this.#hears(message);
    });
  }

  /** Null: there was none. */
  get call(): CustomersCall | null {
    return this.#call;
  }

  /** Waits until it rings, and says so. */
  async rings(): Promise<void> {
    const invite = await this.#telephone.request('INVITE');
    this.#invite = invite;
    this.#dialog = { callId: invite.callId, from: `${invite.to.text};tag=page`, to: invite.from.text };
    this.#telephone.reply(invite, 180, 'Ringing');
  }

  async answers(): Promise<void> {
    this.#known().wasAnswered = true;
    this.#telephone.reply(this.#invited(), 200, 'OK', offerSdp);
    await this.#telephone.request('ACK');
  }

  declines(status: number, reason: string): void {
    this.#known().endedBy = 'customer';
    this.#telephone.reply(this.#invited(), status, reason);
  }

  /** Calls an agent. @param user of the account at the PBX */
  dials(user: string): void {
    this.#begins('inbound');
    const { domain } = this.#telephone.account;
    const said = this.#telephone.say('INVITE', {
      uri: `sip:${user}@${domain}`,
      callId: randomUUID(),
      body: offerSdp,
      headers: { Contact: this.#telephone.contact, 'Content-Type': 'application/sdp' },
    });
    this.#said = said;
  }

  async isAnswered(): Promise<void> {
    const said = this.#dialed();
    const ok = await this.#telephone.answer(said.branch, (status) => status >= 200);
    if (ok.status !== 200) throw new Error(`${this.number} was refused: ${ok.status}`);
    this.#known().wasAnswered = true;
    this.#acknowledges(said, ok);
  }

  /** The call that they began is refused. @returns the status */
  async isRefused(): Promise<number> {
    const said = this.#dialed();
    const answer = await this.#telephone.answer(said.branch, (status) => status >= 300);
    const call = this.#known();
    call.endedBy ??= 'agent';
    this.#acknowledges(said, answer);
    return answer.status;
  }

  /** Hangs up before anybody has answered. */
  async givesUp(): Promise<void> {
    this.#known().endedBy = 'customer';
    const { branch, callId, cseq, uri } = this.#dialed();
    this.#telephone.say('CANCEL', { branch, callId, cseq, uri });
    await this.isRefused();
  }

  async hangsUp(): Promise<void> {
    const { callId, from, to } = this.#dialogNow();
    this.#known().endedBy = 'customer';
    await this.#telephone.ask('BYE', { callId, from, to });
  }

  /** Waits until the other side has hung up. */
  async isLeft(): Promise<void> {
    await this.#telephone.request('BYE');
  }

  /** Waits until the other side has given up before an answer. */
  async isGivenUp(): Promise<void> {
    await this.#telephone.request('CANCEL');
  }

  leave(): void {
    this.#telephone.socket.terminate();
  }

  /** What a telephone does by itself. */
  #hears(request: SipRequest): void {
    switch (request.method) {
      case 'INVITE':
        return this.#begins('outbound');
      case 'BYE':
        this.#known().endedBy ??= 'agent';
        return this.#telephone.reply(request, 200, 'OK');
      case 'CANCEL':
        this.#known().endedBy ??= 'agent';
        this.#telephone.reply(request, 200, 'OK');
        return this.#telephone.reply(this.#invited(), 487, 'Request Terminated');
      default:
    }
  }

  #begins(direction: CustomersCall['direction']): void {
    this.calls += 1;
    this.#call ??= { direction, wasAnswered: false, endedBy: null };
  }

  #acknowledges({ callId, cseq, uri }: SaidRequest, { status, from, to }: SipResponse): void {
    this.#dialog = { callId, from: from.text, to: to.text };
    // Of a refusal no dialog remains that could be acknowledged.
    if (status < 300) this.#telephone.say('ACK', { callId, cseq, uri, to: to.text });
  }

  #known(): CustomersCall {
    if (this.#call === null) throw new Error(`${this.number} has no call`);
    return this.#call;
  }

  #invited(): SipRequest {
    if (this.#invite === null) throw new Error(`${this.number} was not called`);
    return this.#invite;
  }

  #dialed(): SaidRequest {
    if (this.#said === null) throw new Error(`${this.number} has called nobody`);
    return this.#said;
  }

  #dialogNow(): Dialog {
    if (this.#dialog === null) throw new Error(`${this.number} is in no call`);
    return this.#dialog;
  }
}
