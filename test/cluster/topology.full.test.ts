import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type ClusterOptions } from '../../demo/cluster/topology.ts';
import { Softphone } from '../../src/client/softphone.ts';
import { ClusterRoom, isThere } from '../support/gateway/clusterRoom.ts';
import { createDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { inState } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

describe('two gateways behind HAProxy', () => {
  let room: ClusterRoom;
  const statusOfHealth = async (url = room.cluster.url) => (await fetch(`${url}/api/health`)).status;
  const inRotation = async () => (await room.cluster.balancer?.inRotation())?.join(' ');

  beforeAll(async () => {
    room = await ClusterRoom.open({ gateways: 2, balancer: true });
  });
  afterAll(() => room.close());

  it('serves REST from both of them', async () => {
    expect(await inRotation()).toBe('g1 g2');
    const requests = async (url: string) => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const counts = metrics.matchAll(/readyline_http_request_duration_seconds_count\{[^}]*platform[^}]*\} (\d+)/g);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    for (let index = 0; index < 4; index += 1) {
      const answer = await fetch(`${room.cluster.url}/api/public/platform`);
      expect(answer.status).toBe(200);
    }
    expect(await Promise.all(room.cluster.gateways.map(({ url }) => requests(url)))).toEqual([2, 2]);
  });

  it('serves a softphone over WebSocket, which needs no cookie', async () => {
    const softphone = new Softphone({ url: room.cluster.url, token: room.token });
    try {
      await softphone.connect();
      await softphone.setReady();
      await inState(softphone, 'ready');
    } finally {
      softphone.close();
    }
  });

  it('sends nothing to a gateway that was killed, answers through the other one, and has it back after its start', async () => {
    const [first] = room.cluster.gateways;
    await first?.kill('SIGKILL');
    // Before the balancer has noticed: a connection that is refused goes on to the other gateway.
    for (let index = 0; index < 4; index += 1) expect(await statusOfHealth()).toBe(200);
    await eventually(async () => (await inRotation()) === 'g2');
    await first?.start();
    await eventually(async () => (await inRotation()) === 'g1 g2');
    expect(await statusOfHealth(first?.url)).toBe(200);
  });

  it('takes a gateway that stands still out of rotation', async () => {
    const [first] = room.cluster.gateways;
    first?.pause();
    await eventually(async () => (await inRotation()) === 'g2');
    first?.resume();
    await eventually(async () => (await inRotation()) === 'g1 g2');
  });

  it('lets one more gateway join at once', async () => {
    const added = await room.cluster.addGateway();
    expect(added.nodeName).toBe('g3');
    expect(await inRotation()).toBe('g1 g2 g3');
    expect(await statusOfHealth(added.url)).toBe(200);
  });
});

describe('a cluster', () => {
  const started = new Map<string, number>();
  const own: ClusterOptions = { gateways: 1, balancer: false, onStarted: (part, pid) => started.set(part, pid) };

  it('has its own Redis and PostgreSQL, which start again at the same address, and leaves nothing behind', async () => {
    const cluster = await startCluster(own);
    try {
      expect(cluster.url).toBe(cluster.gateways[0]?.url);
      const isWell = async () => (await fetch(`${cluster.url}/api/health`)).status === 200;
      expect(await isWell()).toBe(true);
      await cluster.postgres?.kill('SIGKILL');
      expect(await isWell()).toBe(false);
      await cluster.postgres?.restart();
      await cluster.redis?.restart();
      await eventually(isWell);
    } finally {
      await cluster.stop();
    }
    expect([...started.keys()]).toEqual(['Redis', 'PostgreSQL', 'gateway g1']);
    expect([...started.values()].filter(isThere)).toEqual([]);
  });

  it('that cannot start stops what has been started', async () => {
    started.clear();
    await expect(startCluster({ ...own, env: { LOG_LEVEL: 'shout' } })).rejects.toThrow('LOG_LEVEL must be one of');
    expect([...started.keys()]).toEqual(['Redis', 'PostgreSQL']);
    expect([...started.values()].filter(isThere)).toEqual([]);
  });

  it('runs gateways whose clocks differ, each with an environment of its own', async () => {
    const database = await createDatabase();
    const storage = { databaseUrl: database.url, redisUrl: await redisUrl() };
    const cluster = await startCluster({
      ...storage,
      gateways: 2,
      balancer: false,
      clockAheadMs: [0, 3_600_000],
      env: (index) => ({ PUBLIC_URL: `http://node${index}.example` }),
    });
    try {
      const documentation = async (url: string) =>
        ((await (await fetch(`${url}/api/public/platform`)).json()) as { documentation: string }).documentation;
      expect(await Promise.all(cluster.gateways.map(({ url }) => documentation(url)))).toEqual([
        'http://node0.example/docs',
        'http://node1.example/docs',
      ]);
    } finally {
      await cluster.stop();
      await database.drop();
    }
  });
});
