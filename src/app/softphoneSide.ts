import type { Config } from '../config.ts';
import type { NodeId } from '../domain/ids.ts';
import type { Softphones } from '../ports/softphones.ts';
import type { Wallboard } from '../ports/wallboard.ts';
import { createGatewayBroadcast, createWallboard, type GatewayBroadcast } from '../realtime/gatewayBroadcast.ts';
import { createHeartbeat } from '../realtime/heartbeat.ts';
import { createIo, type Io } from '../realtime/io.ts';
import { createLocalSoftphones } from '../realtime/localSoftphones.ts';
import { createMessageDelivery, type MessageDelivery } from '../realtime/messageDelivery.ts';
import { createNodeLink, type NodeLink } from '../realtime/nodeLink.ts';
import { createPresenceReconciler } from '../realtime/presenceReconciler.ts';
import { createSoftphoneGateway, type SoftphoneServers } from '../realtime/softphoneGateway.ts';
import { createSoftphoneRegistry, type SoftphoneRegistry } from '../realtime/softphoneRegistry.ts';
import type { Services } from '../usecases/services.ts';
import type { Storage } from './storage.ts';

/** Connects the use cases with the softphones of this and the other gateways. */
export type SoftphoneSide = {
  io: Io;
  registry: SoftphoneRegistry;
  broadcast: GatewayBroadcast;
  softphones: Softphones;
  wallboard: Wallboard;
  /** Begins to listen to the other gateways, once the use cases are there. */
  join(services: Services): Promise<{ link: NodeLink; heartbeat: () => Promise<void>; messages: MessageDelivery }>;
};

type Needs = {
  storage: Storage;
  nodeId: NodeId;
  newId: () => string;
  onProblem: (message: string, error: unknown) => void;
};

/**
 * Use cases and softphones need each other, so this comes in two halves: `join` makes the one that needs the use cases.
 */
export function createSoftphoneSide(config: Config, { storage, nodeId, newId, onProblem }: Needs): SoftphoneSide {
  const { clock, presence, others } = storage;
  const ownOrigin = config.publicUrl === null ? [] : [new URL(config.publicUrl).origin];
  const io = createIo(
    { origins: [...config.corsOrigins, ...ownOrigin], isLocal: config.isLocal },
    others?.adapter ?? null,
  );
  const registry = createSoftphoneRegistry();
  const broadcast = createGatewayBroadcast({ io, registry, others });
  let servers: SoftphoneServers | null = null;
  const softphoneServers = () => {
    if (servers === null) throw new Error('the gateway has not joined the others yet');
    return servers;
  };

  return {
    io,
    registry,
    broadcast,
    wallboard: createWallboard(broadcast),
    softphones: createSoftphoneGateway({
      registry,
      presence,
      clock,
      nodeId,
      softphoneServers,
      broadcast,
      onProblem,
    }),
    async join(services) {
      const reconciler = createPresenceReconciler({ registry, services });
      const local = createLocalSoftphones({ registry, services });
      const link = createNodeLink({ nodeId, clock, newId, owner: local, onProblem });
      const heartbeat = createHeartbeat({ registry, services, reconciler });
      const messages = createMessageDelivery({ registry, services });
      broadcast.onMessages(messages.look);
      servers = { local, link };
      presence.whenLost(async () => {
        await reconciler.restore();
        // After all gateways have restored their agents: what else was lost.
        heartbeat.compare();
      });
      if (others !== null) {
        link.connect(
          await others.listen(
            (message) => link.receive(message),
            () => {
              heartbeat.compare();
              broadcast.gap();
            },
          ),
        );
      }
      return { link, heartbeat: () => heartbeat.round(), messages };
    },
  };
}
