import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** A line to a gateway that a test can cut, as a network does. */
export type BreakableLine = {
  /** To be used in place of the gateway's address. */
  url: string;
  /** Breaks every connection; later ones are refused until `mend`. */
  cut(): void;
  mend(): void;
  /** From now on nothing comes through in either direction, and nobody notices, until `release`. */
  hold(): void;
  /** From now on what the server says waits until `release`; it is heard as before. */
  holdAnswers(): void;
  release(): void;
  close(): Promise<void>;
};

/** @param serverUrl `http://host:port` of a gateway, or the URL of another server; PostgreSQL's may name a directory */
export async function openBreakableLine(serverUrl: string): Promise<BreakableLine> {
  const address = addressOf(new URL(serverUrl));
  /** Each with where its bytes go. */
  const ends = new Map<Socket, Socket>();
  /** Those of them that are the server's. */
  const servers = new Set<Socket>();
  let broken = false;
  let held = false;
  let holdsAnswers = false;
  const server = createServer((near) => {
    if (broken) return void near.destroy();
    const far = connect(address);
    servers.add(far);
    for (const [end, other] of [[near, far], [far, near]] as const) {
      ends.set(end, other);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        ends.delete(end);
        servers.delete(end);
        other.destroy();
      });
      if (!held && (end === near || !holdsAnswers)) end.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    broken = true;
    for (const end of ends.keys()) end.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => void (broken = false),
    hold() {
      held = true;
      for (const end of ends.keys()) end.unpipe();
    },
    holdAnswers() {
      holdsAnswers = true;
      for (const far of servers) far.unpipe();
    },
    release() {
      if (held) for (const [end, other] of ends) end.pipe(other);
      else if (holdsAnswers) for (const far of servers) far.pipe(ends.get(far)!);
      held = false;
      holdsAnswers = false;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function addressOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const directory = searchParams.get('host');
  return directory === null ? { port: Number(port), host: hostname } : { path: `${directory}/.s.PGSQL.${port}` };
}
