import type { RTCSession } from 'jssip/lib/RTCSession.js';
import { insideOf, type SessionInside } from './jssipInside.ts';
import { answerWithin, directionOf, isHeldByAddress, isHolding, withDirection, type Direction } from './mediaDirection.ts';
import type { Reoffers } from './reoffers.ts';

type Listener = {
  /** What became of `hold`: it was done, or is as before. `isRefused`: the network would not. */
  onOwn: (isHeld: boolean, isRefused: boolean) => void;
  /** The other side holds the call, or does not any more. */
  onOther: (isHeld: boolean) => void;
};

/**
 * Who holds a connected call: this side, the other one, or both. The browser is told which way the voice shall go, so that
 * every offer and every answer says so, whoever asked for it and why.
 */
export class Holding {
  readonly #session: RTCSession;
  readonly #inside: SessionInside;
  readonly #reoffers: Reoffers;
  readonly #listener: Listener;
  /** Counts what the agent has asked for. */
  #wish = 0;

  constructor(session: RTCSession, reoffers: Reoffers, listener: Listener) {
    this.#session = session;
    this.#inside = insideOf(session);
    this.#reoffers = reoffers;
    this.#listener = listener;
    // The browser does it: JsSIP would change the text of offers alone.
    this.#inside._mangleOffer = (sdp) => sdp;
    session.on('hold', ({ originator }) => this.#changed(originator, true));
    session.on('unhold', ({ originator }) => this.#changed(originator, false));
    session.on('reinvite', ({ request }) => saySo(request));
    session.on('update', ({ request }) => saySo(request));
    session.on('sdp', (description) => this.#takeAnswer(description as { originator: string; type: string; sdp: string }));
  }

  get isOwn(): boolean {
    return this.#inside._localHold;
  }
  get isOther(): boolean {
    return this.#inside._remoteHold;
  }

  /** Holds the call, or ends that: the microphone at once, the other side as soon as no other offer is under way. */
  async hold(isHeld: boolean): Promise<void> {
    if (isHeld === this.isOwn) return;
    const wish = (this.#wish += 1);
    this.#setOwn(isHeld);
    const isFree = await this.#reoffers.isFree();
    // The agent has changed their mind: the later wish goes on.
    if (wish !== this.#wish || this.#session.isEnded()) return;
    const outcome = isFree ? await this.#reoffers.offer() : 'refused';
    if (wish !== this.#wish || this.#session.isEnded()) return;
    if (outcome !== 'done') this.#setOwn(!isHeld);
    this.#listener.onOwn(this.isOwn, outcome !== 'done');
  }

  #setOwn(isHeld: boolean): void {
    this.#inside._localHold = isHeld;
    if (isHeld) this.#inside._onhold('local');
    else this.#inside._onunhold('local');
  }

  #setOther(isHeld: boolean): void {
    if (isHeld === this.isOther) return;
    this.#inside._remoteHold = isHeld;
    if (isHeld) this.#inside._onhold('remote');
    else this.#inside._onunhold('remote');
  }

  #changed(originator: string, isHeld: boolean): void {
    for (const transceiver of this.#session.connection.getTransceivers()) transceiver.direction = this.#wanted;
    if (originator === 'remote') this.#listener.onOther(isHeld);
  }

  /** A hold of the other side does not keep this one from wanting its voice back: it says how it is in its answer. */
  get #wanted(): Direction {
    if (!this.isOwn) return 'sendrecv';
    return this.isOther ? 'inactive' : 'sendonly';
  }

  /** What the other side makes of an offer of ours may be a hold, or its end. */
  #takeAnswer(description: { originator: string; type: string; sdp: string }): void {
    if (description.originator !== 'remote' || description.type !== 'answer' || !this.#session.isEstablished()) return;
    const offered = directionOf(this.#session.connection.localDescription?.sdp ?? '');
    description.sdp = answerWithin(offered, description.sdp);
    // To a hold of ours, networks answer as they like.
    if (offered === 'sendrecv') this.#setOther(isHolding(directionOf(description.sdp)));
  }
}

/** Says of an offer that holds by its address alone what all others say by their direction. */
function saySo(request: { body: string }): void {
  if (!isHeldByAddress(request.body)) return;
  const direction = directionOf(request.body);
  if (!isHolding(direction)) request.body = withDirection(request.body, direction === 'sendrecv' ? 'sendonly' : 'inactive');
}
