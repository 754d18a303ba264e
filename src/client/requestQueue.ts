import type { Ack, ClientAnswers, ClientEvent } from '../contract/socket.ts';
import type { Connection } from './connection.ts';

/** Safe to send twice. Whether anything else that was never answered is sent again, its sender must decide. */
const repeatable: ReadonlySet<ClientEvent> = new Set<ClientEvent>([
  'set_state',
  'call_progress',
  'renew_token',
  'read_settings',
  'read_time',
  'extend_wrap_up',
  'cancel_transfer',
  'acknowledge_message',
]);

type PendingRequest<E extends ClientEvent = ClientEvent> = {
  event: E;
  payload: unknown;
  /** By the steady clock, in milliseconds. */
  until: number;
  resolve: (ack: Ack<ClientAnswers[E]>) => void;
  reject: (error: Error) => void;
};

/**
 * Requests on their way to the gateway. Without a connection they wait for the next one, in the order sent. A request
 * that was not finished on a connection that is left for another is sent again on the new one.
 */
export class RequestQueue {
  #through: Connection | null = null;
  #held = new Set<() => void>();

  /** From now on requests wait. */
  hold(): void {
    this.#through = null;
  }

  /** Requests go this way, those that wait first. */
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

  #dispatch<E extends ClientEvent>(request: PendingRequest<E>): void {
    const connection = this.#through;
    if (connection === null) return this.#wait(request);
    connection.ask(request.event, request.payload, Math.max(request.until - performance.now(), 1), (outcome) => {
      if (outcome.kind === 'answered') {
        // The new connection had the session already, so the gateway did nothing.
        if (connection.isLeft && wasTooLate(outcome.ack)) this.#dispatch(request);
        else request.resolve(outcome.ack);
      } else if (outcome.kind === 'broken' && connection.isLeft && repeatable.has(request.event))
        this.#dispatch(request);
      else request.reject(outcome.error);
    });
  }

  #wait<E extends ClientEvent>(request: PendingRequest<E>): void {
    const send = () => {
      clearTimeout(timer);
      this.#dispatch(request);
    };
    const timer = setTimeout(() => {
      this.#held.delete(send);
      request.reject(new Error('operation has timed out'));
    }, request.until - performance.now());
    this.#held.add(send);
  }
}

function wasTooLate(ack: Ack): boolean {
  return !ack.ok && ack.error.code === 'session_replaced';
}
