import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killWithParent } from './orphans.ts';

/** The package's root, with a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
/** Where programs are looked for; all that they get to see of this process's environment. */
export const searchPath = process.env['PATH'] ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export type EndedProcess = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

/** A program that does not end when it is asked to is ended by force. Longer than a gateway's own patience (30 s). */
const stopPatienceMs = 40_000;

/** A program in a process of its own, as a person in a terminal sees it. It does not outlive this process. */
export class Program {
  readonly child: ChildProcess;
  /** What it has written so far. */
  stdout = '';
  stderr = '';
  readonly ended: Promise<EndedProcess>;

  constructor(child: ChildProcess) {
    this.child = child;
    const orphan = child.pid === undefined ? null : killWithParent(child.pid);
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => orphan?.forget());
      // `close`, not `exit`: all output has been read by then.
      child.once('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }));
    });
    // Whoever waits for something hears of it; that nobody waits is no fault.
    this.ended.catch(() => undefined);
  }

  /** Throws when it could not be started. */
  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the program did not start');
    return this.child.pid;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Whether there is such a program, which is known once it runs. Throws what else kept it from starting. */
  async starts(): Promise<boolean> {
    if (this.child.pid !== undefined) return true;
    return this.ended.then(
      () => true,
      (error: unknown) => {
        if (isNotInstalled(error)) return false;
        throw error;
      },
    );
  }

  /** Resolves when it has written what fits; rejects when it ends before. */
  async says(fits: RegExp): Promise<RegExpExecArray> {
    const found = () => fits.exec(this.stdout) ?? fits.exec(this.stderr);
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = found();
        if (match === null) return;
        this.child.stdout?.off('data', look);
        this.child.stderr?.off('data', look);
        resolve(match);
      };
      this.child.stdout?.on('data', look);
      this.child.stderr?.on('data', look);
      this.ended.then(({ code, stdout, stderr }) => {
        if (found() === null) reject(new Error(`the program ended with ${code}:\n${stdout}\n${stderr}`));
      }, reject);
      look();
    });
  }

  /** Sends a signal that ends it; resolves when it has ended. */
  async kill(signal: NodeJS.Signals): Promise<EndedProcess> {
    this.child.kill(signal);
    return this.ended;
  }

  /** Stands still until `resume`, as a machine that stalls does: its connections stay open. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Asks it to end in order, also where it stands still or has ended already; by force where it does not. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<EndedProcess> {
    const force = setTimeout(() => this.child.kill('SIGKILL'), stopPatienceMs);
    this.child.kill(signal);
    this.resume();
    try {
      return await this.ended;
    } finally {
      clearTimeout(force);
    }
  }
}

/** How a program of this folder is started, beside what it is. */
export type Placing = {
  /** In a process group of its own, so that the terminal's Ctrl-C reaches its parent alone, which then ends it. */
  ownProcessGroup?: boolean;
};

export type ProgramOptions = Placing &
  Pick<SpawnOptions, 'env' | 'cwd' | 'uid' | 'gid'> & {
    /** All that it reads from its standard input; nothing by default. */
    input?: string;
  };

/** Starts a program that sees nothing of this process's environment but what `env` holds. */
export function spawnQuietly(file: string, args: readonly string[], options: ProgramOptions = {}): ChildProcess {
  const { ownProcessGroup = false, input, ...rest } = options;
  const child = spawn(file, args, {
    cwd: root,
    env: { PATH: searchPath },
    ...rest,
    detached: ownProcessGroup,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // One that ends before it has read everything says itself why.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return child;
}

/** `spawnQuietly`, as a Program. */
export function startProgram(file: string, args: readonly string[], options: ProgramOptions = {}): Program {
  return new Program(spawnQuietly(file, args, options));
}

/**
 * Whether starting it failed because there is no such program: EACCES where a folder of PATH may not be looked into.
 */
export function isNotInstalled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES');
}
