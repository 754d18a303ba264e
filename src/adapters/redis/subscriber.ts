import { Cluster, Redis } from 'ioredis';
import { connectRedis, type RedisConnectionOptions } from './connection.ts';

export async function connectSubscriber(url: string, options: RedisConnectionOptions): Promise<Redis | Cluster> {
  return connectRedis(url, options);
}
