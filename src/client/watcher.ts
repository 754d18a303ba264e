import { Emitter } from '@socket.io/component-emitter';
import { io, type Socket } from 'socket.io-client';
import type { AgentStateView } from '../contract/agents.ts';
import type { ClickTally, LiveCall } from '../contract/live.ts';
import type { Ack, ClientAnswers, ClientToServerEvents, Refusal, ServerToClientEvents } from '../contract/socket.ts';
import type { ListeningMode } from '../contract/vocabulary.ts';
import { SoftphoneRefusal } from './refusal.ts';
import { delayAfterGoodbye, delayWhenUnavailable, retryDelay } from './retryDelay.ts';
import { ClickTallies, VersionedCollection } from './watcherLists.ts';

export type WatcherOptions = {
  /** Where the gateway is, e.g. `https://gateway.example.com`. */
  url: string;
  /** A supervisor's or an admin's, from `POST /api/auth/login`. */
  token: string;
};

/** `refused`: by the gateway's own word; `connect()` tries again. */
export type WatcherState = 'connecting' | 'connected' | 'reconnecting' | 'refused' | 'closed';

/** What a watcher tells its page. Lists come after each connect and replace all that was told before. */
export type WatcherEvents = {
  line: (state: WatcherState, refusal?: Refusal) => void;
  /**
   * Everyone who is not offline. `serverTime`: now by the gateway's clock (ISO 8601); null: it does not tell.
   * `teamIds`: the teams whose agents those are; null: everybody. Comes again, with calls and clicks, when the
   * supervisor sees others: those alone from then on.
   */
  agents: (agents: AgentStateView[], serverTime: string | null, teamIds: string[] | null) => void;
  /** One agent has changed; `offline`: has left. */
  agent: (agent: AgentStateView) => void;
  /** The calls that last. */
  calls: (calls: LiveCall[]) => void;
  /** One call has begun or changed; `ended`: is over. */
  call: (call: LiveCall) => void;
  /** The clicks of the last 48 hours in order of time, at each change; quarters without a click are left out. */
  clicks: (tallies: ClickTally[]) => void;
  /** The company's settings have changed, e.g. its reasons; changes while disconnected are not told. */
  settingsChanged: () => void;
};

type WatchSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

/** Enough even when a gateway takes thousands of connections at once. Milliseconds. */
const openWithinMs = 20_000;
const answerWithinMs = 10_000;

/**
 * A supervisor's view of the company: its agents, calls and clicks as they change. Stays connected to the gateway, and
 * puts overtaken messages right.
 */
