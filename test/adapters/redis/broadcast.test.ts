import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { io as connectSocket, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedisServer } from '../../../demo/cluster/redisServer.ts';
import { connectRedis } from '../../../src/adapters/redis/connection.ts';
import { type Broadcast, createBroadcast } from '../../../src/adapters/redis/gatewayMessages.ts';
import { connectSubscriber } from '../../../src/adapters/redis/subscriber.ts';
import { ask, startRedisCluster, until } from '../../support/stores/redisCluster.ts';
import { type RedisSetup, redisSetups } from './redisSetups.ts';

const channelOf = (room: string) => `readyline:broadcast#/#${room}#`;

/** A Socket.IO server with one connection. */
type Node = Broadcast & { io: Server; heard: string[]; join: (room: string) => void; close: () => Promise<void> };

describe.each(redisSetups)('the broadcast among gateways, on $name', ({ start }) => {
  let setup: RedisSetup;
  let one: Node;
  let two: Node;
  let nodes: Node[];

  // One for all: after a disruption it serves again.
  beforeAll(async () => {
    setup = await start();
  });
  beforeEach(async () => {
    nodes = [await open(setup.url), await open(setup.url)];
    [one, two] = nodes as [Node, Node];
  });
  afterEach(async () => {
    for (const { close } of nodes) await close();
  });
  afterAll(() => setup.stop());

  it('reaches the rooms of other gateways', async () => {
    two.join('acme');
    await reaches(one, two, 'acme', 'hello');
    expect(one.heard).toEqual([]);
    one.io.to('nobody').emit('said', 'nothing');
    one.io.serverSideEmit('changed', 'acme');
    await new Promise((resolve) => two.io.once('changed', resolve));
    expect(two.heard).not.toContain('nothing');
  });

  it('hears again after the disruption, also of rooms joined meanwhile', async () => {
    two.join('acme');
    await reaches(one, two, 'acme', 'before');
    // What was known before does not count after it.
    await isUnheard(one, 'joined meanwhile');
    const over = setup.disrupt(channelOf('acme'));
    two.join('joined meanwhile');
    await over;
    await reaches(one, two, 'acme', 'after');
    await reaches(one, two, 'joined meanwhile', 'there too');
  });

  it('knows of rooms that nobody hears, until it is told otherwise', async () => {
    await isUnheard(one, 'acme');
    expect(one.mayBeHeard('other')).toBe(true);
    two.join('acme');
    await two.isHeard();
    one.noteHearers('acme');
    one.io.to('acme').emit('said', 'hello');
    await until(() => two.heard.includes('hello'));
    expect(one.mayBeHeard('acme')).toBe(true);
    two.io.local.socketsLeave('acme');
    await isUnheard(one, 'acme');
  });

  it('asks every other gateway', async () => {
    two.io.on('changed', (answer: (text: string) => void) => answer('noted'));
    await until(async () => (await one.io.serverSideEmitWithAck('changed')).length === 1);
  });

  it('lets rooms be joined and left, and gateways close, while Redis is away', async () => {
    two.join('acme');
    await reaches(one, two, 'acme', 'before');
    // The last test: nobody starts it again.
    await setup.stop();
    one.join('late');
    two.io.local.socketsLeave('acme');
    one.io.to('late').emit('said', 'here');
    await until(() => one.heard.includes('here'));
  });
});

describe('the broadcast among gateways', () => {
  it('reaches rooms behind a planned change of servers', async () => {
    const cluster = await startRedisCluster({ withReplicas: true });
    const [one, two] = [await open(cluster.url), await open(cluster.url)];
    two.join('acme');
    await reaches(one, two, 'acme', 'before');
    await cluster.handOver(channelOf('acme'));
    await reaches(one, two, 'acme', 'after');
    for (const { close } of [one, two]) await close();
    await cluster.stop();
  });

  it('does not take who cannot be asked for nobody', async () => {
    const server = await startRedisServer();
    const [one, two] = [await open(server.url), await open(server.url)];
    two.join('acme');
    await reaches(one, two, 'acme', 'before');
    await server.stop();
    await expect(one.io.serverSideEmitWithAck('changed')).rejects.toThrow('timeout');
    expect(one.mayBeHeard('nobody knows')).toBe(true);
    for (const { close } of [one, two]) await close();
  });

  it('asks Redis for no room that none of its connections has joined', async () => {
    const server = await startRedisServer();
    const [one, two] = [await open(server.url), await open(server.url)];
    const listeners = () =>
      ask(server.port, (redis) => redis.call('PUBSUB', 'SHARDNUMSUB', channelOf('acme'), channelOf('other')));
    two.join('acme');
    one.join('other');
    await reaches(one, two, 'acme', 'hello');
    await reaches(two, one, 'other', 'hello');
    expect(await listeners()).toEqual([channelOf('acme'), 1, channelOf('other'), 1]);
    two.io.local.socketsLeave('acme');
    await until(async () => String(await listeners()) === String([channelOf('acme'), 0, channelOf('other'), 1]));
    for (const { close } of [one, two]) await close();
    await server.stop();
  });
});

async function open(url: string): Promise<Node> {
  const redis = await connectRedis(url, { onError: () => undefined });
  const subscriber = await connectSubscriber(url, { onError: () => undefined });
  const http = createServer();
  // Time stands still: what is believed is believed until it is told otherwise.
  const broadcast = createBroadcast({ redis, subscriber, now: () => 1 });
  const io = new Server(http, { adapter: broadcast.adapter, transports: ['websocket'] });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  // As a gateway does.
  subscriber.on('ready', () => io.serverSideEmit('gap'));
  io.on('gap', () => broadcast.noteHearers(null));
  const client: Socket = connectSocket(`http://127.0.0.1:${port}`, { transports: ['websocket'] });
  const heard: string[] = [];
  client.on('said', (text: string) => heard.push(text));
  await once(io, 'connection');
  return {
    ...broadcast,
    io,
    heard,
    join: (room) => io.local.socketsJoin(room),
    async close() {
      client.disconnect();
      await io.close();
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}

/** Says it until Redis has told that nobody hears it. */
async function isUnheard(node: Node, room: string): Promise<void> {
  await until(async () => {
    node.io.to(room).emit('said', 'nothing');
    await new Promise((resolve) => setImmediate(resolve));
    return !node.mayBeHeard(room);
  });
}

/** Says it until it is heard: nobody is told when a room that was joined is heard of. */
async function reaches(from: Node, to: Node, room: string, text: string): Promise<void> {
  await until(async () => {
    if (from.mayBeHeard(room)) from.io.to(room).emit('said', text);
    await new Promise((resolve) => setImmediate(resolve));
    return to.heard.includes(text);
  });
}
