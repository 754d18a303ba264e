import type {
  ClientAnswers,
  ClientEvent,
  ClientToServerEvents,
  GatewayClosing,
  Refusal,
  StateSnapshot,
} from '../contract/socket.ts';
import { Connection, type ConnectionEnd, type Incoming } from './connection.ts';
import { GatewayTime } from './gatewayTime.ts';
import { Handover } from './handover.ts';
import { SoftphoneRefusal } from './refusal.ts';
import { RequestQueue } from './requestQueue.ts';
import { delayAfterGoodbye, delayBeforeHandover, delayWhenUnavailable, retryDelay } from './retryDelay.ts';

export type GatewayConnectionOptions = {
  /** Where the gateway is, e.g. `https://gateway.example.com`. */
  url: string;
  /** From `POST /api/auth/login`. */
  token: string;
  /** The session of an earlier connection of this very page or device, to find everything as it was. */
  session?: string | undefined;
  /** How long an event may wait for its acknowledgement, in milliseconds. */
  ackTimeoutMs?: number;
};
/**
 * What the softphone on the connection says of itself. `transfers`: it answers `transfer_offer`;
 * `listening`: `listener_joins`.
 */
type OfSoftphone = { transfers: boolean; listening: boolean };

/** `replaced`: another softphone of this agent has taken over; `connect()` takes it back. */
export type LineState = 'connecting' | 'connected' | 'reconnecting' | 'replaced' | 'refused' | 'closed';

/** What happens on the connection. `resumed`: the same session, and not away so long that the agent was logged out. */
export type GatewayConnectionListener = {
  incoming: Incoming;
  onState: (state: LineState, refusal?: Refusal) => void;
  onSnapshot: (snapshot: StateSnapshot, resumed: boolean) => void;
};

/** After this time away the gateway logs the agent out; only the agent may then go Ready again. */
const loggedOutAfterMs = 300_000;
/** A connection that was left is closed after this time, even if an acknowledgement is still due. */
const leaveWithinMs = 5_000;
/**
 * The gateway pings every 10 s, and the transport gives up 8 s later; its timer stands still while a machine sleeps.
 */
const silentForMs = 20_000;
const lookEveryMs = 2_000;
/** A second handover so soon after the first means that the new gateway closes too: wait before the next one. */
const hurriedMs = 5_000;
const defaultAckTimeoutMs = 10_000;

type Waiting = { resolve: (snapshot: StateSnapshot) => void; reject: (refusal: SoftphoneRefusal) => void };

/**
 * Keeps a softphone connected: resumes its session, reconnects by itself, hands over to another gateway when its own is
 * about to close, and knows what state it is in.
 */
export class GatewayConnection {
  readonly #options: GatewayConnectionOptions & OfSoftphone;
  readonly #listener: GatewayConnectionListener;
  readonly #requests = new RequestQueue();
  /** Connections left for another one, on which an acknowledgement may still be due. */
  readonly #left = new Set<Connection>();
  #token: string;
  #session: string | undefined;
  #state: LineState = 'closed';
  #refusedFor: Refusal['code'] | undefined;
  #current: Connection | null = null;
  #handover: Handover | null = null;
  #handedOverAt = -Infinity;
  readonly #time = new GatewayTime();
  /** When the gateway was last heard, by this machine's clock, which goes on while the machine sleeps. */
  #heardAt = 0;
  /** Runs while connected. */
  #look: ReturnType<typeof setInterval> | undefined;
  #failedTries = 0;
  #nextTry: ReturnType<typeof setTimeout> | undefined;
  /** Callers of `connect` that wait for the first snapshot. */
  readonly #waiting: Waiting[] = [];

  constructor(options: GatewayConnectionOptions & OfSoftphone, listener: GatewayConnectionListener) {
    this.#options = options;
    this.#listener = listener;
    this.#token = options.token;
    this.#session = options.session;
  }

  get state(): LineState {
    return this.#state;
  }
  get session(): string | undefined {
    return this.#session;
  }
  /** Milliseconds since the epoch by the gateway's clock. */
  now(): number {
    return this.#time.now();
  }

  /**
   * Null where `now` can be relied on; else resolves when the gateway's time has been measured again, or could not be.
   */
  measureTimeIfDoubtful(wasHeard = false): Promise<void> | null {
    return this.#time.measureIfDoubtful(this.#current, (connection) => connection === this.#current, wasHeard);
  }

