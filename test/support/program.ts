import type { ChildProcess } from 'node:child_process';

export type EndedProcess = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

/** A program in a process of its own, as a person in a terminal sees it. */
export class Program {
  readonly child: ChildProcess;
  /** What it has written so far. */
  stdout = '';
  stderr = '';
  readonly ended: Promise<EndedProcess>;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      // `close`, not `exit`: all output has been read by then.
      child.once('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the program did not start');
    return this.child.pid;
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
      void this.ended.then(({ code, stdout, stderr }) => {
        if (found() === null) reject(new Error(`the program ended with ${code}:\n${stdout}\n${stderr}`));
      });
      look();
    });
  }

  /** Resolves when it has ended. */
  async kill(signal: NodeJS.Signals): Promise<EndedProcess> {
    this.child.kill(signal);
    return this.ended;
  }
}
