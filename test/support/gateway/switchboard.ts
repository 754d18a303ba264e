import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A balancer as small as can be: one address that leads each new connection to the gateway that is set. */
export type Switchboard = {
  url: string;
  /** New connections go there; null: they are refused. Those there are stay. */
  leadTo(gatewayUrl: string | null): void;
  /** Connections that were led anywhere so far. */
  readonly connections: number;
  close(): Promise<void>;
};

/** @param gatewayUrl where it leads at first, `http://host:port` */
export async function openSwitchboard(gatewayUrl: string | null): Promise<Switchboard> {
  const ends = new Set<Socket>();
  let target = gatewayUrl;
  let connections = 0;
  const server = createServer((near) => {
    if (target === null) return void near.destroy();
    connections += 1;
    const { hostname, port } = new URL(target);
    const far = connect(Number(port), hostname);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        ends.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (next) => void (target = next),
    get connections() {
      return connections;
    },
    async close() {
      for (const end of ends) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
