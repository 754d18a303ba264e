import { io, type Socket } from 'socket.io-client';
import type {
  Ack,
  ClientAnswers,
  ClientEvent,
  ClientToServerEvents,
  GatewayClosing,
  HandshakeAuth,
  OfferAck,
  Refusal,
  ServerToClientEvents,
  StateSnapshot,
} from '../contract/socket.ts';

/** Events about agent and calls, whichever connection they come on. */
export type Incoming = Pick<
  ServerToClientEvents,
  | 'agent_state_changed'
  | 'call_state_changed'
  | 'crm_screen_pop'
  | 'click_to_dial'
  | 'listener_answered'
  | 'listener_changed'
  | 'listener_joins'
  | 'listener_left'
  | 'message_closed'
  | 'message_posted'
  | 'offer_rescinded'
  | 'settings_changed'
  | 'task_due'
  | 'task_closed'
  | 'transfer_ended'
  | 'transfer_offer'
>;

/** `lost`: broken, or never reached. `refused`: by the gateway's own word. */
export type ConnectionEnd = { kind: 'lost' } | { kind: 'refused'; refusal?: Refusal };

/** Told what becomes of a connection; nothing after `close()`. */
export type ConnectionListener = {
  /** The gateway was reached; `open()` was not called yet. */
  onReached: (connection: Connection) => void;
  onSnapshot: (connection: Connection, snapshot: StateSnapshot) => void;
  /** The gateway was heard. */
  onSign: (connection: Connection) => void;
  onClosing: (connection: Connection, closing: GatewayClosing) => void;
  onReplaced: (connection: Connection) => void;
  /** Once, at the end. */
  onEnd: (connection: Connection, end: ConnectionEnd) => void;
};

/** What came of an event that was sent. */
export type AskOutcome<E extends ClientEvent> =
  | { kind: 'answered'; ack: Ack<ClientAnswers[E]> }
  | { kind: 'broken'; error: Error }
  | { kind: 'timed_out'; error: Error };

/** Enough even when a gateway takes thousands of softphones at once. Milliseconds. */
const openWithinMs = 20_000;
/** An offer not acknowledged by then is over. Milliseconds. */
const offerLastsMs = 3_000;

/** One connection to a gateway, from its opening to its end. It is never reopened. */
export class Connection {
  /** What it was, or will be, opened with. */
  token = '';
  /** The softphone is leaving it for another one. */
  isLeft = false;
  /** The gateway has said that it will close. */
  isClosing = false;
  readonly #socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  readonly #listener: ConnectionListener;
  #opening: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #asked = 0;
  /** Offers not acknowledged yet, and since when. */
  readonly #owed = new Map<object, { callId: string; since: number }>();
  #onQuiet: (() => void) | null = null;
  #quietTimer: ReturnType<typeof setTimeout> | undefined;
  /**
   * For a connection that ends after it was reached and before it was opened;
   * afterwards the socket tells, with the reason.
   */
  readonly #onLostAhead = () => this.#end({ kind: 'lost' });

