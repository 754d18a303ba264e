import type { RTCSession } from 'jssip/lib/RTCSession.js';

/** What was dialed makes no address (RFC 3261, 21.4.22). */
export const addressIncomplete = 484;

/** A network answers a REFER at once. Milliseconds. */
const answerWithinMs = 20_000;
/** One that waits until somebody has answered has said by then what has become of it. Milliseconds. */
const doneWithinMs = 90_000;

type Listener = {
  /** The network has agreed (202): from now on it may hang up here, which is how some of them say that it is done. */
  onAgreed: () => void;
  /** The customer is with somebody else. */
  onDone: () => void;
  /** The call goes on here. @param code of SIP; null: there was no answer in time */
  onRefused: (code: number | null) => void;
};

type State = 'asked' | 'agreed' | 'given_up' | 'refused' | 'done';

/**
 * The other side is asked to call somebody else in our place (REFER, RFC 3515),
 * who may be in a call with us already (RFC 3891), and tells by NOTIFY how that goes.
 */
export class Transfer {
  /** As it was dialed. */
  readonly to: string;
  readonly #listener: Listener;
  #state: State = 'asked';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(to: string, listener: Listener) {
    this.to = to;
    this.#listener = listener;
  }

  get isUnderWay(): boolean {
    return this.#state === 'asked' || this.#state === 'agreed';
  }
  get isAgreed(): boolean {
    return this.#state === 'agreed';
  }
  get isDone(): boolean {
    return this.#state === 'done';
  }

  /**
   * Asks.
   * @param target as the network is to call them
   * @param replaces the call whose place the customer takes
   *
   * What comes too late to be waited for counts all the same: the customer is where the network says.
   */
  begin(session: RTCSession, target: string, replaces: RTCSession | null): void {
    this.#wait(answerWithinMs);
    try {
      session.refer(target, {
        ...(replaces === null ? {} : { replaces }),
        eventHandlers: {
          requestSucceeded: () => this.#agree(),
          requestFailed: ({ response }: { response: { status_code: number } | null }) =>
            this.#refuse(response?.status_code ?? null),
          accepted: () => this.#finish(),
          failed: ({ status_line: { status_code: code } }: { status_line: { status_code: number } }) =>
            this.#refuse(Number(code)),
        },
      });
    } catch {
      this.#refuse(addressIncomplete);
    }
  }

  /** The call is over. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refuse(null, 'given_up'), ms);
  }

  #agree(): void {
    if (this.#state !== 'asked' && this.#state !== 'given_up') return;
    this.#state = 'agreed';
    this.#wait(doneWithinMs);
    this.#listener.onAgreed();
  }

  #finish(): void {
    if (this.#state === 'done') return;
    this.stop();
    this.#state = 'done';
    this.#listener.onDone();
  }

  #refuse(code: number | null, state: State = 'refused'): void {
    if (!this.isUnderWay) return;
    this.stop();
    this.#state = state;
    this.#listener.onRefused(code);
  }
}