  /**
   * Connects anew, to that session and with that token if they are given;
   * resolves with the first snapshot, rejects when the gateway refuses.
   */
  connect(session?: string, token?: string): Promise<StateSnapshot> {
    if (token !== undefined) this.#token = token;
    if (session !== undefined) this.#session = session;
    else if (this.#state === 'replaced') this.#session = undefined;
    this.#state = 'closed';
    this.#drop();
    const arrived = new Promise<StateSnapshot>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#failedTries = 0;
    this.#open();
    this.#become('connecting');
    return arrived;
  }

  /** Ends the connection; the session stays open for the gateway's grace. */
  close(): void {
    this.#drop();
    this.#become('closed');
  }

  /** The next connection opens a session of its own. */
  forgetSession(): void {
    this.#session = undefined;
  }

  /** Sends an event and waits for its acknowledgement. Throws SoftphoneRefusal. */
  async ask<E extends ClientEvent>(
    event: E,
    payload: Parameters<ClientToServerEvents[E]>[0],
  ): Promise<ClientAnswers[E]> {
    const answer = await this.#requests.send(event, payload, this.#options.ackTimeoutMs ?? defaultAckTimeoutMs);
    if (!answer.ok) throw new SoftphoneRefusal(answer.error);
    return answer;
  }

  /**
   * Hands in a fresh token before the old one expires; resolves with the new expiry (ISO 8601), or with null while
   * disconnected: the next connection presents that token.
   */
  async renewToken(token: string): Promise<string | null> {
    const asked = this.#current;
    const expires_at = this.#isOpen ? await this.#askToRenew(token) : null;
    this.#token = token;
    if (expires_at === null) return null;
    if (asked !== null && asked === this.#current) asked.token = token;
    else this.#passTokenOn();
    return expires_at;
  }

  get #isOpen(): boolean {
    return this.#state === 'connected' || (this.#state === 'replaced' && this.#current !== null);
  }

  /** Null: the connection broke, or nobody answered. */
  async #askToRenew(token: string): Promise<string | null> {
    try {
      return (await this.ask('renew_token', { token })).expires_at;
    } catch (error) {
      if (error instanceof SoftphoneRefusal) throw error;
      return null;
    }
  }

  /** A connection that was being opened while the token was renewed has presented the old one. */
  #passTokenOn(): void {
    if (this.#current === null || this.#current.token === this.#token) return;
    this.#current.token = this.#token;
    this.ask('renew_token', { token: this.#token }).catch(() => {
      // The gateway closes the connection when the token expires, and the page is told.
    });
  }

  #newConnection(): Connection {
    const { listening, transfers } = this.#options;
    const about = { ...(transfers ? { transfers } : {}), ...(listening ? { listening } : {}) };
    const auth = () => ({
      token: this.#token,
      ...(this.#session === undefined ? {} : { session: this.#session }),
      ...about,
    });
    return new Connection(this.#options.url, auth, this.#listener.incoming, {
      onReached: (connection) => {
        if (this.#handover?.isTo(connection) === true) this.#handover.reached();
      },
      onSnapshot: (connection, snapshot) => this.#takeSnapshot(connection, snapshot),
      onSign: (connection) => {
        if (connection !== this.#current) return;
        this.#heardAt = Date.now();
        // After the transport has noted the ping.
        setTimeout(() => void this.measureTimeIfDoubtful(true));
      },
      onClosing: (connection, closing) => this.#leave(connection, closing),
      onReplaced: (connection) => this.#beReplaced(connection),
      onEnd: (connection, end) => this.#takeEnd(connection, end),
    });
  }

  #open(): void {
    this.#current = this.#newConnection();
    this.#current.open();
  }

