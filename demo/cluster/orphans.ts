import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Notes process ids until its input ends, which it does when this process is gone, however that came; then kills them.
 */
const script = `
pids=" "
while read -r sign pid; do
  case $sign in
    +) pids="$pids$pid " ;;
    -) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
kill -9 $pids
`;

let watcher: Socket | null = null;

/**
 * Has the process, or `-pid`'s whole group, killed when this one ends in any way, kill -9 included,
 * unless `forget` was called before.
 */
export function killWithParent(pid: number): { forget: () => void } {
  watcher ??= startWatcher();
  watcher.write(`+ ${pid}\n`);
  return { forget: () => void watcher?.write(`- ${pid}\n`) };
}

function startWatcher(): Socket {
  // In a process group of its own: the terminal's Ctrl-C must not end it first.
  const child = spawn('/bin/sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
    cwd: '/',
  });
  if (!(child.stdin instanceof Socket)) throw new Error('a pipe to a process is a socket');
  // This process may end while it waits.
  child.unref();
  child.stdin.unref();
  child.stdin.on('error', () => undefined);
  return child.stdin;
}
