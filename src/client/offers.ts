import type { CallView } from '../contract/calls.ts';
import type { ClickToDialOffer, CrmScreenPop, OfferAck, TransferOffer } from '../contract/socket.ts';
import type { GatewayConnection } from './gatewayConnection.ts';

type KnownOffer = { offer: ClickToDialOffer; state: 'asked' | 'acknowledged' | 'dialed' };

/**
 * The offers a softphone knows of. An acknowledged offer becomes a dial when the gateway reports its call as
 * `dialing`, and only once, whatever is repeated after a reconnect.
 */
export class OfferBook {
  readonly #offers = new Map<string, KnownOffer>();

  /** The agent is being asked. An offer that comes again is the one that is known. */
  ask(offer: ClickToDialOffer): void {
    if (!this.#offers.has(offer.call_id)) this.#offers.set(offer.call_id, { offer, state: 'asked' });
  }

  /** Whether the offer still stands, so that it may be acknowledged or declined. */
  answer(callId: string, accepted: boolean): boolean {
    const known = this.#offers.get(callId);
    if (known === undefined) return false;
    if (!accepted) this.#offers.delete(callId);
    else if (known.state === 'asked') known.state = 'acknowledged';
    return true;
  }

  /** The gateway took the offer back. */
  drop(callId: string): void {
    this.#offers.delete(callId);
  }

  /** Forgets all but these calls', when the gateway tells which there are. */
  keepOnly(isThere: (callId: string) => boolean): void {
    for (const known of this.#offers.keys()) if (!isThere(known)) this.#offers.delete(known);
  }

  /** The offer that must be dialed now, if the call is one that was acknowledged and not dialed yet. */
  takeDial(call: CallView): ClickToDialOffer | null {
    if (call.state === 'ended') this.#offers.delete(call.id);
    const known = this.#offers.get(call.id);
    if (call.state !== 'dialing' || known?.state !== 'acknowledged') return null;
    known.state = 'dialed';
    return known.offer;
  }
}

type Acknowledge = (ack: OfferAck) => void;

/** How the page decides on offers; without `acceptTransfer` it takes no calls that are handed on. */
export type AcceptOffers = {
  acceptOffer: (offer: ClickToDialOffer) => boolean | Promise<boolean>;
  acceptTransfer?: ((offer: TransferOffer) => boolean | Promise<boolean>) | undefined;
};

/** Told what becomes of the offers. */
export type OfferListener = {
  onPop: (pop: CrmScreenPop) => void;
  /** The pop of this call is off the screen: it will not be made. */
  onPopClosed: (callId: string, reason: string) => void;
};

/** Takes the gateway's offers: shows their pops, has the page decide, and acknowledges what came in time. */
export class IncomingOffers {
  readonly #book = new OfferBook();
  readonly #gateway: Pick<GatewayConnection, 'now' | 'measureTimeIfDoubtful'>;
  readonly #accepts: AcceptOffers;
  readonly #listener: OfferListener;
  /** Of calls that the agent has, in the order in which they came. */
  readonly #pops = new Map<string, CrmScreenPop>();
  #shownPopId: string | null = null;
  /** On the offer that came last. */
  #decision: { callId: string; accepted: Promise<boolean> } | null = null;
  /** The offer rescinded last; in a handover both gateways may tell. */
  #droppedCallId: string | null = null;

  constructor(
    gateway: Pick<GatewayConnection, 'now' | 'measureTimeIfDoubtful'>,
    accepts: AcceptOffers,
    listener: OfferListener,
  ) {
    this.#gateway = gateway;
    this.#accepts = accepts;
    this.#listener = listener;
  }

  /** The pop that came last of those on the screen. */
  get pop(): CrmScreenPop | null {
    return [...this.#pops.values()].at(-1) ?? null;
  }

  /** The pop of that call that is on the screen; null: there is none. */
  popOf(callId: string): CrmScreenPop | null {
    return this.#pops.get(callId) ?? null;
  }

  takePop(pop: CrmScreenPop, acknowledge: Acknowledge): void {
    this.#inGoodTime(pop.call_id, acknowledge, () => this.#showPop(pop, acknowledge));
  }

  takeOffer(offer: ClickToDialOffer, acknowledge: Acknowledge): void {
    this.#inGoodTime(offer.call_id, acknowledge, () => void this.#decideOn(offer, acknowledge));
  }

  takeTransfer(offer: TransferOffer, acknowledge: Acknowledge): void {
    this.#inGoodTime(offer.call_id, acknowledge, () => void this.#decideOnTransfer(offer, acknowledge));
  }

  /** The gateway took an offer back. */
  drop(callId: string, reason: string): void {
    this.#book.drop(callId);
    this.#pops.delete(callId);
    if (this.#droppedCallId === callId) return;
    this.#droppedCallId = callId;
    this.#listener.onPopClosed(callId, reason);
  }

  /** The gateway tells which calls there are. */
  keepOnly(isThere: (callId: string) => boolean): void {
    // The call of such a pop ended while the connection was down, so nobody took the pop back.
    for (const callId of this.#pops.keys()) if (!isThere(callId)) this.drop(callId, 'connection_lost');
    this.#book.keepOnly(isThere);
  }

  /** The agent's calls are over, and their pops with them. */
  forgetPops(): void {
    this.#pops.clear();
  }

  /** Takes what the call's record tells of the customer by now. Null: the pop stays as it is. */
  updatePop({ id, screen_pop, exact, looking_up }: CallView): CrmScreenPop | null {
    const before = this.#pops.get(id);
    if (before === undefined || screen_pop === null) return null;
    const isLookedUp = looking_up === false && before.looking_up === true;
    if (!isLookedUp && JSON.stringify(screen_pop) === JSON.stringify(before.screen_pop)) return null;
    const { exact: _exact, looking_up: isLookingUp, ...others } = before;
    const isKnown =
      before.found ||
      screen_pop.external_id !== undefined ||
      screen_pop.contact_id !== undefined ||
      screen_pop.candidates !== undefined;
    const pop: CrmScreenPop = {
      ...others,
      found: isKnown,
      screen_pop,
      ...(exact === undefined ? {} : { exact }),
      ...(isLookingUp === true && !isLookedUp ? { looking_up: true } : {}),
    };
    this.#pops.set(id, pop);
    return pop;
  }

  /** As of `OfferBook`. */
  takeDial(call: CallView): ClickToDialOffer | null {
    return this.#book.takeDial(call);
  }

  /** What expires is judged by a clock that can be relied on. */
  #inGoodTime(callId: string, acknowledge: Acknowledge, take: () => void): void {
    const measuring = this.#gateway.measureTimeIfDoubtful();
    if (measuring === null) return take();
    // It may be taken back meanwhile.
    void measuring.then(() => (this.#droppedCallId === callId ? acknowledge(expired) : take()));
  }

  #showPop(pop: CrmScreenPop, acknowledge: Acknowledge): void {
    if (this.#gateway.now() >= Date.parse(pop.expires_at)) return acknowledge(expired);
    acknowledge({ ok: true });
    if (this.#shownPopId === pop.pop_id) return;
    this.#shownPopId = pop.pop_id;
    this.#pops.delete(pop.call_id);
    this.#pops.set(pop.call_id, pop);
    this.#listener.onPop(pop);
  }

  async #decideOn(offer: ClickToDialOffer, acknowledge: Acknowledge): Promise<void> {
    if (this.#gateway.now() >= Date.parse(offer.expires_at)) return acknowledge(expired);
    this.#book.ask(offer);
    // One that is repeated on another connection is not shown again.
    const accepted = await this.#decideOnce(offer.call_id, () => this.#accepts.acceptOffer(offer));
    // It may have been taken back while the agent was asked.
    if (!this.#book.answer(offer.call_id, accepted)) return;
    acknowledge(accepted ? { ok: true } : { ok: false, error: { code: 'rejected' } });
  }

  async #decideOnTransfer(offer: TransferOffer, acknowledge: Acknowledge): Promise<void> {
    if (this.#gateway.now() >= Date.parse(offer.expires_at)) return acknowledge(expired);
    const accepted = await this.#decideOnce(offer.call_id, () => this.#accepts.acceptTransfer?.(offer) ?? false);
    if (this.#droppedCallId !== offer.call_id)
      acknowledge(accepted ? { ok: true } : { ok: false, error: { code: 'rejected' } });
  }

  #decideOnce(callId: string, decide: () => boolean | Promise<boolean>): Promise<boolean> {
    if (this.#decision?.callId !== callId) this.#decision = { callId, accepted: ask(decide) };
    return this.#decision.accepted;
  }
}

/** A page that fails to decide has not accepted. */
async function ask(decide: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await decide();
  } catch {
    return false;
  }
}

const expired: OfferAck = { ok: false, error: { code: 'expired' } };
