import type { CallView } from '../contract/calls.ts';
import type { ClickToDialOffer } from '../contract/socket.ts';

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

  /** Forgets all but one call's, when the gateway tells which call there is. */
  keepOnly(callId: string | null): void {
    for (const known of this.#offers.keys()) if (known !== callId) this.#offers.delete(known);
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
