import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../demo/cluster/freePort.ts';
import type { Program } from '../../../demo/cluster/program.ts';
import { startRedisProgram, startRedisServer, type RedisServer } from '../../../demo/cluster/redisServer.ts';
import { ask, until } from './redisCluster.ts';

const primaryName = 'readyline';

export type SentinelPasswords = { servers?: string; sentinels?: string };

/** A real primary with one replica, watched by three sentinels, on 127.0.0.1. */
export interface RedisSentinel {
  /** As `connectRedis` takes it. */
  url: string;
  /** The first is the primary at the start. */
  servers: [RedisServer, RedisServer];
  sentinels: Program[];
  /** Resolves when the sentinels name the server as the primary, and it takes writes. */
  isPrimary(server: RedisServer): Promise<void>;
  stop(): Promise<void>;
}

/** A server that is silent for a second is down; a failover takes one to three seconds more. */
export async function startRedisSentinel(passwords: SentinelPasswords = {}): Promise<RedisSentinel> {
  const { servers: password, sentinels: sentinelPassword } = passwords;
  const settings = {
    'repl-diskless-sync-delay': '0',
    ...(password !== undefined && { masterauth: password }),
  };
  const login = password === undefined ? {} : { password };
  const primary = await startRedisServer({ settings, ...login });
  const replica = await startRedisServer({
    settings: { ...settings, replicaof: `127.0.0.1 ${primary.port}` },
    ...login,
  });
  await until(async () => (await replicationOf(replica)).includes('master_link_status:up'));
  const directory = await mkdtemp(join(tmpdir(), 'readyline-sentinel-'));
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const sentinels = await Promise.all(ports.map((port) => startSentinel(port)));
  // They find each other and the replica through the primary.
  for (const port of ports) await until(() => knows(port, 'slaves=1,sentinels=3'));

  async function startSentinel(port: number): Promise<Program> {
    const file = join(directory, `${port}.conf`);
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${directory}`,
      ...(sentinelPassword === undefined ? [] : [`requirepass ${sentinelPassword}`]),
      `sentinel monitor ${primaryName} 127.0.0.1 ${primary.port} 2`,
      `sentinel down-after-milliseconds ${primaryName} 1000`,
      `sentinel failover-timeout ${primaryName} 5000`,
      ...(password === undefined ? [] : [`sentinel auth-pass ${primaryName} ${password}`]),
    ];
    // Sentinels write what they learn into their configuration.
    await writeFile(file, `${lines.join('\n')}\n`);
    const program = await startRedisProgram([file, '--sentinel']);
    await program.says(/\+monitor master/);
    return program;
  }

  async function knows(port: number, fact: string): Promise<boolean> {
    return (await ask(port, (sentinel) => sentinel.info('sentinel'), sentinelPassword)).includes(fact);
  }

  async function replicationOf({ port }: RedisServer): Promise<string> {
    return ask(port, (server) => server.info('replication'), password);
  }

  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return {
    url:
      `redis-sentinel://${password === undefined ? '' : `:${password}@`}${hosts}/${primaryName}` +
      (sentinelPassword === undefined ? '' : `?sentinelPassword=${sentinelPassword}`),
    servers: [primary, replica],
    sentinels,
    async isPrimary(server) {
      for (const port of ports) await until(() => knows(port, `address=127.0.0.1:${server.port},`));
      await until(async () => (await replicationOf(server)).includes('role:master'));
    },
    async stop() {
      await Promise.all([...sentinels, primary, replica].map((program) => program.stop()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
