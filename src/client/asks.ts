import type { Ack, ClientAnswers, ClientEvent } from '../contract/socket.ts';
import type { Connection } from './connection.ts';

/** Twice the same changes nothing; what else was sent and never answered must be decided by whoever sent it. */
const repeatable: ReadonlySet<ClientEvent> = new Set<ClientEvent>([
  'set_state',
  'call_progress',
  'renew_token',
  'read_settings',
  'read_time',
  'extend_wrap_up',
]);

type Asked<E extends ClientEvent = ClientEvent> = {
  event: E;
  payload: unknown;
  /** By the steady clock, in milliseconds. */
  until: number;
  resolve: (ack: Ack<ClientAnswers[E]>) => void;
  reject: (error: Error) => void;
};

/**
 * The events on their way to the gateway. Without a connection they wait for the next one, in the order sent. What was
 * sent on a connection that is left for another one, and did not come to its end there, is sent again on that one.
 */
export class Asks {
  #through: Connection | null = null;
  #held = new Set<() => void>();

  /** From now on events wait. */
  hold(): void {
    this.#through = null;
  }

  /** Events go this way, those that wait first. */
  release(connection: Connection): void {
    this.#through = connection;
    const held = [...this.#held];
    this.#held.clear();
    for (const send of held) send();
  }

  /** Sends an event; rejects with a plain error when it is not answered in time, or the connection breaks. */
  send<E extends ClientEvent>(event: E, payload: unknown, withinMs: number): Promise<Ack<ClientAnswers[E]>> {
    return new Promise((resolve, reject) => {
      this.#dispatch({ event, payload, until: performance.now() + withinMs, resolve, reject });
    });
  }

  #dispatch<E extends ClientEvent>(asked: Asked<E>): void {
    const connection = this.#through;
    if (connection === null) return this.#wait(asked);
    connection.ask(asked.event, asked.payload, Math.max(asked.until - performance.now(), 1), (outcome) => {
      if (outcome.kind === 'answered') {
        // The other connection has the session by now; nothing was done.
        if (connection.isLeft && wasTooLate(outcome.ack)) this.#dispatch(asked);
        else asked.resolve(outcome.ack);
      } else if (outcome.kind === 'broken' && connection.isLeft && repeatable.has(asked.event)) this.#dispatch(asked);
      else asked.reject(outcome.error);
    });
  }

  #wait<E extends ClientEvent>(asked: Asked<E>): void {
    const send = () => {
      clearTimeout(timer);
      this.#dispatch(asked);
    };
    const timer = setTimeout(() => {
      this.#held.delete(send);
      asked.reject(new Error('operation has timed out'));
    }, asked.until - performance.now());
    this.#held.add(send);
  }
}

function wasTooLate(ack: Ack): boolean {
  return !ack.ok && ack.error.code === 'session_replaced';
}
