import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../commandLine.ts';
import { freePort } from './freePort.ts';
import { startProgram, type Placing, type Program, type ProgramOptions } from './program.ts';

export type RedisServerOptions = Placing & {
  /** Any free one by default. */
  port?: number;
  /** How many logical databases it has; 16 by default. */
  databases?: number;
  /** None by default: whoever reaches the port may come in. Letters and digits. */
  password?: string;
  /** More lines of redis.conf, by name. */
  settings?: Readonly<Record<string, string>>;
};

/** A redis-server on 127.0.0.1 that keeps nothing on disk. */
export interface RedisServer {
  /** With the password, without a database number. */
  readonly url: string;
  readonly port: number;
  /** Of the process that runs now, or ran last. */
  readonly pid: number;
  /** Ends it in order and removes what it left behind. */
  stop(): Promise<void>;
  /** Resolves when it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Stands still until `resume`; its connections stay open. */
  pause(): void;
  resume(): void;
  /** Ends it if it runs, and starts it again at the same address, with nothing in it. */
  restart(): Promise<void>;
}

/** Starts redis-server. Throws CommandError when it is not installed. */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'readyline-redis-'));
  const port = options.port ?? (await freePort());
  const removeDirectory = () => rm(directory, { recursive: true, force: true });
  let server: Program;
  try {
    server = await launch({ ...options, port }, directory);
  } catch (error) {
    await removeDirectory();
    throw error;
  }
  return {
    url: `redis://${options.password === undefined ? '' : `:${options.password}@`}127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    async stop() {
      await server.stop();
      await removeDirectory();
    },
    kill: async (signal) => void (await server.kill(signal)),
    pause: () => server.pause(),
    resume: () => server.resume(),
    async restart() {
      await server.stop();
      server = await launch({ ...options, port }, directory);
    },
  };
}

async function launch(options: RedisServerOptions & { port: number }, directory: string): Promise<Program> {
  const { port, databases = 16, password, settings = {} } = options;
  const lines = {
    port: String(port),
    bind: '127.0.0.1',
    dir: directory,
    save: '""',
    appendonly: 'no',
    databases: String(databases),
    ...(password === undefined ? {} : { requirepass: password }),
    ...settings,
  };
  // On its standard input: what stands on a command line, everybody on the machine can read.
  const input = Object.entries(lines)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('');
  const server = await startRedisProgram(['-'], { ownProcessGroup: options.ownProcessGroup ?? false, input });
  await server.says(/Ready to accept connections/);
  return server;
}

/** redis-server, or Valkey's, which speaks the same. Throws CommandError when neither is installed. */
export async function startRedisProgram(args: readonly string[], options: ProgramOptions = {}): Promise<Program> {
  for (const name of ['redis-server', 'valkey-server']) {
    const program = startProgram(name, args, options);
    if (await program.starts()) return program;
  }
  throw new CommandError(
    'redis-server is not installed. Install Redis 7 (Debian: apt-get install redis-server) and start again.',
  );
}