  /** @param auth read when the session is opened */
  constructor(url: string, auth: () => HandshakeAuth, incoming: Incoming, listener: ConnectionListener) {
    this.#listener = listener;
    this.#socket = io(url, {
      forceNew: true,
      autoConnect: false,
      // GatewayConnection tries again itself: its waits are spread, so that softphones do not come back all at once.
      reconnection: false,
      transports: ['websocket'],
      timeout: openWithinMs,
      auth: (present) => {
        const given = auth();
        this.token = given.token;
        present(given);
      },
    });
    this.#listen(incoming);
  }

  /** Connects to a gateway without opening the session there yet. */
  reach(): void {
    this.#socket.io.open((error) => {
      if (this.#isOver) return;
      if (error === undefined) this.#listener.onReached(this);
      else this.#end({ kind: 'lost' });
    });
  }

  /** Opens the session; the gateway answers with a snapshot. */
  open(): void {
    this.#socket.io.off('close', this.#onLostAhead);
    this.#opening = setTimeout(() => this.#end({ kind: 'lost' }), openWithinMs);
    this.#socket.connect();
  }

  /** Sends an event. The outcome comes once; after `close()` it is `broken`. */
  ask<E extends ClientEvent>(
    event: E,
    payload: unknown,
    withinMs: number,
    onOutcome: (outcome: AskOutcome<E>) => void,
  ): void {
    const socket = this.#socket.timeout(withinMs);
    // socket.io's types cannot follow a generic event name; the contract pairs event, payload and answer.
    const emit = socket.emit.bind(socket) as unknown as (
      event: E,
      payload: unknown,
      acknowledge: (error: Error | null, ack: Ack<ClientAnswers[E]>) => void,
    ) => void;
    this.#asked += 1;
    emit(event, payload, (error, ack) => {
      this.#asked -= 1;
      if (error === null) onOutcome({ kind: 'answered', ack });
      else onOutcome({ kind: this.#socket.connected ? 'timed_out' : 'broken', error });
      this.#lookForQuiet();
    });
  }

  /** Calls back when no answer and no acknowledgement is due on it, after `withinMs` (milliseconds) at the latest. */
  whenQuiet(withinMs: number, act: () => void): void {
    clearTimeout(this.#quietTimer);
    this.#quietTimer = setTimeout(() => this.#onQuiet?.(), withinMs);
    this.#onQuiet = () => {
      clearTimeout(this.#quietTimer);
      this.#onQuiet = null;
      act();
    };
    this.#lookForQuiet();
  }

  /** Ends it as broken, even if the transport takes it for alive. */
  giveUp(): void {
    this.#end({ kind: 'lost' });
  }

  /** Ends it without telling the listener. */
  close(): void {
    this.#isOver = true;
    clearTimeout(this.#opening);
    clearTimeout(this.#quietTimer);
    this.#onQuiet = null;
    this.#socket.disconnect();
  }

  #end(end: ConnectionEnd): void {
    if (this.#isOver) return;
    this.close();
    this.#listener.onEnd(this, end);
  }

  #listen(incoming: Incoming): void {
    const socket = this.#socket;
    const listener = this.#listener;
    const tell = (act: () => void) => {
      if (!this.#isOver) act();
    };
    socket.on('disconnect', (reason) => this.#end({ kind: reason === 'io server disconnect' ? 'refused' : 'lost' }));
    socket.on('connect_error', (error) => {
      const refusal = (error as Error & { data?: Refusal }).data;
      this.#end(refusal === undefined ? { kind: 'lost' } : { kind: 'refused', refusal });
    });
    socket.io.on('close', this.#onLostAhead);
    socket.io.on('ping', () => tell(() => listener.onSign(this)));
    socket.on('state_snapshot', (snapshot) => {
      clearTimeout(this.#opening);
      tell(() => listener.onSnapshot(this, snapshot));
    });
    socket.on('session_replaced', () => {
      clearTimeout(this.#opening);
      tell(() => listener.onReplaced(this));
    });
    socket.on('gateway_closing', (closing) => {
      this.isClosing = true;
      tell(() => listener.onClosing(this, closing));
    });
    socket.on('agent_state_changed', incoming.agent_state_changed);
    socket.on('call_state_changed', incoming.call_state_changed);
    socket.on('settings_changed', incoming.settings_changed);
    socket.on('task_due', incoming.task_due);
    socket.on('task_closed', incoming.task_closed);
    socket.on('message_posted', incoming.message_posted);
    socket.on('message_closed', incoming.message_closed);
    socket.on('crm_screen_pop', incoming.crm_screen_pop);
    socket.on('click_to_dial', (offer, acknowledge) =>
      incoming.click_to_dial(offer, this.#owe(offer.call_id, acknowledge)),
    );
    socket.on('transfer_offer', (offer, acknowledge) =>
      incoming.transfer_offer(offer, this.#owe(offer.call_id, acknowledge)),
    );
    socket.on('transfer_ended', incoming.transfer_ended);
    socket.on('listener_joins', incoming.listener_joins);
    socket.on('listener_answered', incoming.listener_answered);
    socket.on('listener_changed', incoming.listener_changed);
    socket.on('listener_left', incoming.listener_left);
    socket.on('offer_rescinded', (rescinded) => {
      for (const [debt, { callId }] of this.#owed) if (callId === rescinded.call_id) this.#owed.delete(debt);
      incoming.offer_rescinded(rescinded);
      this.#lookForQuiet();
    });
  }

  #owe(callId: string, acknowledge: (ack: OfferAck) => void): (ack: OfferAck) => void {
    this.#owed.set(acknowledge, { callId, since: performance.now() });
    return (ack) => {
      acknowledge(ack);
      this.#owed.delete(acknowledge);
      this.#lookForQuiet();
    };
  }

  #lookForQuiet(): void {
    const now = performance.now();
    const owes = [...this.#owed.values()].some(({ since }) => now - since < offerLastsMs);
    if (this.#asked === 0 && !owes) this.#onQuiet?.();
  }
}
