import { spawnSync } from 'node:child_process';

/** How a program is started in a network of its own: what stands before it on the command line. */
export type PrivateNetwork = { kind: 'private'; prefix: string[] } | { kind: 'shared'; why: string };

/** A network with nothing but loopback, and processes that all end with their parent. */
const asRoot = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
const candidates = [asRoot, [...asRoot, '--user', '--map-root-user']];
/** Loopback is down in a new network. */
const withLoopback = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** Whether this machine gives a program a network of its own, and how; `why` holds what the last try said. */
export function privateNetwork(): PrivateNetwork {
  let why = '';
  for (const candidate of candidates) {
    const prefix = [...candidate, ...withLoopback];
    const { status, stderr, error } = spawnSync('env', [...prefix, 'true'], { encoding: 'utf8' });
    if (status === 0) return { kind: 'private', prefix };
    why = error?.message ?? stderr.trim();
  }
  return { kind: 'shared', why };
}
