import { freePort } from './freePort.ts';
import { spawnGatewayProcess, type GatewayProcess } from './gatewayProcess.ts';
import type { Placing } from './program.ts';

/** What one gateway of a cluster is started with beside what all have in common. */
export type GatewayChanges = {
  env?: Readonly<Record<string, string>>;
  /** How far its clock is ahead of the machine's; negative: behind. */
  clockAheadMs?: number;
};

/** One gateway of a cluster: a process that may end and start again, always at the same address. */
export class ClusterGateway {
  /** `g1`, `g2`, …: what the balancer calls it. */
  readonly nodeName: string;
  readonly port: number;
  /** Its own address, past the balancer. */
  readonly url: string;
  readonly #placing: Placing;
  #env: Readonly<Record<string, string>>;
  #clockAheadMs: number;
  #process: GatewayProcess | null = null;

  private constructor(
    nodeName: string,
    port: number,
    env: Readonly<Record<string, string>>,
    clockAheadMs: number,
    placing: Placing,
  ) {
    this.nodeName = nodeName;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#env = { ...env, PORT: String(port) };
    this.#clockAheadMs = clockAheadMs;
    this.#placing = placing;
  }

  /** Starts one; resolves when it listens. Throws, and leaves nothing behind, when it does not. */
  static async start(
    nodeName: string,
    env: Readonly<Record<string, string>>,
    clockAheadMs: number,
    placing: Placing,
  ): Promise<ClusterGateway> {
    const gateway = new ClusterGateway(nodeName, await freePort(), env, clockAheadMs, placing);
    await gateway.start();
    return gateway;
  }

  /** The process that runs now, or ran last. */
  get process(): GatewayProcess {
    if (this.#process === null) throw new Error('the gateway has not been started');
    return this.#process;
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Starts it, having ended, with the changes for good; resolves when it listens. */
  async start({ env = {}, clockAheadMs }: GatewayChanges = {}): Promise<void> {
    this.#env = { ...this.#env, ...env };
    this.#clockAheadMs = clockAheadMs ?? this.#clockAheadMs;
    this.#process = await spawnGatewayProcess({ env: this.#env, clockAheadMs: this.#clockAheadMs, ...this.#placing });
    try {
      await this.#process.url();
    } catch (error) {
      await this.#process.stop().catch(() => undefined);
      throw error;
    }
  }

  /** Ends it in order, as a roll-out does. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  /** Ends it in order if it runs, and starts it again with the changes; resolves when it listens. */
  async restart(changes: GatewayChanges = {}): Promise<void> {
    await this.stop();
    await this.start(changes);
  }

  /** Sends a signal that ends it; resolves when it has ended. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    await this.process.kill(signal);
  }

  /** Stands still until `resume`; its connections stay open. */
  pause(): void {
    this.process.pause();
  }

  resume(): void {
    this.process.resume();
  }
}
