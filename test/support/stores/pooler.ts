import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What stands before a PostgreSQL server, as PgBouncer in session mode does. */
export type Pooler = {
  /** Of the same database, by this way. */
  url: string;
  /** The names that connections began with and that were refused. */
  refused: string[];
  close(): Promise<void>;
};

/** Without `ignore_startup_parameters`, PgBouncer takes these beside user and database. */
const taken = [
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
];
const sslRequest = 80_877_103;

/**
 * Refuses connections that begin with a parameter that PgBouncer refuses, in its words; passes all others on.
 * @param databaseUrl by a socket's directory
 */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  const given = new URL(databaseUrl);
  const path = `${given.searchParams.get('host') ?? ''}/.s.PGSQL.${given.port}`;
  const refused: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => near.destroy());
    near.on('close', () => sockets.delete(near));
    const begin = (packet: Buffer) => {
      if (packet.readInt32BE(4) === sslRequest) {
        near.once('data', begin);
        return void near.write('N');
      }
      const [name] = namesIn(packet).filter((one) => !taken.includes(one.toLowerCase()));
      if (name !== undefined) {
        refused.push(name);
        return void near.end(refusal(`unsupported startup parameter: ${name}`));
      }
      const far = connect({ path });
      far.on('error', () => near.destroy());
      far.on('close', () => near.destroy());
      near.on('close', () => far.destroy());
      far.write(packet);
      near.pipe(far).pipe(near);
    };
    near.once('data', begin);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.search = '';
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    refused,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Of a startup packet: its length, the version, then names and values, each ended by a zero. */
function namesIn(packet: Buffer): string[] {
  return packet
    .toString('latin1', 8)
    .split('\0')
    .filter((_, place) => place % 2 === 0)
    .filter((name) => name !== '');
}

function refusal(message: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C08P01', `M${message}`].map((field) => `${field}\0`).join('') + '\0';
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + Buffer.byteLength(fields), 1);
  return Buffer.concat([head, Buffer.from(fields)]);
}
