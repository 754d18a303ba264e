import type { Cluster, Redis } from 'ioredis';
import type { NodeId } from '../../domain/ids.ts';
import type { NodeChannel } from '../../ports/nodeChannel.ts';

const channelOf = (nodeId: NodeId): string => `readyline:node:${nodeId}`;

export async function createRedisNodeChannel({
  redis,
  subscriber,
  nodeId,
  receive,
  onProblem,
}: {
  redis: Redis | Cluster;
  subscriber: Redis | Cluster;
  nodeId: NodeId;
  receive: (message: string) => void;
  onProblem: (message: string, error: unknown) => void;
}): Promise<NodeChannel> {
  const channel = channelOf(nodeId);
  const hear = (from: string, message: string) => {
    if (from !== channel) return;
    try {
      receive(message);
    } catch (error) {
      onProblem('a message of another gateway could not be taken', error);
    }
  };
  subscriber.on('smessage', hear);
  await subscriber.ssubscribe(channel);
  return {
    send: async (to, message) => Number(await redis.spublish(channelOf(to), message)) > 0,
    async close() {
      subscriber.off('smessage', hear);
      await subscriber.sunsubscribe(channel).catch(() => undefined);
    },
  };
}
