import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { z } from 'zod';
import { comes } from '../../support/time/pace.ts';
import type { Ledger } from '../ledger.ts';

/** How an endpoint answers: at once; after a while; now and then with 500, until the same delivery comes again. */
export type Manner = 'prompt' | 'slow' | 'flaky';

const slowestAnswerMs = 300;
/** Every so many deliveries a flaky endpoint refuses one; every so many of those it refuses twice. */
const refusesEvery = 7;
const refusesTwiceEvery = 3;

/** `closedAt`: when the other end went away. Times as of `Ledger.now`. */
export type Connection = { closedAt: number | null };

/** One attempt as it reached an endpoint. `wallClock`: milliseconds since the epoch, for reading its time stamp. */
export type Arrival = {
  at: number;
  wallClock: number;
  deliveryId: string;
  callId: string | null;
  sequence: number | null;
  headers: IncomingHttpHeaders;
  raw: string;
  connection: Connection;
  /** Null: it never was answered. */
  answer: { status: number; at: number } | null;
};

const callEvent = z.object({ data: z.object({ call_id: z.uuid().nullish(), sequence: z.int().nullish() }) });

/** A company's endpoint that notes everything, and holds its answers back when the test wants it. */
export class Target {
  readonly name: string;
  readonly arrivals: Arrival[] = [];
  /** The most attempts that were ever unanswered at once. */
  mostAtOnce = 0;
  readonly #manner: Manner;
  readonly #ledger: Ledger;
  readonly #server = http.createServer((request, response) => this.#take(request, response));
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #atOnce = new Set<Arrival>();
  readonly #refusals = new Map<string, number>();
  readonly #watchers = new Set<() => void>();
  #held: { arrival: Arrival; answer: () => void }[] | null = null;
  #seen = 0;

  private constructor(name: string, manner: Manner, ledger: Ledger) {
    this.name = name;
    this.#manner = manner;
    this.#ledger = ledger;
    // Only the gateway ends a connection, so that its end tells of the gateway's.
    this.#server.keepAliveTimeout = 0;
  }

  static async open(name: string, manner: Manner, ledger: Ledger): Promise<Target> {
    const target = new Target(name, manner, ledger);
    await new Promise<void>((resolve) => target.#server.listen(0, '127.0.0.1', resolve));
    return target;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** What is held back and still waited for. */
  get held(): readonly Arrival[] {
    return (this.#held ?? []).map(({ arrival }) => arrival).filter(({ connection }) => connection.closedAt === null);
  }

  /** From now on nothing is answered. */
  hold(): void {
    this.#held ??= [];
  }

  /** Answers what was held back, as far as anybody still listens, and all that comes. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const { answer } of held) answer();
  }

  /** Resolves when it comes true; it is looked at whenever something arrives. */
  async until(comesTrue: () => boolean): Promise<void> {
    const watch = (tell: () => void) => {
      this.#watchers.add(tell);
      return () => void this.#watchers.delete(tell);
    };
    await comes(
      () => comesTrue() || undefined,
      watch,
      () => `nothing that was waited for arrived at the ${this.name} endpoint`,
    );
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const arrival = this.#note(request, Buffer.concat(chunks).toString());
      const answer = () => this.#answer(arrival, response);
      if (this.#held !== null) this.#held.push({ arrival, answer });
      else if (this.#manner === 'slow') setTimeout(answer, Math.random() * slowestAnswerMs);
      else answer();
      for (const look of this.#watchers) look();
    });
  }

  #note({ headers, socket }: http.IncomingMessage, raw: string): Arrival {
    const { call_id: callId = null, sequence = null } = callEvent.parse(JSON.parse(raw)).data;
    const connection = this.#connectionOf(socket);
    const deliveryId = String(headers['x-service-delivery']);
    const arrival = {
      at: this.#ledger.now(),
      wallClock: Date.now(),
      deliveryId,
      callId,
      sequence,
      headers,
      raw,
      connection,
      answer: null,
    };
    this.arrivals.push(arrival);
    this.#atOnce.add(arrival);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce.size);
    return arrival;
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { closedAt: null };
    const closed = () => {
      connection.closedAt ??= this.#ledger.now();
      for (const arrival of this.#atOnce) if (arrival.connection === connection) this.#atOnce.delete(arrival);
    };
    socket.once('end', closed);
    socket.once('close', closed);
    this.#connections.set(socket, connection);
    return connection;
  }

  #answer(arrival: Arrival, response: http.ServerResponse): void {
    if (arrival.connection.closedAt !== null) return;
    const status = this.#statusFor(arrival);
    arrival.answer = { status, at: this.#ledger.now() };
    this.#atOnce.delete(arrival);
    response.writeHead(status).end();
  }

  #statusFor({ deliveryId }: Arrival): number {
    if (this.#manner !== 'flaky') return 204;
    const left = this.#refusals.get(deliveryId) ?? this.#refusalsOfNext();
    this.#refusals.set(deliveryId, Math.max(0, left - 1));
    return left > 0 ? 500 : 204;
  }

  #refusalsOfNext(): number {
    this.#seen += 1;
    if (this.#seen % refusesEvery !== 0) return 0;
    return this.#seen % (refusesEvery * refusesTwiceEvery) === 0 ? 2 : 1;
  }
}
