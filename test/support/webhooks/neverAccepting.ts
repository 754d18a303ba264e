import { once } from 'node:events';
import net from 'node:net';
import { Worker } from 'node:worker_threads';

/** A port whose program is stuck: the system took the connections that fit, and answers no further one. */
export interface NeverAccepting {
  port: number;
  close(): Promise<void>;
}

/** Its event loop stands still once it listens, so what comes is left waiting. */
const stuckProgram = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;

/** More than fit: the system takes one more than it was told. */
const fillers = 4;

/** Behaves to a new connection as a firewall does that drops what comes. */
export async function startNeverAccepting(): Promise<NeverAccepting> {
  const worker = new Worker(stuckProgram, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const sockets = Array.from({ length: fillers }, () => net.connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.race(sockets.map((socket) => once(socket, 'connect')));
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await worker.terminate();
    },
  };
}
