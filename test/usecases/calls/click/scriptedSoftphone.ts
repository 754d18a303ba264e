import { EventEmitter } from 'node:events';
import { OfferBook } from '../../../../src/client/offers.ts';
import type { CallView } from '../../../../src/contract/calls.ts';
import type { ClickToDialOffer, CrmScreenPop, OfferAck, OfferRescinded } from '../../../../src/contract/socket.ts';
import type { SoftphoneSocket } from '../../../../src/realtime/io.ts';

/** What a softphone does when it is asked to dial. Waits are milliseconds of the gateway's clock. */
export const behaviors = [
  'acknowledge',
  'acknowledge_slowly',
  'acknowledge_too_late',
  'acknowledge_and_vanish',
  'decline',
  'stay_silent',
  'vanish',
  'be_taken_over',
  'acknowledge_and_be_taken_over',
] as const;
export type Behavior = (typeof behaviors)[number];

export type AskedSoftphone = {
  offer: ClickToDialOffer;
  /** Answers the offer; does nothing when the connection has ended or the offer was taken back. */
  answer: (accepted: boolean) => void;
};

/**
 * A softphone without a network: the client's own book of offers behind a socket that only pretends. `onOffer`
 * decides what happens when the gateway asks it to dial.
 */
export class ScriptedSoftphone {
  /** Ids of the calls that it has dialed. */
  readonly dials: string[] = [];
  /** Ids of the calls whose offer it has acknowledged, in time and while it owned the session. */
  readonly acknowledged = new Set<string>();
  /** Ids of the calls whose customer is on its screen. */
  readonly pops = new Set<string>();
  /** Why each offer was taken back, in the order in which it heard so. */
  readonly rescinded: { callId: string; reason: string }[] = [];
  /** Whether a newer softphone has taken over; its own connection lasts. */
  replaced = false;
  readonly onOffer: (asked: AskedSoftphone) => void;
  readonly #book = new OfferBook();
  #line: EventEmitter | null = null;

  constructor(onOffer: (asked: AskedSoftphone) => void) {
    this.onOffer = onOffer;
  }

  get connected(): boolean {
    return this.#line !== null;
  }

  /** A new connection, as the gateway sees it. */
  connect(): SoftphoneSocket {
    const line = new EventEmitter();
    const isConnected = () => this.#line === line;
    const socket = {
      get connected() {
        return isConnected();
      },
      on: (event: string, listener: () => void) => line.on(event, listener),
      off: (event: string, listener: () => void) => line.off(event, listener),
      emit: (event: string, payload: unknown, acknowledge?: (ack: OfferAck) => void) => {
        if (!isConnected()) return;
        this.#receive(event, payload, (ack) => {
          if (isConnected()) acknowledge?.(ack);
        });
      },
    };
    this.#line = line;
    // The snapshot tells which call is left.
    this.pops.clear();
    // The part of a socket that offers and announcements go through.
    return socket as unknown as SoftphoneSocket;
  }

  /** The connection breaks. */
  disconnect(): void {
    const line = this.#line;
    this.#line = null;
    line?.emit('disconnect');
  }

  /** What it learns of its call at a reconnect, or as the call changes. */
  learnCall(call: CallView): void {
    if (this.#book.takeDial(call) !== null) this.dials.push(call.id);
  }

  #receive(event: string, payload: unknown, acknowledge: (ack: OfferAck) => void): void {
    switch (event) {
      case 'crm_screen_pop':
        this.pops.add((payload as CrmScreenPop).call_id);
        return acknowledge({ ok: true });
      case 'click_to_dial':
        return this.#takeOffer(payload as ClickToDialOffer, acknowledge);
      case 'offer_rescinded': {
        const { call_id: callId, reason } = payload as OfferRescinded;
        this.rescinded.push({ callId, reason });
        this.pops.delete(callId);
        return this.#book.drop(callId);
      }
      case 'call_state_changed':
        return this.learnCall(payload as CallView);
      default:
    }
  }

  #takeOffer(offer: ClickToDialOffer, acknowledge: (ack: OfferAck) => void): void {
    this.#book.ask(offer);
    this.onOffer({
      offer,
      answer: (accepted) => {
        if (this.#line === null || !this.#book.answer(offer.call_id, accepted)) return;
        if (accepted && !this.replaced) this.acknowledged.add(offer.call_id);
        acknowledge(accepted ? { ok: true } : { ok: false, error: { code: 'rejected' } });
      },
    });
  }
}
