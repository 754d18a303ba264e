import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const pageBytes = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));

/** Processor time that the threads of a process have used so far. Milliseconds; Linux only. */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => spentNs(`/proc/${pid}/task/${thread}/schedstat`));
  return threads.reduce((sum, spent) => sum + spent, 0) / 1e6;
}

/** To the nanosecond, where /proc/<pid>/stat counts hundredths of a second: more than an idle server uses. */
function spentNs(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch (error) {
    // A thread that has ended since it was listed.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return 0;
    throw error;
  }
}

/** Memory that a process holds now (RSS). Bytes; Linux only. */
export function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
}
