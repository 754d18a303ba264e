import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage.js';
import { insideOf, type SessionInside } from './jssipInside.ts';
import type { Reoffers } from './reoffers.ts';

/**
 * A call whose other side is silently gone is over after this: as short as common PBXs take it unasked,
 * since a browser that is killed says nothing. Seconds.
 */
export const sessionSeconds = 120;
/** Nobody may ask for a shorter one (RFC 4028, 5). Seconds. */
export const leastSessionSeconds = 90;
/** While the line to the telephone network is away; after a refusal. Milliseconds. */
const againMs = 5_000;

type Listener = {
  /** Whether the telephone network can be reached. */
  isConnected: () => boolean;
  /** It may be dead all the same: finds out, and opens another line then. */
  checkLine: () => void;
  /** Nobody knows of the call any more. */
  onLost: () => void;
};

/**
 * Asks in a connected call from time to time whether the other side is there still (RFC 4028).
 * JsSIP ends a call when that meets a line that is away, and asks no more once it could not.
 */
export class SessionTimer {
  readonly #session: RTCSession;
  readonly #inside: SessionInside;
  readonly #reoffers: Reoffers;
  readonly #listener: Listener;
  #seconds = sessionSeconds;
  /** Whether this side asks. */
  #isOurs = true;
  /** Whether the other side takes an UPDATE, which leaves the voice alone. */
  #takesUpdate = true;
  /** Asked over a line that has been proved, nobody has answered once. */
  #wasUnanswered = false;
  /** An UPDATE was refused for a reason that may pass. */
  #wasRefused = false;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: RTCSession, reoffers: Reoffers, listener: Listener) {
    this.#session = session;
    this.#inside = insideOf(session);
    this.#reoffers = reoffers;
    this.#listener = listener;
    this.#inside._handleSessionTimersInIncomingResponse = (response) => this.accepted(response);
    this.#inside._handleSessionTimersInIncomingRequest = (request, headers) => headers.push(...this.#taken(request));
    session.on('ended', () => this.stop());
    session.on('failed', () => this.stop());
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Of every offer of ours: what was agreed goes on. */
  get headers(): string[] {
    return [`Session-Expires: ${this.#seconds};refresher=${this.#isOurs ? 'uac' : 'uas'}`];
  }

  /** The other side has accepted an INVITE or UPDATE. */
  accepted(response: IncomingResponse): void {
    const { session_expires: seconds, session_expires_refresher: refresher } = response as IncomingResponse & Asked;
    this.#learn(response);
    this.#seconds = Math.max(seconds ?? sessionSeconds, leastSessionSeconds);
    this.#isOurs = seconds === undefined || refresher !== 'uas';
    // Whoever has no timers is not asked in a way that its voice would notice.
    if (seconds !== undefined || this.#takesUpdate) this.#wait();
  }

  /** We accept one of the other side. @returns headers of the answer */
  #taken(request: IncomingRequest): string[] {
    const { session_expires: seconds, session_expires_refresher: refresher } = request as IncomingRequest & Asked;
    this.#learn(request);
    const hasTimers = (request.getHeader('supported') as string | undefined)?.includes('timer') === true;
    this.#seconds = Math.max(seconds ?? sessionSeconds, leastSessionSeconds);
    this.#isOurs = !hasTimers || seconds === undefined || refresher === 'uas';
    this.#wait();
    const header = `Session-Expires: ${this.#seconds};refresher=${this.#isOurs ? 'uas' : 'uac'}`;
    return this.#isOurs ? [header] : [header, 'Require: timer'];
  }

  #learn(message: IncomingRequest | IncomingResponse): void {
    const allowed = message.getHeader('allow') as string | undefined;
    if (allowed !== undefined) this.#takesUpdate = /\bUPDATE\b/i.test(allowed);
  }

  /** Asks at half of the time; where the other side should have asked, shortly before it is over. */
  #wait(): void {
    this.#wasUnanswered = false;
    this.#wasRefused = false;
    const seconds = this.#isOurs ? this.#seconds / 2 : this.#seconds - Math.min(32, this.#seconds / 3);
    this.#ask(seconds * 1_000);
  }

  #ask(afterMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      if (!this.#session.isEstablished()) return;
      // A call outlives the line: whether it is there still is asked when the line is back.
      if (!this.#listener.isConnected()) return this.#ask(againMs);
      this.#listener.checkLine();
      if (this.#takesUpdate) this.#update();
      else void this.#reinvite();
    }, afterMs);
  }

  #update(): void {
    this.#inside.sendRequest('UPDATE', {
      extraHeaders: [`Contact: ${this.#inside._contact}`, ...this.headers],
      eventHandlers: {
        onSuccessResponse: (response) => this.accepted(response),
        onErrorResponse: (response) => this.#refused(response),
        onDialogError: () => this.#listener.onLost(),
        onTransportError: () => this.#askOverNewLine(),
        onRequestTimeout: () => this.#unanswered(),
      },
    });
  }

  #refused(response: IncomingResponse): void {
    const least = leastOf(response);
    if (least !== null && least > this.#seconds) {
      this.#seconds = least;
      return this.#ask(0);
    }
    // It is busy with an UPDATE or an INVITE of its own; or was, which servers that fail for good say, too.
    const mayPass = response.status_code === 491 || (response.status_code === 500 && !this.#wasRefused);
    this.#wasRefused = response.status_code === 500;
    if (!mayPass) this.#takesUpdate = false;
    this.#ask(mayPass ? againMs : 0);
  }

  async #reinvite(): Promise<void> {
    if (this.#reoffers.isBusy) return this.#ask(againMs);
    const outcome = await this.#reoffers.offer();
    // What was refused has been heard; what was done has set the time anew.
    if (outcome === 'refused') this.#wait();
    else if (outcome === 'lost') this.#unanswered();
  }

  #unanswered(): void {
    if (!this.#session.isEstablished()) return;
    if (!this.#listener.isConnected()) return this.#askOverNewLine();
    // The line may have died before anybody noticed.
    if (this.#wasUnanswered) return this.#listener.onLost();
    this.#wasUnanswered = true;
    this.#ask(0);
  }

  #askOverNewLine(): void {
    this.#wasUnanswered = false;
    this.#ask(againMs);
  }
}

/** Whether it asks for a shorter session than anybody may: it is answered 422. */
export function asksTooShort(request: IncomingRequest): boolean {
  const { session_expires: seconds } = request as IncomingRequest & Asked;
  return seconds !== undefined && seconds < leastSessionSeconds;
}

type Asked = { session_expires?: number; session_expires_refresher?: string };

/** The shortest time that the other side takes. Seconds; null: that is not what it refuses. */
export function leastOf(response: IncomingResponse): number | null {
  const least =
    response.status_code === 422
      ? Number.parseInt((response.getHeader('min-se') as string | undefined) ?? '', 10)
      : Number.NaN;
  return Number.isNaN(least) ? null : least;
}
