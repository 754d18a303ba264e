import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterGateway } from '../../../demo/cluster/gateway.ts';
import { eventually } from '../../support/time/waiting.ts';
import type { Ledger } from '../ledger.ts';
import type { OutboxRecords } from './outboxRecords.ts';
import type { Target } from './target.ts';

/**
 * When a gateway is killed: while attempts are unanswered; when answers have come and are not settled; at any moment
 * under load; as soon as it listens again.
 */
export type Moment = 'unanswered' | 'unsettled' | 'loaded' | 'fresh';

/** `gateway`: its name. Times as of `Ledger.now`: when the signal was sent, and when the gateway listened again. */
export type Kill = { moment: Moment; gateway: string; at: number; backAt: number };

/** The gateways that are killed. */
export type Victims = {
  all: readonly ClusterGateway[];
  /** The running one with that node id. */
  byNode(nodeId: string | null): ClusterGateway;
  /** Starts one again; resolves when it listens. */
  start(gateway: ClusterGateway): Promise<void>;
  /** Those that were killed and do not listen again yet: nobody asks them. */
  down: Set<ClusterGateway>;
};

/** Where it happens. */
export type Scene = { victims: Victims; records: OutboxRecords; ledger: Ledger };

/** Once there is load again, the kill comes within this time. */
const loadedAtMostMs = 800;
const freshAtMostMs = 300;
/** Others join the first attempt that is held back. */
const joinMs = 40;

/** Kills a gateway at that moment and starts it again at once. `target`: whose attempts make the moment. */
export async function strike(scene: Scene, moment: Moment, target: Target): Promise<Kill> {
  const { gateway, afterwards } = await comeTo(moment, scene, target);
  const { ledger, victims } = scene;
  if (gateway.process.hasEnded) throw new Error(`the gateway ended by itself: ${gateway.process.stderr}`);
  const at = ledger.now();
  victims.down.add(gateway);
  await gateway.kill('SIGKILL');
  ledger.did(`${gateway.nodeName} was killed at ${at}: ${moment}, ${target.name} endpoint`);
  await afterwards();
  await victims.start(gateway);
  victims.down.delete(gateway);
  ledger.did(`${gateway.nodeName} listens again`);
  return { moment, gateway: gateway.nodeName, at, backAt: ledger.now() };
}

/** Whom to kill now, and what to do before it may start again. */
type Scaffold = { gateway: ClusterGateway; afterwards: () => Promise<void> | void };

async function comeTo(moment: Moment, scene: Scene, target: Target): Promise<Scaffold> {
  const { victims } = scene;
  const someone = () => ({ gateway: someOf(victims.all), afterwards: () => undefined });
  switch (moment) {
    case 'unanswered':
      return { gateway: await holderOfHeld(scene, target), afterwards: () => target.release() };
    case 'unsettled':
      return comeToUnsettled(scene, target);
    case 'loaded': {
      const before = target.arrivals.length;
      await target.until(() => target.arrivals.length > before);
      await pause(Math.random() * loadedAtMostMs);
      return someone();
    }
    case 'fresh':
      await pause(Math.random() * freshAtMostMs);
      return someone();
  }
}

/** Until a gateway waits for an answer that the endpoint holds back. */
async function holderOfHeld({ victims, records }: Scene, target: Target): Promise<ClusterGateway> {
  target.hold();
  await target.until(() => target.held.length > 0);
  await pause(Math.random() * joinMs);
  return victims.byNode(await records.holderOf(target.held[0]?.deliveryId ?? ''));
}

/** Until the gateway has the answers and cannot settle: what it asks for is lost with it. */
async function comeToUnsettled(scene: Scene, target: Target): Promise<Scaffold> {
  const gateway = await holderOfHeld(scene, target);
  const grip = await scene.records.grip(target.held.map(({ deliveryId }) => deliveryId));
  target.release();
  try {
    await eventually(async () => (await grip.waiters()) > 0);
  } catch (error) {
    await grip.loosen();
    throw new Error('a gateway that has an answer settles', { cause: error });
  }
  return { gateway, afterwards: () => grip.loosen() };
}

function someOf(gateways: readonly ClusterGateway[]): ClusterGateway {
  const gateway = gateways[Math.floor(Math.random() * gateways.length)];
  if (gateway === undefined) throw new Error('there is a gateway');
  return gateway;
}