export class Watcher extends Emitter<WatcherEvents, WatcherEvents> {
  readonly #url: string;
  #token: string;
  #state: WatcherState = 'closed';
  #refusedFor: Refusal['code'] | undefined;
  #socket: WatchSocket | null = null;
  #opening: ReturnType<typeof setTimeout> | undefined;
  #nextTry: ReturnType<typeof setTimeout> | undefined;
  #failedTries = 0;
  readonly #agents = new VersionedCollection<AgentStateView>({
    idOf: (agent) => agent.agent_id,
    isNewer: isNewerState,
    isOver: (agent) => agent.state === 'offline',
  });
  readonly #calls = new VersionedCollection<LiveCall>({
    idOf: (call) => call.id,
    isNewer: (call, known) => call.version > known.version,
    isOver: (call) => call.state === 'ended',
  });
  readonly #clicks = new ClickTallies();

  constructor({ url, token }: WatcherOptions) {
    super();
    this.#url = url;
    this.#token = token;
  }

  get line(): WatcherState {
    return this.#state;
  }

  /** Connects, or connects anew. */
  connect(): void {
    this.#drop();
    this.#failedTries = 0;
    this.#become('connecting');
    this.#open();
  }

  /** Ends the connection. */
  close(): void {
    this.#drop();
    this.#become('closed');
  }

  /**
   * Hands in a fresh token before the old one expires; while disconnected, the next connection presents it.
   * Throws SoftphoneRefusal.
   */
  async renewToken(token: string): Promise<void> {
    this.#token = token;
    const socket = this.#socket;
    if (socket === null || this.#state !== 'connected') return;
    const answer: Ack<ClientAnswers['renew_token']> = await socket
      .timeout(answerWithinMs)
      .emitWithAck('renew_token', { token });
    if (!answer.ok) throw new SoftphoneRefusal(answer.error);
  }

  /**
   * Asks to be in an agent's call. The answer holds the SDP offer of the agent's page: hand in the answer to it.
   * Ends with this connection at the latest. Throws SoftphoneRefusal.
   */
  async startListening(
    agentId: string,
    callId: string,
    mode: ListeningMode,
  ): Promise<ClientAnswers['start_listening']> {
    return this.#ask('start_listening', { agent_id: agentId, call_id: callId, mode });
  }

  /** @param sdp the answer, with all candidates */
  async answerListening(listenId: string, sdp: string): Promise<void> {
    await this.#ask('answer_listening', { listen_id: listenId, sdp });
  }

  async changeListening(listenId: string, mode: ListeningMode): Promise<void> {
    await this.#ask('change_listening', { listen_id: listenId, mode });
  }

  async stopListening(listenId: string): Promise<void> {
    await this.#ask('stop_listening', { listen_id: listenId });
  }

  async #ask<E extends `${string}_listening` & keyof ClientAnswers>(
    event: E,
    payload: Parameters<ClientToServerEvents[E]>[0],
  ): Promise<ClientAnswers[E]> {
    const socket = this.#socket;
    if (socket === null || this.#state !== 'connected')
      throw new SoftphoneRefusal({ code: 'dependency_unavailable', detail: 'The gateway is not connected.' });
    // socket.io's types cannot follow a generic event name; the contract pairs event, payload and answer.
    const emit = socket.timeout(answerWithinMs).emitWithAck.bind(socket.timeout(answerWithinMs)) as unknown as (
      event: E,
      payload: unknown,
    ) => Promise<Ack<ClientAnswers[E]>>;
    const answer = await emit(event, payload);
    if (!answer.ok) throw new SoftphoneRefusal(answer.error);
    return answer;
  }

  #open(): void {
    let presented = this.#token;
    let isClosing = false;
    const socket: WatchSocket = io(this.#url, {
      forceNew: true,
      autoConnect: false,
      // This class tries again itself: its waits are spread, so that watchers do not come back all at once.
      reconnection: false,
      transports: ['websocket'],
      timeout: openWithinMs,
      auth: (present) => {
        presented = this.#token;
        present({ token: presented, watch: true });
      },
    });
    this.#socket = socket;
    this.#agents.expectSnapshot();
    this.#calls.expectSnapshot();
    this.#clicks.expectSnapshot();
    this.#opening = setTimeout(() => this.#retry(retryDelay(this.#failedTries++)), openWithinMs);
    socket.on('connect_error', (error) => this.#fail((error as Error & { data?: Refusal }).data));
    socket.on('disconnect', (reason) => {
      if (reason === 'io server disconnect') this.#refuse();
      else this.#retry(isClosing ? delayAfterGoodbye() : retryDelay(this.#failedTries++));
    });
    // Other gateways serve already; this view may be stale for a moment.
    socket.on('gateway_closing', () => {
      isClosing = true;
      this.#retry(delayAfterGoodbye());
    });
    socket.on('agents_snapshot', ({ agents, server_time, team_ids }) => {
      this.#begin(presented);
      this.#agents.replace(agents);
      this.emit('agents', this.#agents.all, server_time ?? null, team_ids ?? null);
    });
    socket.on('agent_state_changed', (agent) => {
      if (this.#agents.learn(agent)) this.emit('agent', agent);
    });
    socket.on('calls_snapshot', ({ calls }) => {
      this.#calls.replace(calls);
      this.emit('calls', this.#calls.all);
    });
    socket.on('live_call_changed', (call) => {
      if (this.#calls.learn(call)) this.emit('call', call);
    });
    socket.on('clicks_snapshot', ({ tallies }) => {
      this.#clicks.replace(tallies);
      this.emit('clicks', this.#clicks.all);
    });
    socket.on('clicks_changed', ({ tallies }) => {
      this.#clicks.learn(tallies);
      this.emit('clicks', this.#clicks.all);
    });
    socket.on('settings_changed', () => void this.emit('settingsChanged'));
    socket.connect();
  }

  /** @param presented the token with which this connection was opened; it may have been renewed meanwhile */
  #begin(presented: string): void {
    clearTimeout(this.#opening);
    this.#failedTries = 0;
    this.#become('connected');
    if (presented === this.#token) return;
    this.renewToken(this.#token).catch(() => {
      // The gateway closes the connection when the token expires, and the page is told.
    });
  }

  #fail(refusal: Refusal | undefined): void {
    if (refusal === undefined) this.#retry(retryDelay(this.#failedTries++));
    else if (refusal.code === 'dependency_unavailable') this.#retry(delayWhenUnavailable(), refusal);
    else this.#refuse(refusal);
  }

  #refuse(refusal?: Refusal): void {
    this.#drop();
    this.#become('refused', refusal);
  }

  #retry(delayMs: number, refusal?: Refusal): void {
    this.#drop();
    this.#nextTry = setTimeout(() => this.#open(), delayMs);
    this.#become('reconnecting', refusal);
  }

  #drop(): void {
    clearTimeout(this.#opening);
    clearTimeout(this.#nextTry);
    const socket = this.#socket;
    this.#socket = null;
    socket?.off();
    socket?.disconnect();
  }

  #become(state: WatcherState, refusal?: Refusal): void {
    if (this.#state === state && this.#refusedFor === refusal?.code) return;
    this.#state = state;
    this.#refusedFor = refusal?.code;
    this.emit('line', state, refusal);
  }
}

/** The gateways' clocks differ by less, and nobody is logged out and in again within it. Milliseconds. */
const skewMs = 250;

/** By the version; but an agent who was logged out begins again at a low one, later than all that was before. */
function isNewerState(agent: AgentStateView, known: AgentStateView): boolean {
  const later = sinceOf(agent) - sinceOf(known);
  const isBack = known.state === 'offline' && agent.state !== 'offline' && later >= 0;
  if (isBack || Math.abs(later) > skewMs) return later >= 0;
  return agent.version > known.version;
}

function sinceOf({ since }: AgentStateView): number {
  return since === null ? 0 : Date.parse(since);
}
