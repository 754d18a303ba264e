import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../demo/cluster/program.ts';

/** What a process of the benchmark does when it is told to, by name. Inputs and answers cross between processes. */
export type Verbs = Record<string, (input: never) => unknown>;
type Input<V extends Verbs, K extends keyof V> = Parameters<V[K]>[0];
type Answer<V extends Verbs, K extends keyof V> = Awaited<ReturnType<V[K]>>;

type Order = { id: number; verb: string; input: unknown };
type Reply = { id: number; value: unknown } | { id: number; error: string };

/** A part of the benchmark in a process of its own, so that each one's costs can be told from the others'. */
export interface Worker<V extends Verbs> {
  readonly pid: number;
  /** Rejects with what went wrong there, also when the process ends before it answers. */
  ask<K extends keyof V & string>(verb: K, input: Input<V, K>): Promise<Answer<V, K>>;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a TypeScript program of this folder that calls `serveVerbs`.
 * @param file relative to bench/
 * @param nodeArgs for Node.js itself
 */
export function startWorker<V extends Verbs>(file: string, nodeArgs: readonly string[] = []): Worker<V> {
  const child = fork(join(root, 'scripts/run.mjs'), [join(root, 'bench', file)], {
    // Latencies by the thousand: as binary, not as JSON.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    execArgv: [...nodeArgs],
  });
  showErrors(child);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} could not be started`);
  const killed = (): void => void child.kill('SIGKILL');
  process.once('exit', killed);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const waiting = replies(child, file);
  let orders = 0;
  return {
    pid,
    ask(verb, input) {
      orders += 1;
      const order: Order = { id: orders, verb, input };
      return new Promise<never>((resolve, reject) => {
        waiting.set(order.id, { resolve: resolve as (value: unknown) => void, reject });
        child.send(order, (error) => error !== null && reject(error));
      });
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      process.off('exit', killed);
    },
  };
}

/** Whatever it says, but for what an inspector says of itself. */
function showErrors({ stderr }: ChildProcess): void {
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', (line) => {
    if (!/^(Debugger |For help, see)/.test(line)) console.error(line);
  });
}

type Waiting = Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>;

function replies(child: ChildProcess, file: string): Waiting {
  const waiting: Waiting = new Map();
  child.on('message', (message) => {
    const reply = message as Reply;
    const one = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) one?.reject(new Error(`${file}: ${reply.error}`));
    else one?.resolve(reply.value);
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended with ${signal ?? code}`));
    waiting.clear();
  });
  return waiting;
}

/** Makes this process do what the one that started it asks for; ends with it. */
export function serveVerbs(verbs: Verbs): void {
  process.on('message', (message) => {
    const { id, verb, input } = message as Order;
    void answer(verbs[verb], input).then((reply) => process.send?.({ id, ...reply }));
  });
  process.on('disconnect', () => process.exit(0));
}

async function answer(
  verb: Verbs[string] | undefined,
  input: unknown,
): Promise<{ value: unknown } | { error: string }> {
  try {
    if (verb === undefined) throw new Error('there is no such verb');
    return { value: await verb(input as never) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
