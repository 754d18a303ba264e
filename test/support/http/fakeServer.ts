import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request as a fake heard it. */
export type Heard = {
  method: string;
  /** With the query, as sent. */
  path: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
};

export type Answer = { status: number; headers?: Record<string, string>; body: string };

/** What goes wrong with one request. */
export type Fault =
  /** This comes instead of what the fake would have answered; nothing was done. */
  | { kind: 'answer'; answer: Answer }
  /** It answers as if something else was asked for: `asked` is read as `instead` wherever it stands. */
  | { kind: 'mistakes'; asked: string; instead: string }
  /** No answer comes until the fake is closed. */
  | { kind: 'hang' }
  /** It was done, and no answer comes until the fake is closed. */
  | { kind: 'hang_after_commit' }
  /** The connection breaks before anything was done. */
  | { kind: 'reset' }
  /** It was done, and the connection breaks before the answer. */
  | { kind: 'reset_after_commit' }
  /** The answer ends in its middle. */
  | { kind: 'truncated' };

type Pages = (request: Heard) => Promise<Answer | null> | Answer | null;

/** Somebody else's server, on this machine. Subclasses answer; what goes wrong, and when, is decided here. */
export abstract class FakeServer {
  /** All that was asked, in order. */
  readonly heard: Heard[] = [];
  readonly #faults: { fault: Fault; matches: (request: Heard) => boolean; lasts: boolean }[] = [];
  #pages: Pages | null = null;
  readonly #server: Server;

  protected constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    // Whoever resets a connection is a part of the tests.
    this.#server.on('clientError', (_error, socket) => socket.destroy());
    this.#server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  /** Starts to listen on a free port of this machine. */
  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  /** Where it is; every address of the provider is replaced by this one. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /**
   * Answers people who look at it with a browser, as far as it does not return null;
   * those are not among what was heard.
   */
  servePages(pages: Pages): void {
    this.#pages = pages;
  }

  /** The next request that matches meets the fault; later ones, and others, do not. */
  failNext(fault: Fault, matches: (request: Heard) => boolean = () => true): void {
    this.#faults.push({ fault, matches, lasts: false });
  }

  /** Every request that matches meets the fault, until the result is called. */
  failAll(fault: Fault, matches: (request: Heard) => boolean = () => true): () => void {
    const all = { fault, matches, lasts: true };
    this.#faults.push(all);
    return () => void this.#faults.splice(this.#faults.indexOf(all), 1);
  }

  /** Somebody wants a WebSocket; here nobody gets one. */
  protected upgrade(_request: IncomingMessage, socket: Duplex, _head: Buffer): void {
    socket.destroy();
  }

  protected abstract answer(request: Heard): Answer | Promise<Answer>;

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const heard = await hear(request, this.url);
    const page = (await this.#pages?.(heard)) ?? null;
    if (page !== null) return void response.writeHead(page.status, page.headers).end(page.body);
    this.heard.push(heard);
    const index = this.#faults.findIndex(({ matches }) => matches(heard));
    const met = this.#faults[index];
    if (met !== undefined && !met.lasts) this.#faults.splice(index, 1);
    const fault = met?.fault ?? null;
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'reset') return void request.socket.resetAndDestroy();
    const {
      status,
      headers = {},
      body,
    } = fault?.kind === 'answer'
      ? fault.answer
      : await this.answer(fault?.kind === 'mistakes' ? mistaken(heard, fault) : heard);
    if (fault?.kind === 'hang_after_commit') return;
    if (fault?.kind === 'reset_after_commit') return void request.socket.resetAndDestroy();
    const whole = Buffer.from(body);
    response.writeHead(status, { ...headers, 'content-length': whole.length });
    if (fault?.kind !== 'truncated') return void response.end(whole);
    response.write(whole.subarray(0, whole.length / 2), () => request.socket.destroy());
  }
}

async function hear(request: IncomingMessage, origin: string): Promise<Heard> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = request.url ?? '/';
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return {
    method: request.method ?? 'GET',
    path,
    url: new URL(path, origin),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function mistaken(heard: Heard, { asked, instead }: { asked: string; instead: string }): Heard {
  const read = (text: string) => text.replaceAll(asked, instead);
  return { ...heard, path: read(heard.path), url: new URL(read(heard.url.href)), body: read(heard.body) };
}

/** A JSON answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** The page of a proxy or of a system in maintenance. */
export function html(status: number, text: string): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html' },
    body: `<!DOCTYPE html><html><body><h1>${text}</h1></body></html>`,
  };
}
