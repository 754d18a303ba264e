import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** PostgreSQL's main process, as its `postmaster.pid` describes it. */
export type Postmaster = {
  pid: number;
  port: number;
  /** Where its unix socket lies. */
  socketDirectory: string;
  /** It takes connections. */
  ready: boolean;
};

/** What `postmaster.pid` in the cluster says, be it stale or not; null when there is none, or only half of one yet. */
export function readPostmaster(cluster: string): Postmaster | null {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const [pid, , , port, directory, , , status] = lines;
  // A server that fails to start may write its process id negated.
  if (!Number(pid) || !Number(port) || !directory) return null;
  return {
    pid: Math.abs(Number(pid)),
    port: Number(port),
    socketDirectory: directory,
    ready: status?.trim() === 'ready',
  };
}

/** Whether the process works on this cluster: after a reboot its number may belong to anybody. */
export function worksOn(cluster: string, pid: number): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false;
  }
}

/** Whether the process lives. One that has ended counts as gone, even before its parent has taken note. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  try {
    // The state follows the program's name, which may itself hold parentheses.
    return !/\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Ends a server in PostgreSQL's own steps: "fast" (open transactions are rolled back, a checkpoint is written), then
 * "immediate" (the next start replays the log), then by force. No step loses what was committed.
 */
export async function stopPostmaster(pid: number): Promise<void> {
  const steps = [['SIGINT', 30_000], ['SIGQUIT', 5_000], ['SIGKILL', 5_000]] as const;
  for (const [signal, patience] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await ends(pid, patience)) return;
  }
}

/** Waits until the process is gone, at most so many milliseconds. */
async function ends(pid: number, patience: number): Promise<boolean> {
  const deadline = performance.now() + patience;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await delay(5);
  }
  return true;
}
