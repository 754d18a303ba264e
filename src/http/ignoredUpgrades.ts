import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isEmpty } from './jsonBody.ts';

/** Headers that belong to an upgrade only. */
const ofUpgrades = new Set(['upgrade', 'http2-settings']);

/**
 * From Node 26 on, a request with an upgrade and a body cannot be handed back whole. It is left to Node, which loses
 * what follows in the same packet, so the answer must close the connection.
 */
const nodeReadsBodies = Number(process.versions.node.split('.')[0]) >= 26;

/**
 * Answers requests with an upgrade that is not served as if they had not asked for it (RFC 9110, section 7.8). Once
 * anything upgrades, Node emits `upgrade` for every request that asks, and loses what follows one that it ignores itself.
 * So the request is put back on its connection without the upgrade headers.
 */
export function ignoreUpgrades(server: Server, isServed: (request: IncomingMessage) => boolean) {
  // Headers are bounded by bytes (16 KiB). Node would drop those beyond the thousandth, perhaps Content-Length.
  server.maxHeadersCount = 0;
  if (nodeReadsBodies) {
    // Not in the types of the oldest supported Node.
    Object.assign(server, { shouldUpgradeCallback: (request: IncomingMessage) => isServed(request) || isEmpty(request.headers) });
  }
  const latest = new WeakMap<Duplex, ServerResponse>();

  return {
    /** Must be called for every request that is answered. */
    note(request: IncomingMessage, response: ServerResponse): void {
      latest.set(request.socket, response);
      if (nodeReadsBodies && request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    },

    /** Answers an upgrade that is not served. @param head bytes after the headers */
    answer(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      // Unshift at once, before an end of the stream can arrive.
      socket.unshift(Buffer.concat([withoutUpgrade(request), head]));
      const again = () => {
        socket.off('timeout', end);
        // Not writable: the previous answer closed the connection.
        if (socket.writable) server.emit('connection', socket);
      };
      // Node no longer times out a socket it has handed over.
      const end = () => socket.destroy();
      // Answers must leave in the order of their requests.
      const before = latest.get(socket);
      if (before === undefined || before.closed) return again();
      socket.once('timeout', end);
      before.once('close', again);
    },
  };
}

/** The request line and headers as received, without the upgrade. */
function withoutUpgrade({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const isConnection = name.toLowerCase() === 'connection';
    const kept = isConnection ? otherOptions(value) : value;
    if (!ofUpgrades.has(name.toLowerCase()) && !(isConnection && kept === '')) lines.push(`${name}:${kept}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function otherOptions(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => option !== '' && !ofUpgrades.has(option.toLowerCase())).join(',');
}
