import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const pageBytes = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));

/** Processor time that the threads of a process have used so far. Milliseconds; Linux only. */
export function cpuMs(pid: number): number {
  const threads = threadsOf(pid).map((thread) => spentNs(`/proc/${pid}/task/${thread}/schedstat`));
  return threads.reduce((sum, spent) => sum + spent, 0) / 1e6;
}

/** None of a process that has ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    if (hasEnded(error)) return [];
    throw error;
  }
}

/** Of a process and its children, those that have ended too: PostgreSQL has one for each connection. Milliseconds. */
export function familyCpuMs(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + cpuMs(Number(child)), cpuMs(pid) + endedChildrenMs(pid));
}

/** cutime and cstime, fields 16 and 17 of /proc/<pid>/stat: in hundredths of a second. */
function endedChildrenMs(pid: number): number {
  // After the last bracket: the program's name may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[13]) + Number(fields[14])) / ticksPerSecond) * 1000;
}

/** To the nanosecond, where /proc/<pid>/stat counts hundredths of a second: more than an idle server uses. */
function spentNs(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch (error) {
    if (hasEnded(error)) return 0;
    throw error;
  }
}

/** Since it was listed. */
function hasEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}

/** Memory that a process holds now (RSS). Bytes; Linux only. */
export function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
}
