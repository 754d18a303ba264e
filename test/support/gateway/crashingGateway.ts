import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../demo/cluster/freePort.ts';
import type { GatewayProcess } from '../../../demo/cluster/gatewayProcess.ts';
import type { App } from '../../../src/app.ts';
import { Gateway } from './gateway.ts';
import { spawnGateway } from './gatewayProcess.ts';
import { WebhookRoom } from '../webhooks/webhookRoom.ts';

/** A gateway process on a data directory of its own that is ended and started again at the same address. */
export class CrashingGateway {
  readonly dataDir: string;
  readonly gateway: Gateway;
  readonly #port: string;
  readonly #rooms: WebhookRoom[] = [];
  #running: GatewayProcess;

  private constructor(dataDir: string, port: string, running: GatewayProcess) {
    this.dataDir = dataDir;
    this.#port = port;
    this.#running = running;
    const app: App = {
      demo: null,
      hasEarlierDemo: false,
      listen: () => Promise.reject(new Error('the gateway listens already')),
      close: async () => void (await this.#running.kill('SIGTERM')),
    };
    this.gateway = new Gateway(app, `http://127.0.0.1:${port}`, () => rm(dataDir, { recursive: true, force: true }));
  }

  static async open(env: Readonly<Record<string, string>> = {}): Promise<CrashingGateway> {
    const dataDir = await mkdtemp(join(tmpdir(), 'readyline-crash-'));
    const port = String(await freePort());
    const running = await spawnGateway(dataDir, { env: { ...env, PORT: port } });
    await running.url();
    return new CrashingGateway(dataDir, port, running);
  }

  /** The process that runs now, or ran last. */
  get process(): GatewayProcess {
    return this.#running;
  }

  /** Starts it again. Resolves before it listens. */
  async spawn(): Promise<GatewayProcess> {
    this.#running = await spawnGateway(this.dataDir, { env: { PORT: this.#port } });
    return this.#running;
  }

  /** Starts it again; resolves when it listens. */
  async start(): Promise<void> {
    await (await this.spawn()).url();
  }

  /** A company of its own for one situation. */
  async room(): Promise<WebhookRoom> {
    const clock = { now: () => Date.now(), after: () => () => {} };
    const room = await WebhookRoom.open(this.gateway, clock, `crash-${this.#rooms.length}`);
    this.#rooms.push(room);
    return room;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await Promise.all(this.#rooms.map((room) => room.close()));
  }
}
