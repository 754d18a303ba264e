import type net from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { onlyInterimAnswers } from './attemptFailure.ts';
import { InterimAnswers } from './interimAnswers.ts';
import { bareHost } from './webhookUrl.ts';

/** How the other side's end of a connection shows. undici has a code of its own where it was closed in order. */
const goneCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

type Handler = Dispatcher.DispatchHandler;
type Options = Client.Options & { connect: buildConnector.connector };

/**
 * undici's client of one connection at a time, with three more things. A request that met a kept connection which the
 * receiver was closing goes once more, at once and on a new connection: nobody is at fault. Only where it may be
 * repeated (`idempotent`), and not one byte of an answer came. Interim answers are skipped. And answers are not paused.
 * undici itself repeats nothing that it has begun to write.
 */
export class PatientClient extends Client {
  readonly #wire: Wire;

  constructor(origin: string | URL, { connect, ...options }: Options) {
    const wire = new Wire();
    super(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...opened) => {
          if (opened[1] !== null) wire.opened(opened[1], bareHost(target.hostname));
          callback(...opened);
        }),
    });
    this.#wire = wire;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    const { method, idempotent = method === 'GET' || method === 'HEAD' } = options;
    let isRepeated = false;
    const patient = new PatientHandler(handler, {
      begins: () => this.#wire.begins(),
      repeats: (error) => {
        if (!idempotent || isRepeated || this.closed || this.destroyed || !this.#wire.wasGone(error)) return false;
        isRepeated = true;
        // Not by the pool: another of its kept connections may be closed as well. This client's next one is new.
        super.dispatch(options, patient);
        return true;
      },
    });
    return super.dispatch(options, patient);
  }
}

type Notes = {
  begins: () => void;
  /** Whether it goes once more instead of failing. */ repeats: (error: Error) => boolean;
};

/** Passes everything on, in the form in which pools hand it down, and notes when an exchange begins and fails. */
class PatientHandler implements Handler {
  readonly #handler: Handler;
  readonly #notes: Notes;

  constructor(handler: Handler, notes: Notes) {
    this.#handler = handler;
    this.#notes = notes;
  }

  onConnect(...given: Parameters<NonNullable<Handler['onConnect']>>) {
    this.#notes.begins();
    this.#handler.onConnect?.(...given);
  }
  onUpgrade(...given: Parameters<NonNullable<Handler['onUpgrade']>>) {
    this.#handler.onUpgrade?.(...given);
  }
  onHeaders(...given: Parameters<NonNullable<Handler['onHeaders']>>) {
    return this.#handler.onHeaders?.(...given) ?? true;
  }
  onData(...given: Parameters<NonNullable<Handler['onData']>>) {
    this.#handler.onData?.(...given);
    // Never paused: undici 7 throws out of a socket, and so ends the process, where the connection of an answer ends
    // that is paused (nodejs/undici#5360; 8, which does not, needs a newer Node). Whoever reads bounds what it reads.
    return true;
  }
  onComplete(...given: Parameters<NonNullable<Handler['onComplete']>>) {
    this.#handler.onComplete?.(...given);
  }
  onError(error: Error) {
    if (!this.#notes.repeats(error)) this.#handler.onError?.(error);
  }
}

/** The connection that a client has at the moment. */
class Wire {
  #exchanges = 0;
  #isAnswered = false;
  #interim = new InterimAnswers();

  /** Reads along on a new connection. */
  opened(socket: net.Socket, host: string): void {
    const interim = new InterimAnswers();
    this.#exchanges = 0;
    this.#interim = interim;
    const push = socket.push.bind(socket);
    socket.push = (chunk: Uint8Array | null) => {
      if (chunk === null) {
        const held = interim.end();
        if (held.length > 0) push(held);
        return push(null);
      }
      // Of the connection before nothing more is of interest.
      if (interim === this.#interim) this.#isAnswered = true;
      const left = interim.take(chunk);
      if (left === null) {
        socket.destroy(onlyInterimAnswers(host));
        return false;
      }
      return left.length === 0 || push(left);
    };
  }

  begins(): void {
    this.#exchanges += 1;
    this.#isAnswered = false;
    this.#interim.begin();
  }

  /** Whether a failed exchange met a kept connection that the other side was closing. */
  wasGone(error: Error): boolean {
    return this.#exchanges > 1 && !this.#isAnswered && 'code' in error && goneCodes.has(error.code);
  }
}
