import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CommandError } from '../commandLine.ts';
import { freePort } from './freePort.ts';
import { isNotInstalled, root, searchPath, startProgram, type Placing, type Program } from './program.ts';

export type BalancerOptions = Placing & {
  /** On 127.0.0.1; 0, the default: any free one. */
  port?: number;
};

/** What stands in front of the gateways. It looks at each one's /api/health every 500 ms: out after two failures. */
export interface Balancer {
  /** Where callers reach the gateways. */
  readonly url: string;
  readonly pid: number;
  /** Puts a gateway that listens on this port of 127.0.0.1 into rotation. Names are letters and digits. */
  add(name: string, port: number): Promise<void>;
  /** The names of the gateways that get requests now. */
  inRotation(): Promise<string[]>;
  stop(): Promise<void>;
}

/** The most gateways behind one balancer. */
export const maxGateways = 32;

/** The very settings that containers run with; only where the gateways are is said elsewhere. */
const settingsFile = join(root, 'deploy/haproxy/readyline.cfg');

/** For gateways that are well. */
const wellBackends = ['rest', 'pages', 'sockets'];
/** Each has all the gateways. */
const backends = [...wellBackends, 'any'];

export async function isHaproxyInstalled(): Promise<boolean> {
  return promisify(execFile)('haproxy', ['-v'], { env: { PATH: searchPath } }).then(
    () => true,
    () => false,
  );
}

/** HAProxy with nobody behind it yet. Throws CommandError when it is not installed, or the port is taken. */
export async function startHaproxy(options: BalancerOptions = {}): Promise<Balancer> {
  const directory = await mkdtemp(join(tmpdir(), 'readyline-haproxy-'));
  const removeDirectory = () => rm(directory, { recursive: true, force: true });
  const control = join(directory, 'control.sock');
  const port = options.port || (await freePort());
  try {
    const placesFile = join(directory, 'places.cfg');
    await writeFile(placesFile, placesConfig(control));
    const program = startProgram('haproxy', ['-db', '-f', settingsFile, '-f', placesFile], {
      env: { PATH: searchPath, READYLINE_BIND: `127.0.0.1:${port}` },
      ownProcessGroup: options.ownProcessGroup ?? false,
    });
    await listens(program, control, port);
    return balancerOf(program, control, port, removeDirectory);
  } catch (error) {
    await removeDirectory();
    if (!isNotInstalled(error)) throw error;
    throw new CommandError('haproxy is not installed. Install it (Debian: apt-get install haproxy) and start again.');
  }
}

function balancerOf(program: Program, control: string, port: number, removeDirectory: () => Promise<void>): Balancer {
  const placeOf = new Map<string, string>();
  return {
    url: `http://127.0.0.1:${port}`,
    pid: program.pid,
    async add(name, gatewayPort) {
      const place = `place${placeOf.size + 1}`;
      placeOf.set(name, place);
      for (const backend of backends) {
        await order(control, `set server ${backend}/${place} addr 127.0.0.1 port ${gatewayPort}`);
        await order(control, `set server ${backend}/${place} state ready`);
      }
    },
    async inRotation() {
      const up = new Set(serversUp(await ask(control, 'show stat')));
      return [...placeOf].flatMap(([name, place]) =>
        wellBackends.every((backend) => up.has(`${backend}/${place}`)) ? [name] : [],
      );
    },
    async stop() {
      // Not SIGUSR1: by now there is nobody whose connection could be spared.
      await program.stop('SIGTERM');
      await removeDirectory();
    },
  };
}

/** Places for gateways, which are filled in while it runs. */
function placesConfig(control: string): string {
  const servers = Array.from({ length: maxGateways }, (_, index) => `  server place${index + 1} 127.0.0.1:1 disabled`);
  const backend = (name: string) => [`backend ${name} from ${name}`, ...servers];
  // Without noreuseport it would share the port with another HAProxy rather than say that it is taken.
  return [
    'global',
    '  noreuseport',
    `  stats socket ${control} mode 600 level admin`,
    ...backends.flatMap(backend),
    '',
  ].join('\n');
}

/** Resolves when it takes requests; rejects when it ended instead. */
async function listens(program: Program, control: string, port: number): Promise<void> {
  for (;;) {
    // Who has ended, or could not even start, says why.
    if (program.hasEnded || program.child.pid === undefined) {
      const { stdout, stderr } = await program.ended;
      const isTaken = /cannot bind socket \(Address already in use\)/.test(stderr);
      if (isTaken)
        throw new CommandError(`another program already listens on port ${port}; choose another with --port.`);
      throw new Error(`haproxy did not start:\n${stdout}\n${stderr}`);
    }
    try {
      await ask(control, 'show info');
      return;
    } catch {
      await delay(10);
    }
  }
}

/** Gives an order that is answered with nothing but what it did. */
async function order(control: string, command: string): Promise<void> {
  const answer = (await ask(control, command)).trim();
  if (answer !== '' && !/changed from|no need to change/.test(answer))
    throw new Error(`haproxy refused "${command}": ${answer}`);
}

function ask(control: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(control);
    let answer = '';
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.once('end', () => resolve(answer));
    socket.write(`${command}\n`);
  });
}

/** `backend/server` of each that is up, from HAProxy's table of statistics (CSV). */
function serversUp(table: string): string[] {
  const [head = '', ...rows] = table.replace(/^# /, '').trim().split('\n');
  const status = head.split(',').indexOf('status');
  return rows.flatMap((row) => {
    const cells = row.split(',');
    return cells[status]?.startsWith('UP') ? [`${cells[0]}/${cells[1]}`] : [];
  });
}
