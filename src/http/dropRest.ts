import type { IncomingMessage } from 'node:http';

/** Between two pieces of some 64 KiB, of all requests together. Milliseconds. */
const pauseMs = 5;
/** How many requests are being dropped: the more, the slower each. */
let dropping = 0;

/**
 * Reads and drops what is left of a request that has been answered, so that its sender, who may read only then, gets to
 * read the answer. Slowly: what is of no use to anybody must not keep others waiting. It ends with the connection, at
 * the latest by the server's time limit for a request.
 */
export function dropRest(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || request.destroyed || socket.destroyed) return;
  dropping += 1;
  const end = () => {
    request.off('close', end);
    socket.off('close', end);
    dropping -= 1;
  };
  request.once('close', end);
  // A request that has been answered is not told that its connection is gone.
  socket.once('close', end);
  request.on('data', () => {
    request.pause();
    setTimeout(() => request.resume(), pauseMs * dropping).unref();
  });
}
