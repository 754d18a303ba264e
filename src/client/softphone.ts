import { Emitter } from '@socket.io/component-emitter';
import { io, type Socket } from 'socket.io-client';
import type { AgentStateView } from '../contract/agents.ts';
import type { CallView } from '../contract/calls.ts';
import type {
  Ack,
  ClickToDialOffer,
  ClientAnswers,
  ClientEvent,
  ClientToServerEvents,
  CrmScreenPop,
  OfferAck,
  Refusal,
  ServerToClientEvents,
  StateSnapshot,
} from '../contract/socket.ts';
import { forgottenWish } from './forgottenWish.ts';
import { OfferBook } from './offers.ts';

export type SoftphoneOptions = {
  /** Where the gateway is, e.g. `https://gateway.example.com`. */
  url: string;
  /** From `POST /api/auth/login`. */
  token: string;
  /** The session of an earlier connection of this very page or device, to find everything as it was. */
  session?: string;
  /** Decides on an offer before it is acknowledged; false declines, and the agent becomes Not Ready. */
  acceptOffer?: (offer: ClickToDialOffer) => boolean | Promise<boolean>;
  /** How long an event may wait for its acknowledgement, in milliseconds. */
  ackTimeoutMs?: number;
};

/** `replaced`: another softphone of this agent has taken over; `connect()` takes it back. */
export type LineState = 'connecting' | 'connected' | 'reconnecting' | 'replaced' | 'refused' | 'closed';

/** Away for longer, an agent is logged out: Ready again only by the agent's own doing. */
const loggedOutAfterMs = 300_000;

/** About this long after the gateway said that it cannot serve just now. */
const retryAfterMs = 2_000;

/** What a softphone tells its page. */
export type SoftphoneEvents = {
  line: (state: LineState, refusal?: Refusal) => void;
  snapshot: (snapshot: StateSnapshot) => void;
  agent: (agent: AgentStateView) => void;
  call: (call: CallView) => void;
  /** Show this customer. */
  pop: (pop: CrmScreenPop) => void;
  /** Take the pop of this call off the screen: it will not be made. */
  popClosed: (callId: string, reason: string) => void;
  /** Dial now: the click was confirmed and recorded. Comes once per call. */
  dial: (offer: ClickToDialOffer) => void;
};

/** Why the gateway refused an event. */
export class SoftphoneRefusal extends Error {
  readonly code: Refusal['code'];
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.name = 'SoftphoneRefusal';
    this.code = refusal.code;
    this.refusal = refusal;
  }
}

/**
 * An agent's softphone, without a screen and without a telephone: it keeps the line to the gateway, knows the
 * agent's state, call and screen pop, and says when to dial. Pages, tests and integrations build upon it.
 */
export class Softphone extends Emitter<SoftphoneEvents, SoftphoneEvents> {
  readonly #socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  readonly #options: SoftphoneOptions;
  readonly #offers = new OfferBook();
  readonly #shownPops = new Set<string>();
  #nextTry: ReturnType<typeof setTimeout> | undefined;
  #token: string;
  #session: string | undefined;
  #clockOffsetMs = 0;
  /** When the gateway was heard last, by this machine's clock: a machine that slept finds it long ago. */
  #heardAt = 0;
  #line: LineState = 'closed';
  #agent: AgentStateView | null = null;
  #call: CallView | null = null;
  #pop: CrmScreenPop | null = null;

  constructor(options: SoftphoneOptions) {
    super();
    this.#options = options;
    this.#token = options.token;
    this.#session = options.session;
    this.#socket = io(options.url, {
      autoConnect: false,
      transports: ['websocket'],
      reconnectionDelay: 500,
      reconnectionDelayMax: 10_000,
      randomizationFactor: 0.5,
      auth: (present) => present({ token: this.#token, ...(this.#session ? { session: this.#session } : {}) }),
    });
    this.#listen();
  }

  get line(): LineState {
    return this.#line;
  }
  /** Null until the first snapshot. */
  get agent(): AgentStateView | null {
    return this.#agent;
  }
  get call(): CallView | null {
    return this.#call;
  }
  get pop(): CrmScreenPop | null {
    return this.#pop;
  }
  /** Keep it (in the page's session storage) to resume after a reload. */
  get session(): string | undefined {
    return this.#session;
  }

