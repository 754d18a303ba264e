import type { Server } from 'node:http';
import { randomUUID } from 'node:crypto';
import { refuse } from '../domain/outcome.ts';
import { problemOf } from './answers.ts';

/** Answers what is no HTTP request, and what Node refuses before any route: in the form of every other refusal. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Nobody is there any more, or an answer has begun already.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = problemOf(refuse('invalid_request', `The request cannot be read: ${reasonOf(error)}.`), randomUUID());
    const body = JSON.stringify(problem);
    socket.end(
      [
        'HTTP/1.1 400 Bad Request',
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${String(Buffer.byteLength(body))}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
}

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
