import { execFile, spawn, type SpawnOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DataDirLockedError, lockDataDir } from '../../src/adapters/postgres/dataDirLock.ts';
import { isAlive, readPostmaster } from '../../src/adapters/postgres/embeddedPostmaster.ts';
import { platformToken } from './gateway.ts';
import { Program } from './program.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export type ProcessOptions = {
  env?: Record<string, string>;
  /** What runs it; the built program by default. */
  program?: 'dist/main.js' | 'scripts/start.mjs';
  /** How far the process's clock is ahead of the machine's, as if it had been started so much later. */
  clockAheadMs?: number;
};

/** The gateway as its operator runs it: the built program in a process of its own. */
export class GatewayProcess extends Program {
  /** Its base URL, once it listens. */
  async url(): Promise<string> {
    return (await this.says(/^Readyline is at (\S+)$/m))[1] ?? '';
  }
}

/** Starts the gateway on embedded storage, on any free port and with hardly any log, unless `env` says otherwise. */
export async function spawnGateway(dataDir: string, options: ProcessOptions = {}): Promise<GatewayProcess> {
  const { env = {}, program = 'dist/main.js', clockAheadMs = 0 } = options;
  await build();
  const ahead = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${clockAheadMs}`;
  const args = clockAheadMs === 0 ? [] : ['--import', ahead];
  const usual = { PATH: searchPath, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', PLATFORM_TOKEN: platformToken };
  const spawnOptions: SpawnOptions = { cwd: root, env: { ...usual, ...env }, stdio: ['ignore', 'pipe', 'pipe'] };
  return new GatewayProcess(spawn(process.execPath, [...args, join(root, program)], spawnOptions));
}

/** The process id of the embedded PostgreSQL on a data directory, or null when none runs. */
export function postgresOf(dataDir: string): number | null {
  const pid = readPostmaster(join(dataDir, 'postgres'))?.pid;
  return pid !== undefined && isAlive(pid) ? pid : null;
}

let built: Promise<void> | null = null;

/** Compiles the gateway unless that is done; test files that want it at once wait for each other. */
function build(): Promise<void> {
  return (built ??= whileAlone(async () => {
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root });
  }));
}

async function whileAlone(action: () => Promise<void>): Promise<void> {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const directory = join(tmpdir(), `readyline-build-${name}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (;;) {
    try {
      const lock = await lockDataDir(directory);
      try {
        return await action();
      } finally {
        await lock.release();
      }
    } catch (error) {
      if (!(error instanceof DataDirLockedError)) throw error;
      await delay(100);
    }
  }
}
