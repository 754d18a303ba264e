import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line to a gateway that a test can cut, as a network does. */
export type BreakableLine = {
  /** To be used in place of the gateway's address. */
  url: string;
  /** Breaks every connection; later ones are refused until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
};

/** @param gatewayUrl `http://host:port` */
export async function openBreakableLine(gatewayUrl: string): Promise<BreakableLine> {
  const { hostname, port } = new URL(gatewayUrl);
  const ends = new Set<Socket>();
  let broken = false;
  const server = createServer((near) => {
    if (broken) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [end, other] of [[near, far], [far, near]] as const) {
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
  const cut = () => {
    broken = true;
    for (const end of ends) end.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => void (broken = false),
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
