import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DataDirLockedError, lockDataDir } from '../../src/adapters/postgres/embedded/dataDirLock.ts';
import { root } from './program.ts';

let built: Promise<void> | null = null;

/** Compiles the gateway unless that is done; processes that want it at once wait for each other. */
export function ensureGatewayBuilt(): Promise<void> {
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
