// Loads an HTTP server as hard as it can from a process of its own.
import autocannon from 'autocannon';
import { serveVerbs } from '../worker.ts';

export type HttpRequest = { method: 'GET' | 'POST'; path: string; body?: string };
export type HttpLoad = {
  url: string;
  headers: Record<string, string>;
  /** Dealt out among the connections, which repeat their own ones: no two ever send the same at a time. */
  requests: HttpRequest[];
  connections: number;
  seconds: number;
  /** Requests per second of all connections together; as many as are answered by default. */
  rate?: number;
};
/** Latencies in milliseconds. */
export type HttpLoadResult = { perSecond: number; p50: number; p99: number };
export type HttpLoader = { load(load: HttpLoad): Promise<HttpLoadResult> };

serveVerbs({
  async load({ url, headers, requests, connections, seconds, rate }: HttpLoad) {
    let connection = 0;
    const result = await autocannon({
      url,
      headers,
      connections,
      duration: seconds,
      ...(rate === undefined ? {} : { overallRate: rate }),
      setupClient(client) {
        const own = requests.filter((_, index) => index % connections === connection);
        connection += 1;
        client.setRequests(own.map((request) => ({ ...request, headers })));
      },
    });
    if (result.non2xx > 0 || result.errors > 0) {
      throw new Error(`${result.non2xx} requests were refused, ${result.errors} failed`);
    }
    return { perSecond: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
  },
} satisfies HttpLoader);
