import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Entry } from './entries.ts';

/**
 * Counts the system calls of processes while something is done, which slows them.
 * Throws where strace is not installed, or may not look at them.
 */
export async function systemCallsDuring(pids: readonly number[], action: () => Promise<unknown>): Promise<Entry[]> {
  const strace = spawn('strace', ['-c', '-f', '-U', 'calls,name', ...pids.flatMap((pid) => ['-p', String(pid)])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  const attached = new Promise<void>((resolve, reject) => {
    strace.once('error', () => reject(new Error('system calls are counted by strace, which is not installed')));
    strace.once('exit', () => reject(new Error(`strace cannot look: ${told.trim()}`)));
    strace.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      if (pids.every((pid) => told.includes(`Process ${String(pid)} attached`))) resolve();
    });
  });
  await attached;
  const ended = once(strace, 'exit');
  await action();
  strace.kill('SIGINT');
  await ended;
  return [...told.matchAll(/^ *(\d+) +(\w+)$/gm)]
    .filter(([, , name]) => name !== 'total')
    .map(([, calls, name = '']) => ({ kind: 'system call', what: name, times: Number(calls), each: '' }));
}
