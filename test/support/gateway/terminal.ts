import { spawn, type ChildProcess } from 'node:child_process';
import { killWithParent } from '../../../demo/cluster/orphans.ts';
import { root, searchPath } from '../../../demo/cluster/program.ts';
import { comes } from '../time/pace.ts';

/** A terminal with a shell, into which a test types what a person would. Its commands run in the package's root. */
export class Terminal {
  /** All that it has shown. */
  output = '';
  readonly #shell: ChildProcess;
  readonly #orphans: { forget: () => void };
  readonly #watchers = new Set<() => void>();
  #typed = 0;

  /** @param home for what programs keep between runs */
  constructor(home: string) {
    this.#shell = spawn('bash', [], {
      cwd: root,
      env: { PATH: searchPath, HOME: home, npm_config_update_notifier: 'false' },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own, so that `close` also ends what was left running.
      detached: true,
    });
    this.#orphans = killWithParent(-this.#pid);
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
        for (const look of this.#watchers) look();
      });
    }
  }

  /** Types a command; resolves with what it showed once it has ended. */
  async run(command: string): Promise<string> {
    const before = this.output.length;
    const end = `the end of ${(this.#typed += 1)}`;
    this.start(`${command}\necho '${end}'`);
    await this.shows(end);
    return this.output.slice(before, this.output.lastIndexOf(end)).trim();
  }

  /** Types a command and does not wait for its end. */
  start(command: string): void {
    this.#shell.stdin?.write(`${command}\n`);
  }

  /** Resolves when the text has been shown. */
  shows(text: string): Promise<void> {
    const listen = (tell: () => void) => {
      this.#watchers.add(tell);
      return () => void this.#watchers.delete(tell);
    };
    return comes(
      () => this.output.includes(text) || undefined,
      listen,
      () => `"${text}" was not shown, but: ${this.output}`,
    ).then(() => {});
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#shell.once('close', () => resolve()));
    if (this.#shell.exitCode === null) process.kill(-this.#pid, 'SIGTERM');
    // A shell that reads from a pipe does not mind SIGTERM being late; the end of its input it does.
    this.#shell.stdin?.end();
    await closed;
    this.#orphans.forget();
  }

  /** Throws when there is no such shell. */
  get #pid(): number {
    if (this.#shell.pid === undefined) throw new Error('bash did not start');
    return this.#shell.pid;
  }
}
