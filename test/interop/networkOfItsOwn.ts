import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startProgram } from '../../demo/cluster/program.ts';

/** How a program is started in a network of its own: what stands before it on the command line. */
export type PrivateNetwork = { kind: 'private'; prefix: string[] } | { kind: 'shared'; why: string };

/** A wire of a machine's own, which tells that a network is one, too. Its other end goes nowhere. */
const wire = 'agent0';

/** A network with nothing but loopback, and processes that all end with their parent. */
const asRoot = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
const candidates = [asRoot, [...asRoot, '--user', '--map-root-user']];
/** Loopback is down in a new network. */
const withLoopback = [
  'sh',
  '-c',
  `ip link set lo up && { ip link add ${wire} type veth peer name world0; exec "$@"; }`,
  'sh',
];

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

/** Whether this very program is in a network of its own. */
export function isInOwnNetwork(): boolean {
  return readFileSync('/proc/net/dev', 'utf8').includes(`${wire}:`);
}

/** Filters UDP that comes in, by rules of iptables. The result takes the filter away. */
export async function filter(rules: string[]): Promise<() => Promise<void>> {
  for (const rule of rules) await run(`iptables -A INPUT -p udp ${rule}`);
  return async () => {
    for (const rule of rules) await run(`iptables -D INPUT -p udp ${rule}`);
  };
}

/**
 * Gives this machine another address than loopback's, and takes it away before the next.
 * @param last e.g. `7` for 10.9.0.7
 */
export async function moveTo(last: number): Promise<void> {
  for (const end of [wire, 'world0']) await run(`ip link set ${end} up`);
  await run(`ip addr flush dev ${wire}`);
  await run(`ip addr add 10.9.0.${last}/24 dev ${wire}`);
}

/** A way out of a network of its own, to nowhere: some programs take a network without one for none at all. */
export async function openWayOut(): Promise<void> {
  if (!isInOwnNetwork()) return;
  await moveTo(1);
  await run(`ip route add default dev ${wire}`);
}

/** Never in the network of the machine itself. */
async function run(command: string): Promise<void> {
  if (!isInOwnNetwork()) throw new Error(`${command}: this is not a network of its own`);
  const [program = '', ...args] = command.split(' ');
  const { code, stderr } = await startProgram(program, args).ended;
  if (code !== 0) throw new Error(`${command}: ${stderr}`);
}
