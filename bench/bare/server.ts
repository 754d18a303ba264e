import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';

/** Express as its documentation shows it; with `tuned`, on the server that the gateway builds for it. */
export async function listen(app: Express, tuned: boolean): Promise<{ server: http.Server; url: string }> {
  const server = tuned ? tunedServer(app) : http.createServer(app);
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Plain, or without what costs and is not needed here. */
export function createApp(tuned: boolean): Express {
  const app = express();
  if (!tuned) return app;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  return app;
}

/** Requests and responses have Express's prototypes from birth; changing them later halves the speed of Node 20. */
function tunedServer(app: Express): http.Server {
  function Request(this: object, ...parts: unknown[]): void {
    (http.IncomingMessage as unknown as (this: object, ...parts: unknown[]) => void).apply(this, parts);
  }
  Request.prototype = app.request;
  function Response(this: object, ...parts: unknown[]): void {
    (http.ServerResponse as unknown as (this: object, ...parts: unknown[]) => void).apply(this, parts);
  }
  Response.prototype = app.response;
  const messages = { IncomingMessage: Request, ServerResponse: Response } as unknown as http.ServerOptions;
  return http.createServer(messages, app);
}
