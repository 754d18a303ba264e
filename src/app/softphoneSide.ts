import type { Config } from '../config.ts';
import type { NodeId } from '../domain/ids.ts';
import type { NodeChannel } from '../ports/nodeChannel.ts';
import type { Softphones } from '../ports/softphones.ts';
import type { Wall } from '../ports/wall.ts';
import { createGatewayBroadcast, type GatewayBroadcast } from '../realtime/gatewayBroadcast.ts';
import { createGatewayDuty } from '../realtime/gatewayDuty.ts';
import { createIo, type Io } from '../realtime/io.ts';
import { createNodeLink, type NodeLink, type OwnerSide } from '../realtime/nodeLink.ts';
import { createOwnPresences } from '../realtime/ownPresences.ts';
import { createOwnSoftphones } from '../realtime/ownSoftphones.ts';
import { createSoftphoneGateway } from '../realtime/softphoneGateway.ts';
import { createSoftphoneRegistry, type SoftphoneRegistry } from '../realtime/softphoneRegistry.ts';
import { createWall } from '../realtime/wall.ts';
import type { Services } from '../usecases/services.ts';
import type { Storage } from './storage.ts';

/** Everything that stands between the use cases and the softphones of this and the other gateways. */
export type SoftphoneSide = {
  io: Io;
  registry: SoftphoneRegistry;
  broadcast: GatewayBroadcast;
  softphones: Softphones;
  wall: Wall;
  /** Begins to listen to the other gateways, once the use cases are there. */
  join(services: Services): Promise<{ link: NodeLink; duty: () => Promise<void> }>;
};

type Needs = { storage: Storage; nodeId: NodeId; newId: () => string; onProblem: (message: string, error: unknown) => void };

/** Puts it together; use cases and softphones need each other, so the half that needs the use cases comes later. */
export function createSoftphoneSide(config: Config, { storage, nodeId, newId, onProblem }: Needs): SoftphoneSide {
  const { clock, presence, others } = storage;
  const ownOrigin = config.publicUrl === null ? [] : [new URL(config.publicUrl).origin];
  const io = createIo({ origins: [...config.corsOrigins, ...ownOrigin], isLocal: config.isLocal }, others?.adapter ?? null);
  const registry = createSoftphoneRegistry();
  const broadcast = createGatewayBroadcast({ io, registry, others });
  const later: { own?: OwnerSide; link?: NodeLink; channel?: NodeChannel } = {};
  const link = () => present(later.link);
  const own = () => present(later.own);

  return {
    io,
    registry,
    broadcast,
    wall: createWall(io),
    softphones: createSoftphoneGateway({ io, registry, presence, clock, nodeId, own, link, broadcast, onProblem }),
    async join(services) {
      const presences = createOwnPresences({ registry, services });
      later.own = createOwnSoftphones({ registry, services });
      const channel = () => present(later.channel);
      later.link = createNodeLink({ nodeId, channel, clock, newId, owner: later.own, onProblem });
      const duty = createGatewayDuty({ registry, services, own: presences });
      presence.whenLost(async () => {
        await presences.restore();
        // Once all have theirs back: what was lost on the way besides.
        duty.compare();
      });
      if (others !== null) {
        later.channel = await others.listen((message) => later.link?.receive(message), () => duty.compare());
      }
      return { link: later.link, duty: () => duty.round() };
    },
  };
}

function present<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the gateway has not joined the others yet');
  return part;
}