  /** Closes every connection and cancels the next try. */
  #drop(): void {
    clearTimeout(this.#nextTry);
    this.#requests.hold();
    for (const connection of [this.#current, this.#handover?.release(), ...this.#left]) connection?.close();
    this.#current = null;
    this.#handover = null;
    this.#left.clear();
  }

  #takeSnapshot(connection: Connection, snapshot: StateSnapshot): void {
    if (this.#handover?.isTo(connection) === true) this.#switchTo(connection);
    if (connection !== this.#current) return;
    const resumed = this.#session === snapshot.session && Date.now() - this.#heardAt < loggedOutAfterMs;
    this.#heardAt = Date.now();
    this.#session = snapshot.session;
    this.#time.measure(snapshot.server_time);
    this.#failedTries = 0;
    this.#become('connected');
    if (connection === this.#current) {
      this.#requests.release(connection);
      this.#passTokenOn();
    }
    this.#listener.onSnapshot(snapshot, resumed);
    for (const { resolve } of this.#waiting.splice(0)) resolve(snapshot);
  }

  /** The gateway is about to close. */
  #leave(old: Connection, { within_ms }: GatewayClosing): void {
    if (old !== this.#current || this.#handover !== null || this.#state !== 'connected') return;
    this.#handover = new Handover({
      old,
      until: performance.now() + within_ms,
      delayMs: performance.now() - this.#handedOverAt < hurriedMs ? delayBeforeHandover() : 0,
      newConnection: () => this.#newConnection(),
      onHold: () => {
        old.isLeft = true;
        this.#requests.hold();
      },
      onFailed: (oldEnd) => {
        old.isLeft = false;
        if (oldEnd === null) return this.#requests.release(old);
        this.#handover = null;
        this.#takeEnd(old, oldEnd);
      },
    });
  }

  #switchTo(connection: Connection): void {
    const old = this.#current;
    this.#handover?.release();
    this.#handover = null;
    this.#handedOverAt = performance.now();
    this.#current = connection;
    if (old === null) return;
    this.#left.add(old);
    old.whenQuiet(leaveWithinMs, () => {
      this.#left.delete(old);
      old.close();
    });
  }

  #beReplaced(connection: Connection): void {
    // On the old connection it may be the new one that replaced it.
    if (this.#handover?.isTo(connection) === true) return this.#handover.failed();
    if (connection !== this.#current || connection.isLeft) return;
    this.#handover?.release()?.close();
    this.#handover = null;
    // Requests go on: the gateway answers them with the reason of its refusal.
    this.#requests.release(connection);
    this.#become('replaced');
  }

  #takeEnd(connection: Connection, told: ConnectionEnd): void {
    // The refusal was of the old token; the next connection presents the renewed one.
    const end = isFinal(told) && connection.token !== this.#token ? lost : told;
    this.#left.delete(connection);
    if (this.#handover?.isTo(connection) === true) return this.#handover.failed();
    if (connection !== this.#current || this.#handover?.takesEnd(end) === true) return;
    const second = this.#handover?.release() ?? null;
    this.#handover = null;
    this.#current = null;
    this.#requests.hold();
    // Stay passive: a replaced softphone must not sign the agent in again when the other one is gone.
    if (this.#state === 'replaced') return;
    if (end.kind === 'refused' && isFinal(end)) {
      second?.close();
      return this.#become('refused', end.refusal);
    }
    this.#current = second;
    if (second !== null) second.open();
    else this.#nextTry = setTimeout(() => this.#open(), this.#delayAfter(connection, end));
    this.#become('reconnecting', end.kind === 'refused' ? end.refusal : undefined);
  }

  #delayAfter(connection: Connection, end: ConnectionEnd): number {
    if (end.kind === 'refused') return delayWhenUnavailable();
    if (connection.isClosing) return delayAfterGoodbye();
    return retryDelay(this.#failedTries++);
  }

  /** After sleep, notices at once that the connection is dead, without waiting out the transport's time-out. */
  #watchSilence(): void {
    clearInterval(this.#look);
    if (this.#state !== 'connected') return;
    this.#look = setInterval(() => {
      if (Date.now() - this.#heardAt > silentForMs) this.#current?.giveUp();
    }, lookEveryMs);
  }

  #become(state: LineState, refusal?: Refusal): void {
    if (this.#state === state && this.#refusedFor === refusal?.code) return;
    this.#state = state;
    this.#refusedFor = refusal?.code;
    this.#watchSilence();
    this.#listener.onState(state, refusal);
    if (state !== 'replaced' && state !== 'refused' && state !== 'closed') return;
    const fallback: Refusal = { code: 'session_replaced', detail: `The connection is ${state}.` };
    for (const { reject } of this.#waiting.splice(0)) reject(new SoftphoneRefusal(refusal ?? fallback));
  }
}

const lost: ConnectionEnd = { kind: 'lost' };

/** Refused for good: trying again would be refused again. */
function isFinal(end: ConnectionEnd): boolean {
  return end.kind === 'refused' && end.refusal?.code !== 'dependency_unavailable';
}
