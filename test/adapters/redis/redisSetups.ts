import { startRedisServer } from '../../../demo/cluster/redisServer.ts';
import { startRedisCluster } from '../../support/stores/redisCluster.ts';
import { startRedisSentinel } from '../../support/stores/redisSentinel.ts';

/** A way to run Redis, and what may happen to it. */
export type RedisSetup = {
  url: string;
  /** Ends the server that serves the key or channel, and resolves when it is served again, with or without its data. */
  disrupt(key: string): Promise<void>;
  /** Ends all servers for good. */
  stop(): Promise<void>;
};

/** Each way to run Redis that the gateway knows. */
export const redisSetups: { name: string; start: () => Promise<RedisSetup> }[] = [
  { name: 'a server that restarts', start: startStandalone },
  { name: 'a cluster of which one server restarts', start: startRestartingCluster },
  { name: 'a cluster of which one server fails for good', start: startFailingCluster },
  { name: 'a primary that sentinels replace', start: startFailingPrimary },
];

async function startStandalone(): Promise<RedisSetup> {
  const server = await startRedisServer();
  return { url: server.url, disrupt: () => server.restart(), stop: () => server.stop() };
}

async function startRestartingCluster(): Promise<RedisSetup> {
  const cluster = await startRedisCluster();
  return {
    url: cluster.url,
    async disrupt(key) {
      await (await cluster.serverOf(key)).restart();
      await cluster.isUp();
    },
    stop: () => cluster.stop(),
  };
}

async function startFailingCluster(): Promise<RedisSetup> {
  const cluster = await startRedisCluster({ withReplicas: true });
  return {
    url: cluster.url,
    async disrupt(key) {
      await (await cluster.serverOf(key)).kill('SIGKILL');
      await cluster.failedOver(key);
    },
    stop: () => cluster.stop(),
  };
}

async function startFailingPrimary(): Promise<RedisSetup> {
  const { url, servers, isPrimary, stop } = await startRedisSentinel();
  const [primary, replica] = servers;
  return {
    url,
    async disrupt() {
      await primary.kill('SIGKILL');
      await isPrimary(replica);
    },
    stop,
  };
}
