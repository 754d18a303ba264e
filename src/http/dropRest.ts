import type { Request } from 'express';

/** Between two pieces of some 64 KiB. Milliseconds. */
const pauseMs = 5;

/**
 * Reads and drops what is left of a request that has been answered, so that its sender, who may read only then, gets to read the answer.
 * Slowly: what is of no use to anybody must not keep others waiting. It ends with the connection, at the latest by the server's time limit for a request.
 */
export function dropRest(request: Request): void {
  if (request.complete || request.destroyed) return;
  request.on('data', () => {
    request.pause();
    setTimeout(() => request.resume(), pauseMs).unref();
  });
}
