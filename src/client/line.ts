import { io, type Socket } from 'socket.io-client';
import type {
  Ack,
  ClientAnswers,
  ClientEvent,
  ClientToServerEvents,
  Refusal,
  ServerToClientEvents,
  StateSnapshot,
} from '../contract/socket.ts';
import { SoftphoneRefusal } from './refusal.ts';

export type LineOptions = {
  /** Where the gateway is, e.g. `https://gateway.example.com`. */
  url: string;
  /** From `POST /api/auth/login`. */
  token: string;
  /** The session of an earlier connection of this very page or device, to find everything as it was. */
  session?: string;
  /** How long an event may wait for its acknowledgement, in milliseconds. */
  ackTimeoutMs?: number;
};

/** `replaced`: another softphone of this agent has taken over; `connect()` takes it back. */
export type LineState = 'connecting' | 'connected' | 'reconnecting' | 'replaced' | 'refused' | 'closed';

/** What happens on the line. `resumed`: the same session, and not away so long that the agent was logged out. */
export type LineListener = {
  onState: (state: LineState, refusal?: Refusal) => void;
  onSnapshot: (snapshot: StateSnapshot, resumed: boolean) => void;
};

/** Away for longer, an agent is logged out: Ready again only by the agent's own doing. */
const loggedOutAfterMs = 300_000;
/** About this long after the gateway said that it cannot serve just now. */
const retryAfterMs = 2_000;
const defaultAckTimeoutMs = 10_000;

/** The line to the gateway: connects, resumes its session, reconnects by itself, and knows what state it is in. */
export class Line {
  readonly socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  readonly #listener: LineListener;
  readonly #ackTimeoutMs: number;
  #token: string;
  #session: string | undefined;
  #state: LineState = 'closed';
  #clockOffsetMs = 0;
  /** When the gateway was heard last, by this machine's clock: a machine that slept finds it long ago. */
  #heardAt = 0;
  #nextTry: ReturnType<typeof setTimeout> | undefined;
  #waiting: { resolve: (snapshot: StateSnapshot) => void; reject: (refusal: SoftphoneRefusal) => void } | null = null;

  constructor(options: LineOptions, listener: LineListener) {
    this.#listener = listener;
    this.#token = options.token;
    this.#session = options.session;
    this.#ackTimeoutMs = options.ackTimeoutMs ?? defaultAckTimeoutMs;
    this.socket = io(options.url, {
      autoConnect: false,
      transports: ['websocket'],
      reconnectionDelay: 500,
      reconnectionDelayMax: 10_000,
      randomizationFactor: 0.5,
      auth: (present) => present({ token: this.#token, ...(this.#session ? { session: this.#session } : {}) }),
    });
    this.#listen();
  }

  get state(): LineState {
    return this.#state;
  }
  get session(): string | undefined {
    return this.#session;
  }
  /** Milliseconds since the epoch by the gateway's clock. */
  now(): number {
    return Date.now() + this.#clockOffsetMs;
  }

  /** Connects anew; resolves with the first snapshot, rejects when the gateway refuses. */
  connect(): Promise<StateSnapshot> {
    if (this.#state === 'replaced') this.#session = undefined;
    clearTimeout(this.#nextTry);
    this.#state = 'closed';
    this.socket.disconnect();
    const arrived = new Promise<StateSnapshot>((resolve, reject) => (this.#waiting = { resolve, reject }));
    this.#become('connecting');
    this.socket.connect();
    return arrived;
  }

  /** Ends the connection; the session stays open for the gateway's grace. */
  close(): void {
    clearTimeout(this.#nextTry);
    this.#become('closed');
    this.socket.disconnect();
  }

  /** The next connection opens a session of its own. */
  forgetSession(): void {
    this.#session = undefined;
  }

  /** Sends an event and waits for its acknowledgement. Throws SoftphoneRefusal. */
  async ask<E extends ClientEvent>(event: E, payload: Parameters<ClientToServerEvents[E]>[0]): Promise<ClientAnswers[E]> {
    const socket = this.socket.timeout(this.#ackTimeoutMs);
    // socket.io's types cannot follow a generic event name; the contract pairs event, payload and answer.
    const ask = socket.emitWithAck.bind(socket) as (event: E, payload: unknown) => Promise<Ack<ClientAnswers[E]>>;
    const answer = await ask(event, payload);
    if (!answer.ok) throw new SoftphoneRefusal(answer.error);
    return answer;
  }

  /** Gives the line a fresh token before the old one expires; resolves with the new expiry (ISO 8601). */
  async renewToken(token: string): Promise<string> {
    const { expires_at } = await this.ask('renew_token', { token });
    this.#token = token;
    return expires_at;
  }

  #listen(): void {
    const { socket } = this;
    socket.on('disconnect', (reason) => {
      // A softphone that was taken over stays passive: it must not sign the agent in again when the other one is gone.
      if (this.#state === 'replaced') socket.disconnect();
      if (this.#state === 'replaced' || this.#state === 'closed') return;
      this.#become(reason === 'io server disconnect' ? 'refused' : 'reconnecting');
    });
    socket.on('connect_error', (error) => {
      const refusal = (error as Error & { data?: Refusal }).data;
      const mayPass = refusal === undefined || refusal.code === 'dependency_unavailable';
      this.#become(mayPass ? 'reconnecting' : 'refused', refusal);
      // Where the gateway was not reached, socket.io itself tries again.
      if (refusal !== undefined && mayPass) this.#tryAgain();
    });
    socket.io.on('ping', () => (this.#heardAt = Date.now()));
    socket.on('session_replaced', () => this.#become('replaced'));
    socket.on('state_snapshot', (snapshot) => this.#takeSnapshot(snapshot));
  }

  #takeSnapshot(snapshot: StateSnapshot): void {
    const resumed = this.#session === snapshot.session && Date.now() - this.#heardAt < loggedOutAfterMs;
    this.#heardAt = Date.now();
    this.#session = snapshot.session;
    this.#clockOffsetMs = Date.parse(snapshot.server_time) - Date.now();
    this.#become('connected');
    this.#listener.onSnapshot(snapshot, resumed);
    this.#waiting?.resolve(snapshot);
    this.#waiting = null;
  }

  #tryAgain(): void {
    clearTimeout(this.#nextTry);
    this.#nextTry = setTimeout(() => this.socket.connect(), retryAfterMs * (0.5 + Math.random()));
  }

  #become(state: LineState, refusal?: Refusal): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#listener.onState(state, refusal);
    if (state !== 'replaced' && state !== 'refused' && state !== 'closed') return;
    const fallback: Refusal = { code: 'session_replaced', detail: `The line is ${state}.` };
    this.#waiting?.reject(new SoftphoneRefusal(refusal ?? fallback));
    this.#waiting = null;
  }
}
