import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** A line to a gateway that a test can cut, as a network does. */
export type BreakableLine = {
  /** To be used in place of the gateway's address. */
  url: string;
  /** Breaks every connection; later ones are refused until `mend`. */
  cut(): void;
  mend(): void;
  /** Breaks every connection; later ones come to that server. */
  leadTo(serverUrl: string): void;
  /** From now on nothing comes through in either direction, and nobody notices, until `release`. */
  hold(): void;
  /** From now on what the server says waits until `release`; it is heard as before. */
  holdAnswers(): void;
  release(): void;
  close(): Promise<void>;
};

/**
 * @param serverUrl `http://host:port` of a gateway, or the URL of another server; PostgreSQL's may name a directory
 * @param path if given, only connections that ask for it first, e.g. `/socket.io/`, are cut and held;
 * others always work
 */
export async function openBreakableLine(serverUrl: string, path?: string): Promise<BreakableLine> {
  let address = addressOf(new URL(serverUrl));
  /** Each with where its bytes go. */
  const ends = new Map<Socket, Socket>();
  /** Those of them that are the server's. */
  const servers = new Set<Socket>();
  /** Of connections that a break does not reach. */
  const spared = new Map<Socket, Socket>();
  let broken = false;
  let held = false;
  let holdsAnswers = false;
  const join = (near: Socket, among: Map<Socket, Socket>) => {
    if (broken && among === ends) return void near.destroy();
    const far = connect(address);
    if (among === ends) servers.add(far);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      among.set(end, other);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        among.delete(end);
        servers.delete(end);
        other.destroy();
      });
      if (among === spared || (!held && (end === near || !holdsAnswers))) end.pipe(other);
    }
  };
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (path === undefined) return join(near, ends);
    near.once('data', (head: Buffer) => {
      near.pause();
      near.unshift(head);
      join(near, head.toString('latin1').startsWith(`GET ${path}`) ? ends : spared);
    });
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
    leadTo(other) {
      address = addressOf(new URL(other));
      for (const end of ends.keys()) end.destroy();
    },
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
      for (const end of spared.keys()) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function addressOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const directory = searchParams.get('host');
  return directory === null ? { port: Number(port), host: hostname } : { path: `${directory}/.s.PGSQL.${port}` };
}
