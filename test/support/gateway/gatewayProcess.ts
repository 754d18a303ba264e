import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import {
  type GatewayProcess,
  type GatewayProcessOptions,
  spawnGatewayProcess,
} from '../../../demo/cluster/gatewayProcess.ts';
import { ownServerUrl } from '../../../src/adapters/postgres/embedded/ownServerUrl.ts';
import { isAlive, readPostmaster } from '../../../src/adapters/postgres/embedded/postmaster.ts';
import { platformToken } from './gateway.ts';

export type ProcessOptions = Partial<GatewayProcessOptions>;

/** Starts the gateway on embedded storage, on any free port and with hardly any log, unless `env` says otherwise. */
export async function spawnGateway(
  dataDir: string,
  { env = {}, ...options }: ProcessOptions = {},
): Promise<GatewayProcess> {
  const usual = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', PLATFORM_TOKEN: platformToken };
  return spawnGatewayProcess({ env: { ...usual, ...env }, ...options });
}

/** The process id of the embedded PostgreSQL on a data directory, or null when none runs. */
export function postgresOf(dataDir: string): number | null {
  const pid = readPostmaster(join(dataDir, 'postgres'))?.pid;
  return pid !== undefined && isAlive(pid) ? pid : null;
}

/** Where a test reaches the running embedded PostgreSQL of a data directory, as its gateway does. */
export async function embeddedUrl(dataDir: string): Promise<string> {
  const cluster = join(dataDir, 'postgres');
  const postmaster = readPostmaster(cluster);
  if (postmaster === null) throw new Error(`no PostgreSQL runs on ${dataDir}`);
  const password = (await readFile(join(cluster, 'readyline.password'), 'utf8')).trim();
  return ownServerUrl({
    password,
    port: postmaster.port,
    directory: postmaster.socketDirectory,
    database: 'readyline',
  });
}
