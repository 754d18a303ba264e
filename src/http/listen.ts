import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Connections that may wait to be taken while the event loop is busy; the kernel may allow less (somaxconn, 4,096 as it
 * comes). Node.js asks for 511: when the softphones of another gateway came to this one at once, the rest were dropped.
 */
const waitingConnections = 4_096;

/**
 * Binds the address.
 * @param address port 0: a free one
 * @returns where it listens; rejects with what the system says where the address is taken or not this machine's
 */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<{ url: string; port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: waitingConnections }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${String(bound.port)}`, port: bound.port };
}
