import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isEmpty } from './jsonBody.ts';

/** Names of what belongs to an upgrade and to nothing else. */
const ofUpgrades = new Set(['upgrade', 'http2-settings']);

/**
 * From Node 26 on a request with an upgrade keeps its body to itself, and cannot be given back whole. Such a one is
 * left to Node, which then loses what follows in the same packet: the answer must end the connection.
 */
const nodeReadsBodies = Number(process.versions.node.split('.')[0]) >= 26;

/**
 * Answers requests whose upgrade is not served as if they had not asked for one (RFC 9110, section 7.8). Node hands over
 * every one that asks, as soon as anything upgrades, and loses what follows one that it ignores by itself. So the
 * request goes back to the server, on its own connection, without the words that ask.
 */
export function ignoreUpgrades(server: Server, isServed: (request: IncomingMessage) => boolean) {
  // Bounded by their bytes (16 KiB). Node would leave out those beyond the thousandth, and with them perhaps the length.
  server.maxHeadersCount = 0;
  if (nodeReadsBodies) {
    // Newer than the types of the oldest Node that is supported.
    Object.assign(server, { shouldUpgradeCallback: (request: IncomingMessage) => isServed(request) || isEmpty(request.headers) });
  }
  const latest = new WeakMap<Duplex, ServerResponse>();

  return {
    /** Has to see every request that is answered. */
    note(request: IncomingMessage, response: ServerResponse): void {
      latest.set(request.socket, response);
      if (nodeReadsBodies && request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    },

    /** Takes an upgrade that is not served. @param head what came after the headers */
    answer(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      // At once: an end that arrives meanwhile has to wait behind it.
      socket.unshift(Buffer.concat([withoutUpgrade(request), head]));
      const again = () => {
        socket.off('timeout', end);
        // Ended: an answer before this one was the connection's last.
        if (socket.writable) server.emit('connection', socket);
      };
      // Node, which has let go of the socket, does not end it any more when it stands still.
      const end = () => socket.destroy();
      // Answers leave in the order of their requests.
      const before = latest.get(socket);
      if (before === undefined || before.closed) return again();
      socket.once('timeout', end);
      before.once('close', again);
    },
  };
}

/** The request's line and headers as they came, but for the upgrade. */
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
