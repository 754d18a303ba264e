import { randomBytes } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { SipConnection } from './sipConnection.ts';
import { isBrowserAudio, type Media, type OpenMedia } from './media.ts';
import { behaviourOf } from './numbers.ts';
import type { SipRequest } from './sipMessage.ts';
import { requestText, type HeaderLines } from './sipText.ts';

/** `early`: not answered yet. `answered`: until the ACK. */
export type CallState = 'early' | 'answered' | 'confirmed' | 'ended';

type Given = {
  clock: Clock;
  openMedia: OpenMedia;
  connection: SipConnection;
  /** The agent's account. */
  user: string;
  /** The number on the other side. */
  number: string;
  callId: string;
  /** Header values, the carrier's one without its tag. */
  localParty: string;
  remoteParty: string;
  remoteTag: string | null;
  /** The agent's telephone, as a URI. */
  target: string;
  /** What the telephone began the call with; null: the carrier began it. */
  invite: SipRequest | null;
};

/** A call at the carrier: the SIP dialog with an agent's telephone, and its audio. */
export class Call {
  readonly user: string;
  #number: string;
  /** The call of the agent on the other side; null: an answering machine is there. */
  peer: Call | null = null;
  readonly callId: string;
  readonly localTag = token();
  remoteTag: string | null;
  remoteParty: string;
  target: string;
  /** Of the telephone's latest request; 0: none yet. */
  remoteCseq: number;
  state: CallState = 'early';
  connection: SipConnection;
  /** What the telephone began the call with; null: the carrier began it. */
  readonly invite: SipRequest | null;
  /** Another call is about to take its place. */
  isBeingReplaced = false;
  /** The telephone holds it, by its latest offer. */
  isOnHold = false;
  /** Whether an offer is being answered; one at a time. */
  isNegotiating = false;
  readonly #clock: Clock;
  readonly #openMedia: OpenMedia;
  readonly #localParty: string;
  readonly #atEnd: (() => void)[] = [];
  #media: Media | null = null;
  #localCseq = 0;
  #cancelKeeping: (() => void) | null = null;

  constructor(given: Given) {
    this.#clock = given.clock;
    this.#openMedia = given.openMedia;
    this.#localParty = `${given.localParty};tag=${this.localTag}`;
    this.connection = given.connection;
    this.user = given.user;
    this.#number = given.number;
    this.callId = given.callId;
    this.remoteParty = given.remoteParty;
    this.remoteTag = given.remoteTag;
    this.target = given.target;
    this.invite = given.invite;
    this.remoteCseq = given.invite?.cseq.number ?? 0;
  }

  /** The number on the other side; another one's, where the call was handed on to the agent. */
  get number(): string {
    return this.#number;
  }
  set number(number: string) {
    this.#number = number;
    this.#lead();
  }

  get isLive(): boolean {
    return this.state === 'answered' || this.state === 'confirmed';
  }

  /** Runs when the call ends; at once where it has. */
  whenEnded(action: () => void): void {
    if (this.state === 'ended') action();
    else this.#atEnd.push(action);
  }

  /** Runs after so many milliseconds, unless the call has ended; the result cancels it. */
  later(ms: number, action: () => void): () => void {
    const cancel = this.#clock.after(ms, () => {
      if (this.state !== 'ended') action();
    });
    this.whenEnded(cancel);
    return cancel;
  }

  /** Resolves after so many milliseconds, or when the call ends. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.later(ms, resolve);
      this.whenEnded(resolve);
    });
  }

  /** The carrier's answer to an SDP offer; null: it cannot be answered, or the call has ended meanwhile. */
  async answerTo(offer: string): Promise<string | null> {
    if (!isBrowserAudio(offer)) return null;
    this.isNegotiating = true;
    try {
      const media = await this.#ownMedia();
      return media === null ? null : await media.answer(offer);
    } catch {
      return null;
    } finally {
      this.isNegotiating = false;
    }
  }

  /** An SDP offer of the carrier's; null: the call has ended meanwhile. Throws where there is no media. */
  async offer(): Promise<string | null> {
    return (await this.#ownMedia())?.offer() ?? null;
  }

  /** Takes the answer to that offer; resolves to false where it cannot be understood. */
  async accept(answer: string): Promise<boolean> {
    if (this.#media === null || !isBrowserAudio(answer)) return false;
    return this.#media.accept(answer).then(
      () => true,
      () => false,
    );
  }

  /** Agent and agent hear each other from now on; null: an answering machine is on the other side. */
  join(other: Call | null): void {
    this.peer = other;
    this.#lead();
    if (other === null) return;
    other.peer = this;
    other.#lead();
    // Whoever hangs up leaves the other one to do so, unless they are in another call by then.
    this.whenEnded(() => other.peer === this && other.hangUp());
    other.whenEnded(() => this.peer === other && this.hangUp());
  }

  /** Sends a request within the dialog; `number` and `branch` only where they are not new. Answers with its branch. */
  send(
    method: string,
    more: { number?: number; branch?: string; headers?: HeaderLines; body?: string; type?: string } = {},
  ): string {
    const { number = (this.#localCseq += 1), branch = `z9hG4bK${token()}`, ...rest } = more;
    const { target: uri, callId, remoteParty: to } = this;
    this.connection.send(
      requestText({ method, uri, branch, from: this.#localParty, to, callId, cseq: number, ...rest }),
    );
    return branch;
  }

  /** The carrier hangs up. */
  hangUp(): void {
    if (this.isLive) this.send('BYE');
    this.end();
  }

  /** It is over, whoever said so. */
  end(): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.#media?.close();
    for (const action of this.#atEnd.splice(0)) action();
  }

  /**
   * The connection is gone: the page may come back within so many milliseconds,
   * on another connection or as another page.
   */
  keep(ms: number): void {
    this.#cancelKeeping ??= this.later(ms, () => this.end());
  }

  /** The phone goes on from another connection. */
  moveTo(connection: SipConnection): void {
    this.connection = connection;
    this.#cancelKeeping?.();
    this.#cancelKeeping = null;
  }

  /** Whoever is on the other side is heard. */
  #lead(): void {
    this.#media?.leadTo(this.peer === null ? null : this.peer.#media, behaviourOf(this.#number) === 'answers_high');
  }

  async #ownMedia(): Promise<Media | null> {
    const media = this.#media ?? (await this.#openMedia());
    if (this.state === 'ended') {
      media.close();
      return null;
    }
    this.#media = media;
    this.#lead();
    return media;
  }
}

/** A random text: a tag, a branch or a Call-ID. */
export function token(): string {
  return randomBytes(12).toString('hex');
}
