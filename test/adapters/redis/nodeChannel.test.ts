import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRedis } from '../../../src/adapters/redis/connection.ts';
import { createRedisNodeChannel } from '../../../src/adapters/redis/gatewayMessages.ts';
import { connectSubscriber } from '../../../src/adapters/redis/subscriber.ts';
import { type NodeId, toId } from '../../../src/domain/ids.ts';
import type { NodeChannel } from '../../../src/ports/nodes.ts';
import { until } from '../../support/stores/redisCluster.ts';
import { type RedisSetup, redisSetups } from './redisSetups.ts';

type Node = {
  id: NodeId;
  channel: NodeChannel;
  heard: string[];
  problems: unknown[];
  /** How often it was told that messages may have been lost. */
  gaps: () => number;
  disconnect: () => void;
};

describe.each(redisSetups)('the channel between gateways, on $name', ({ start }) => {
  let setup: RedisSetup;
  let one: Node;
  let two: Node;
  let three: Node;
  const nodes: Node[] = [];

  // One for all: after a disruption it serves again.
  beforeAll(async () => {
    setup = await start();
  });
  beforeEach(async () => {
    [one, two, three] = [await open(), await open(), await open()];
  });
  afterEach(async () => {
    for (const { channel, disconnect } of nodes.splice(0)) {
      await channel.close();
      disconnect();
    }
  });
  afterAll(() => setup.stop());

  async function open(): Promise<Node> {
    const id = toId<NodeId>(randomUUID());
    const heard: string[] = [];
    const problems: unknown[] = [];
    let gaps = 0;
    const redis = await connectRedis(setup.url, { onError: () => undefined });
    const subscriber = await connectSubscriber(setup.url, { onError: () => undefined });
    subscriber.on('ready', () => (gaps += 1));
    const channel = await createRedisNodeChannel({
      redis,
      subscriber,
      nodeId: id,
      receive(message) {
        heard.push(message);
        if (message === 'broken') throw new Error('no such message');
      },
      onProblem: (_, error) => problems.push(error),
    });
    const disconnect = () => {
      redis.disconnect();
      subscriber.disconnect();
    };
    const node = { id, channel, heard, problems, gaps: () => gaps, disconnect };
    nodes.push(node);
    return node;
  }

  async function said(to: Node, message: string, from = one): Promise<void> {
    expect(await from.channel.send(to.id, message)).toBe(true);
    await until(() => to.heard.includes(message));
  }

  it('gives each message once, in order, to the addressed gateway alone', async () => {
    const messages = Array.from({ length: 500 }, (_, index) => `${index} ☎`);
    const sent = await Promise.all(messages.map((message) => one.channel.send(two.id, message)));
    expect(sent).toEqual(messages.map(() => true));
    await said(three, 'last');
    await said(two, 'last');
    expect(two.heard).toEqual([...messages, 'last']);
    expect(three.heard).toEqual(['last']);
    expect(one.heard).toEqual([]);
  });

  it('says that nobody listens: a gateway that never was, one that has closed, one that is gone', async () => {
    expect(await one.channel.send(toId<NodeId>(randomUUID()), 'hello')).toBe(false);
    await two.channel.close();
    await two.channel.close();
    expect(await one.channel.send(two.id, 'hello')).toBe(false);
    three.disconnect();
    await until(async () => !(await one.channel.send(three.id, 'hello')));
    expect(two.heard).toEqual([]);
  });

  it('goes on after a message that could not be taken', async () => {
    await said(two, 'broken');
    await said(two, 'sound');
    expect(two.problems).toEqual([new Error('no such message')]);
  });

  it('hears again after the disruption, and tells that something may have been lost', async () => {
    await said(two, 'before');
    await setup.disrupt(`readyline:node:${two.id}`);
    await until(() => one.channel.send(two.id, 'again').catch(() => false));
    await until(() => two.heard.includes('again'));
    await until(() => two.gaps() > 0);
    await Promise.all(
      [one, two, three].map((from) => until(() => from.channel.send(from.id, 'self').catch(() => false))),
    );
    two.heard.length = 0;
    await said(two, 'once');
    await said(two, 'twice');
    expect(two.heard.filter((message) => message !== 'self')).toEqual(['once', 'twice']);
  });

  it('fails what is sent while Redis is away, and closes then', async () => {
    // The last test: nobody starts it again.
    await setup.stop();
    await expect(one.channel.send(two.id, 'hello')).rejects.toThrow();
    await two.channel.close();
    expect(two.heard).toEqual([]);
  });
});
