import { randomBytes } from 'node:crypto';
import type { ClusterGateway } from '../../demo/cluster/gateway.ts';
import type { BareWebhooks } from '../bare/webhooks.ts';
import type { Arrivals, Receiver } from '../load/receiver.ts';
import type { Worker } from '../worker.ts';
import { createEndpoints, type BenchEndpoint } from './endpoints.ts';
import type { CaseRoom } from './room.ts';

/** A gateway, the bare sender, and the receiver that both send to. */
export interface WebhookScene {
  readonly room: CaseRoom;
  readonly gateway: ClusterGateway;
  readonly bare: Worker<BareWebhooks>;
  readonly receiver: Worker<Receiver>;
  /** Each at an address of its own. */
  endpoints(needs: { count: number; path: string; maxInFlight?: number }): Promise<BenchEndpoint[]>;
}

export async function openWebhookScene(room: CaseRoom): Promise<WebhookScene> {
  const encryptionKey = randomBytes(32).toString('hex');
  // No balancer is to notice when it ends.
  const env = { ENCRYPTION_KEY: encryptionKey, WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'loopback', DRAIN_SECONDS: '0' };
  const [gateway] = (await room.gateways(1, { env })).gateways;
  if (gateway === undefined) throw new Error('no gateway was started');
  const receiver = room.worker<Receiver>('load/receiver.ts');
  return {
    room,
    gateway,
    receiver,
    bare: room.worker<BareWebhooks>('bare/webhooks.ts'),
    async endpoints({ count, ...rest }) {
      const origins = await receiver.ask('listen', { servers: count });
      return createEndpoints(room, { encryptionKey, origins, ...rest });
    },
  };
}

/** Throws unless each of these arrived exactly once and where it belongs, and nothing else did. */
export function mustHaveArrivedOnce({ ids, paths }: Arrivals, expected: readonly { id: string; path: string }[]): void {
  const arrived = new Set(ids);
  const missing = expected.filter(({ id }) => !arrived.has(id)).length;
  if (missing > 0 || ids.length !== expected.length) {
    throw new Error(`of ${expected.length} deliveries ${missing} are missing, and ${ids.length} requests came`);
  }
  const perPath = new Map<string, number>();
  for (const { path } of expected) perPath.set(path, (perPath.get(path) ?? 0) + 1);
  for (const [path, count] of perPath) {
    if (paths.get(path) !== count) throw new Error(`${path} did not get what it should`);
  }
}