  /**
   * Connects, or takes the softphone back after `replaced`; one that is connected connects anew, which signs in an
   * agent whom a supervisor has logged out. Resolves with the first snapshot.
   */
  connect(): Promise<StateSnapshot> {
    if (this.#line === 'replaced') this.#session = undefined;
    clearTimeout(this.#nextTry);
    this.#line = 'closed';
    this.#socket.disconnect();
    const arrived = new Promise<StateSnapshot>((resolve, reject) => {
      const onSnapshot = (snapshot: StateSnapshot) => {
        this.off('line', onLine);
        resolve(snapshot);
      };
      const onLine = (state: LineState, refusal?: Refusal) => {
        if (state !== 'replaced' && state !== 'refused' && state !== 'closed') return;
        this.off('snapshot', onSnapshot);
        this.off('line', onLine);
        const fallback: Refusal = { code: 'session_replaced', detail: `The line is ${state}.` };
        reject(new SoftphoneRefusal(refusal ?? fallback));
      };
      this.once('snapshot', onSnapshot);
      this.on('line', onLine);
    });
    this.#setLine('connecting');
    this.#socket.connect();
    return arrived;
  }

  /** Ends the connection; the session stays open for the gateway's grace. */
  close(): void {
    clearTimeout(this.#nextTry);
    this.#setLine('closed');
    this.#socket.disconnect();
  }

  /** Goes Ready; during a call, for after it. */
  async setReady(): Promise<AgentStateView> {
    return this.#learn((await this.#ask('set_state', { state: 'ready' })).agent);
  }

  /** Goes Not Ready; during a call, for after it. */
  async setNotReady(reason?: string): Promise<AgentStateView> {
    const answer = await this.#ask('set_state', { state: 'not_ready', ...(reason === undefined ? {} : { reason }) });
    return this.#learn(answer.agent);
  }

  /** Logs the agent out and ends the connection. */
  async signOut(): Promise<void> {
    await this.#ask('set_state', { state: 'offline' });
    this.#session = undefined;
    this.close();
  }

  /** Dials by hand. */
  async startCall(phoneNumber: string): Promise<CallView> {
    return this.#learnCall((await this.#ask('start_call', { phone_number: phoneNumber })).call);
  }

  /** Reports that the telephone rings; the answer holds the caller's record. */
  async incomingCall(phoneNumber: string, displayName?: string): Promise<ClientAnswers['incoming_call']> {
    const payload = { phone_number: phoneNumber, ...(displayName === undefined ? {} : { display_name: displayName }) };
    const answer = await this.#ask('incoming_call', payload);
    this.#learnCall(answer.call);
    return answer;
  }

  /** Reports how the call goes. Safe to repeat. */
  async reportProgress(
    callId: string,
    state: 'ringing' | 'connected' | 'held' | 'ended',
    details: Omit<Parameters<ClientToServerEvents['call_progress']>[0], 'call_id' | 'state'> = {},
  ): Promise<CallView> {
    return this.#learnCall((await this.#ask('call_progress', { call_id: callId, state, ...details })).call);
  }

  /** Wraps a call up. */
  async submitDisposition(
    callId: string,
    disposition: Omit<Parameters<ClientToServerEvents['submit_disposition']>[0], 'call_id'>,
  ): Promise<CallView> {
    return this.#learnCall((await this.#ask('submit_disposition', { call_id: callId, ...disposition })).call);
  }

  /** Gives the line a fresh token before the old one expires; resolves with the new expiry (ISO 8601). */
  async renewToken(token: string): Promise<string> {
    const { expires_at } = await this.#ask('renew_token', { token });
    this.#token = token;
    return expires_at;
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('disconnect', (reason) => {
      // A softphone that was taken over stays passive: it must not sign the agent in again when the other one is gone.
      if (this.#line === 'replaced') socket.disconnect();
      if (this.#line === 'replaced' || this.#line === 'closed') return;
      this.#setLine(reason === 'io server disconnect' ? 'refused' : 'reconnecting');
    });
    socket.on('connect_error', (error) => {
      const refusal = (error as Error & { data?: Refusal }).data;
      const mayPass = refusal === undefined || refusal.code === 'dependency_unavailable';
      this.#setLine(mayPass ? 'reconnecting' : 'refused', refusal);
      // Where the gateway was not reached, socket.io itself tries again.
      if (refusal !== undefined && mayPass) this.#tryAgain();
    });
    socket.io.on('ping', () => (this.#heardAt = Date.now()));
    socket.on('session_replaced', () => this.#setLine('replaced'));
    socket.on('state_snapshot', (snapshot) => void this.#takeSnapshot(snapshot));
    socket.on('agent_state_changed', (agent) => this.#learnState(agent));
    socket.on('call_state_changed', (call) => void this.#learnCall(call));
    socket.on('crm_screen_pop', (pop, acknowledge) => this.#takePop(pop, acknowledge));
    socket.on('click_to_dial', (offer, acknowledge) => void this.#takeOffer(offer, acknowledge));
    socket.on('offer_rescinded', ({ call_id, reason }) => this.#dropOffer(call_id, reason));
  }

  async #takeSnapshot(snapshot: StateSnapshot): Promise<void> {
    const before = this.#agent;
    const awayMs = Date.now() - this.#heardAt;
    const resumes = this.#session === snapshot.session && awayMs < loggedOutAfterMs;
    this.#heardAt = Date.now();
    this.#session = snapshot.session;
    this.#clockOffsetMs = Date.parse(snapshot.server_time) - Date.now();
    this.#agent = snapshot.agent;
    // A pop whose call is over by now was not taken back while the line was down.
    if (this.#pop !== null && this.#pop.call_id !== snapshot.agent.call_id) this.#dropOffer(this.#pop.call_id, 'connection_lost');
    if (snapshot.call !== null) this.#learnCall(snapshot.call);
    else this.#call = null;
    this.#setLine('connected');
    this.emit('snapshot', snapshot);
    this.emit('agent', snapshot.agent);
    if (resumes && before !== null) await this.#reassert(before, snapshot.agent);
  }

  /** A gateway that lost its memory is told what this softphone knows. */
  async #reassert(before: AgentStateView, now: AgentStateView): Promise<void> {
    const wish = forgottenWish(before, now);
    if (wish === null) return;
    try {
      if (wish.state === 'ready') await this.setReady();
      else await this.setNotReady(wish.reason);
    } catch {
      // The agent sees the state and decides.
    }
  }

  #takePop(pop: CrmScreenPop, acknowledge: (ack: OfferAck) => void): void {
    if (this.#isOver(pop.expires_at)) {
      acknowledge({ ok: false, error: { code: 'expired' } });
      return;
    }
    acknowledge({ ok: true });
    if (this.#shownPops.has(pop.pop_id)) return;
    this.#shownPops.add(pop.pop_id);
    this.#pop = pop;
    this.emit('pop', pop);
  }

  async #takeOffer(offer: ClickToDialOffer, acknowledge: (ack: OfferAck) => void): Promise<void> {
    if (this.#isOver(offer.expires_at)) {
      acknowledge({ ok: false, error: { code: 'expired' } });
      return;
    }
    this.#offers.ask(offer);
    const accepted = await this.#decide(offer);
    // It may have been taken back while the agent was asked.
    if (!this.#offers.answer(offer.call_id, accepted)) return;
    acknowledge(accepted ? { ok: true } : { ok: false, error: { code: 'rejected' } });
  }

  /** A page that fails to decide has not accepted. */
  async #decide(offer: ClickToDialOffer): Promise<boolean> {
    try {
      return (await this.#options.acceptOffer?.(offer)) ?? true;
    } catch {
      return false;
    }
  }

  #dropOffer(callId: string, reason: string): void {
    this.#offers.drop(callId);
    if (this.#pop?.call_id === callId) this.#pop = null;
    this.emit('popClosed', callId, reason);
  }

  #learn(agent: AgentStateView): AgentStateView {
    this.#learnState(agent);
    return agent;
  }

  /** Messages may overtake each other; the version tells which is newer. */
  #learnState(agent: AgentStateView): void {
    if (this.#agent !== null && agent.agent_id !== this.#agent.agent_id) return;
    const isOlder = this.#agent !== null && agent.state !== 'offline' && agent.version <= this.#agent.version;
    if (isOlder) return;
    this.#agent = agent;
    if (agent.call_id === null) this.#pop = null;
    this.emit('agent', agent);
  }

  #learnCall(call: CallView): CallView {
    if (!this.#isPast(call)) this.#call = call;
    this.emit('call', call);
    const offer = this.#offers.takeDial(call);
    if (offer !== null) this.emit('dial', offer);
    return call;
  }

  /** Whether the call is over while another lasts, or is told as it was before it ended. */
  #isPast(call: CallView): boolean {
    const known = this.#call;
    if (known === null) return false;
    if (call.id === known.id) return known.state === 'ended' && call.state !== 'ended';
    return known.state !== 'ended' && call.state === 'ended';
  }

  #tryAgain(): void {
    clearTimeout(this.#nextTry);
    this.#nextTry = setTimeout(() => this.#socket.connect(), retryAfterMs * (0.5 + Math.random()));
  }

  #isOver(expiresAt: string): boolean {
    return Date.parse(expiresAt) <= Date.now() + this.#clockOffsetMs;
  }

  #setLine(state: LineState, refusal?: Refusal): void {
    if (this.#line === state) return;
    this.#line = state;
    this.emit('line', state, refusal);
  }

  async #ask<E extends ClientEvent>(
    event: E,
    payload: Parameters<ClientToServerEvents[E]>[0],
  ): Promise<ClientAnswers[E]> {
    const socket = this.#socket.timeout(this.#options.ackTimeoutMs ?? 10_000);
    // socket.io's types cannot follow a generic event name; the contract pairs event, payload and answer.
    const ask = socket.emitWithAck.bind(socket) as (event: E, payload: unknown) => Promise<Ack<ClientAnswers[E]>>;
    const answer = await ask(event, payload);
    if (!answer.ok) throw new SoftphoneRefusal(answer.error);
    return answer;
  }
}
