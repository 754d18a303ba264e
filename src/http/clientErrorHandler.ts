import type { Server, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { refuse } from '../domain/outcome.ts';
import { problemOf } from './answers.ts';

/** Answers what is no HTTP request, and what Node refuses before any route: in the form of every other refusal. */
export function handleClientErrors(server: Server): void {
  // Between Node, the routes and WebSockets a socket changes hands; it is never without somebody who hears of its end.
  server.prependListener('connection', (socket: Duplex) => {
    if (!socket.listeners('error').includes(bear)) socket.on('error', bear);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Nobody is there any more, or an answer has begun already.
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseUnread(socket, reasonOf(error));
  });
}

/** Answers 400 on a socket that no response belongs to, and ends it. */
export function refuseUnread(socket: Duplex, reason: string): void {
  const { headers, body } = refusalOf(reason);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  socket.end(['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n'));
}

/** Answers 400 to a request that no route may see. */
export function refuseUnrouted(response: ServerResponse, reason: string): void {
  const { headers, body } = refusalOf(reason);
  response.writeHead(400, headers).end(body);
}

function refusalOf(reason: string) {
  const body = JSON.stringify(problemOf(refuse('invalid_request', `The request cannot be read: ${reason}.`), randomUUID()));
  const headers = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  return { headers, body };
}

/** Whoever uses the socket sees its end; an error that nobody hears would end the process. */
function bear(): void {}

function reasonOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'its headers are larger than 16 KiB';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'it did not arrive in time';
    default:
      return 'it is not HTTP/1.1';
  }
}
