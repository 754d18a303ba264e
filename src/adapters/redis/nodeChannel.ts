import type { Cluster, Redis } from 'ioredis';
import type { NodeId } from '../../domain/ids.ts';
import type { NodeChannel } from '../../ports/nodes.ts';
import type { Subscriber } from './subscriber.ts';

const channelOf = (nodeId: NodeId): string => `readyline:node:${nodeId}`;

/**
 * Each gateway subscribes to one sharded channel of its own, at the server that others publish to; so that server knows
 * whether it listens. Resolves when this gateway is subscribed.
 * @param receive is given each message to this gateway; what it throws goes to `onProblem`
 */
export async function createRedisNodeChannel({
  redis,
  subscriber,
  nodeId,
  receive,
  onProblem,
}: {
  redis: Redis | Cluster;
  subscriber: Subscriber;
  nodeId: NodeId;
  receive: (message: string) => void;
  onProblem: (message: string, error: unknown) => void;
}): Promise<NodeChannel> {
  const channel = channelOf(nodeId);
  await subscriber.listen(channel, (message) => {
    try {
      receive(message.toString());
    } catch (error) {
      onProblem('a message of another gateway could not be taken', error);
    }
  });
  return {
    send: async (to, message) => Number(await redis.spublish(channelOf(to), message)) > 0,
    close: () => subscriber.ignore(channel),
  };
}
