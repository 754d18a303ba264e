// Where webhooks go: plain servers that answer 204, remember what came when, and can leave a request hanging.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { instant } from '../measure/instant.ts';
import { serveVerbs } from '../worker.ts';
import { deferred } from './deferred.ts';
import { hangingPath, thinkingMs, thinkingPath } from './receiverPaths.ts';

/** One entry per request that was answered. */
export type Arrivals = {
  /** Each one's `X-Service-Delivery`. */
  ids: string[];
  /** When its headers had come: an `instant`. */
  at: Float64Array;
  /** How many came on each path. */
  paths: Map<string, number>;
};
export type Sample = { path: string; headers: Record<string, string>; body: string };
export type Receiver = {
  /** Starts so many servers, each at an address of its own as if it were another company's; their base URLs. */
  listen(options: { servers: number }): Promise<string[]>;
  /** Begins anew to remember. */
  forget(nothing: null): void;
  /** Resolves when so many have arrived since it began anew; rejects when it takes too long. */
  arrived(options: { count: number; patienceMs: number }): Promise<void>;
  /** All that arrived since it began anew. */
  arrivals(nothing: null): Arrivals;
  /** The latest request as it came. */
  latest(nothing: null): Sample;
};

let ids: string[] = [];
let at: number[] = [];
let paths = new Map<string, number>();
let latest: { request: IncomingMessage; body: Buffer[] } | null = null;
let waiting: { count: number; reached: () => void } | null = null;

const receive: RequestListener = (request, response) => {
  const { url = '' } = request;
  const arrivedAt = instant();
  if (url.startsWith(hangingPath)) {
    request.resume();
    return;
  }
  const body: Buffer[] = [];
  request.on('data', (chunk: Buffer) => body.push(chunk));
  request.on('end', () => {
    if (url.startsWith(thinkingPath)) setTimeout(() => response.writeHead(204).end(), thinkingMs);
    else response.writeHead(204).end();
    ids.push(String(request.headers['x-service-delivery']));
    at.push(arrivedAt);
    paths.set(url, (paths.get(url) ?? 0) + 1);
    latest = { request, body };
    if (waiting !== null && ids.length >= waiting.count) waiting.reached();
  });
};

serveVerbs({
  async listen({ servers }: { servers: number }) {
    const urls: string[] = [];
    // All of 127.0.0.0/8 is this machine.
    for (let index = 0; index < servers; index++) urls.push(await listen(`127.1.${index >> 8}.${index & 255}`));
    return urls;
  },

  forget() {
    ids = [];
    at = [];
    paths = new Map();
  },

  async arrived({ count, patienceMs }: { count: number; patienceMs: number }) {
    if (ids.length >= count) return;
    const { promise, resolve } = deferred<'reached' | 'late'>();
    waiting = { count, reached: () => resolve('reached') };
    const timer = setTimeout(() => resolve('late'), patienceMs);
    const outcome = await promise;
    clearTimeout(timer);
    waiting = null;
    if (outcome === 'late') throw new Error(`${ids.length} of ${count} arrived within ${patienceMs / 1000} s`);
  },

  arrivals: () => ({ ids, at: Float64Array.from(at), paths }),

  latest() {
    if (latest === null) throw new Error('nothing has arrived');
    const { request, body } = latest;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    return { path: request.url ?? '', headers, body: Buffer.concat(body).toString('utf8') };
  },
} satisfies Receiver);

async function listen(address: string): Promise<string> {
  const server = createServer(receive);
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return `http://${address}:${(server.address() as AddressInfo).port}`;
}
