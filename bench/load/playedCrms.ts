// CRM systems of which one answers at once, one accepts requests and never answers, and one is not there.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveVerbs } from '../worker.ts';

export type PlayedCrms = {
  /** Their base URLs. Nothing listens at `refusing`. */
  listen(nothing: null): Promise<{ answering: string; hanging: string; refusing: string }>;
};

const answer: RequestListener = (request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"entry-1"}'));
};

serveVerbs({
  async listen() {
    const gone = await start(answer);
    await new Promise<void>((resolve) => gone.server.close(() => resolve()));
    return {
      answering: (await start(answer)).url,
      hanging: (await start((request) => request.resume())).url,
      refusing: gone.url,
    };
  },
} satisfies PlayedCrms);

async function start(listener: RequestListener) {
  const server = createServer(listener);
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
