import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, openCluster } from '../../src/adapters/postgres/embedded/cluster.ts';
import { ownServerUrl } from '../../src/adapters/postgres/embedded/ownServerUrl.ts';
import { commandAs, type EmbeddedBinaries, findBinaries } from '../../src/adapters/postgres/embedded/programs.ts';
import { freePort } from './freePort.ts';
import { type Placing, type Program, startProgram } from './program.ts';

export type PostgresServerOptions = Placing & {
  /** More settings of postgresql.conf, by name. */
  settings?: Readonly<Record<string, string>>;
};

/**
 * The PostgreSQL of the npm packages on 127.0.0.1, on a new data directory of its own: what the embedded one of a
 * gateway is, but for many gateways at once.
 */
export interface PostgresServer {
  /** Of its database `readyline`, with the password of its only user. Stays the same over restarts. */
  readonly url: string;
  readonly port: number;
  /** Of the main process that runs now, or ran last. */
  readonly pid: number;
  /** Ends it in order and removes its data. */
  stop(): Promise<void>;
  /** Resolves when the main process has ended; SIGKILL leaves a log to be replayed. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends it if it runs ("fast": open transactions are rolled back), and starts it again on the same data. */
  restart(): Promise<void>;
}

/** The sessions of a killed server notice that it is gone within this time. */
const orphanPatienceMs = 10_000;

type Launch = Placing & {
  cluster: Cluster;
  binaries: EmbeddedBinaries;
  port: number;
  settings: Readonly<Record<string, string>>;
};

/** Makes a database and starts the server. Throws EmbeddedPostgresError where it cannot work. */
export async function startPostgresServer({
  settings = {},
  ...placing
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'readyline-postgres-')));
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  let server: Program | null = null;
  try {
    const binaries = findBinaries();
    const cluster = await openCluster(dataDir, binaries, () => undefined);
    const started: Launch = { cluster, binaries, port: await freePort(), settings, ...placing };
    server = await launch(started);
    await createDatabase(urlOf(started, 'postgres'));
    return serverOf(started, server, removeData);
  } catch (error) {
    await server?.stop('SIGINT');
    await removeData();
    throw error;
  }
}

function serverOf(started: Launch, first: Program, removeData: () => Promise<void>): PostgresServer {
  let server = first;
  return {
    url: urlOf(started, 'readyline'),
    port: started.port,
    get pid() {
      return server.pid;
    },
    async stop() {
      await server.stop('SIGINT');
      await removeData();
    },
    kill: async (signal) => void (await server.kill(signal)),
    async restart() {
      await server.stop('SIGINT');
      server = await launch(started);
    },
  };
}

async function launch(options: Launch): Promise<Program> {
  const patientUntil = performance.now() + orphanPatienceMs;
  for (;;) {
    const server = start(options);
    try {
      await server.says(/database system is ready to accept connections/);
      return server;
    } catch (error) {
      if (!server.stderr.includes('pre-existing shared memory') || performance.now() > patientUntil) throw error;
      await delay(100);
    }
  }
}

function start({ cluster, binaries, port, settings, ownProcessGroup = false }: Launch): Program {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    // 20 for each gateway, and what the tests open themselves.
    max_connections: '400',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Says when it is ready, and nothing of each statement that fails.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = commandAs(cluster.owner, binaries.postgres, ['-D', cluster.directory, ...args]);
  return startProgram(command.file, command.args, { ...command.options, ownProcessGroup });
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE DATABASE readyline');
  } finally {
    await client.end();
  }
}

function urlOf({ cluster, port }: Pick<Launch, 'cluster' | 'port'>, database: string): string {
  return ownServerUrl({ password: cluster.password, port, directory: null, database });
}
