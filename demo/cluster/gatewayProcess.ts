import { join } from 'node:path';
import { ensureGatewayBuilt } from './builtGateway.ts';
import { Program, root, searchPath, spawnQuietly, type Placing } from './program.ts';

export type GatewayProcessOptions = Placing & {
  /** All that it sees beside PATH. */
  env: Readonly<Record<string, string>>;
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

/** Starts a gateway, after it was compiled unless it is. Resolves before it listens. */
export async function spawnGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
  const { env, program = 'dist/main.js', clockAheadMs = 0, ...placing } = options;
  await ensureGatewayBuilt();
  const ahead = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${clockAheadMs}`;
  const args = clockAheadMs === 0 ? [] : ['--import', ahead];
  const placed = { env: { PATH: searchPath, ...env }, ...placing };
  return new GatewayProcess(spawnQuietly(process.execPath, [...args, join(root, program)], placed));
}
