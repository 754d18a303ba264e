import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Redis } from 'ioredis';
import pg from 'pg';
import { WebSocket } from 'ws';
import { loadScript } from '../../../src/adapters/redis/scripts.ts';
import { eventually } from '../time/waiting.ts';

/** What the gateways of this process asked of the stores and told softphones, in order. */
export type Traffic = {
  /** By their names; of one without a name its first words. */
  statements: string[];
  /** As they were sent, by their names, but for what gateways tell each other; a script by its own. */
  commands: string[];
  /** What scripts did within. */
  scripted: string[];
  /** The events that went to softphones; `ack` answers one of theirs. */
  frames: string[];
};

/**
 * Does something and tells what that took. Nothing else may be under way.
 * @param redis a connection to the database that the gateways share
 */
export async function trafficOf(redis: Redis, action: () => Promise<unknown>): Promise<Traffic> {
  const traffic: Traffic = { statements: [], commands: [], scripted: [], frames: [] };
  const stopCommands = await watchCommands(redis, ({ name, isScripted }) => {
    if (!beside.includes(name)) (isScripted ? traffic.scripted : traffic.commands).push(name);
  });
  const stopStatements = watchCalls(pg.Client.prototype, 'query', (_client, asked) => {
    const { name, text } = (typeof asked === 'string' ? { text: asked } : asked) as { name?: string; text?: string };
    traffic.statements.push(name ?? (text ?? '').trim().split(/\s+/).slice(0, 3).join(' '));
  });
  const stopFrames = watchCalls(WebSocket.prototype, 'send', (socket, data) => {
    // The softphones of the test are in this process, too.
    if ('_isServer' in socket && socket._isServer === true) traffic.frames.push(eventOf(String(data)));
  });
  try {
    await action();
  } finally {
    await stopCommands();
    stopStatements();
    stopFrames();
  }
  return traffic;
}

/** Does something and tells to which channels of Redis something was sent meanwhile. */
export async function channelsSentTo(redis: Redis, action: () => Promise<unknown>): Promise<string[]> {
  const channels: string[] = [];
  const stop = await watchCommands(redis, ({ name, argument }) => {
    if (name === 'spublish') channels.push(argument);
  });
  try {
    await action();
  } finally {
    await stop();
  }
  return channels;
}

/** `42["agent_state",…` of Socket.IO is an event, `43…` an answer. */
function eventOf(packet: string): string {
  return packet.startsWith('43') ? 'ack' : (/^42\d*\["(\w+)"/.exec(packet)?.[1] ?? packet.slice(0, 2));
}

/**
 * What keeps connections and clocks right whatever else is done;
 * and what gateways tell each other, which nobody waits for.
 */
const beside = ['ping', 'time', 'spublish'];
const scripts = new Map((['claim', 'commit', 'time'] as const).map((name) => [loadScript(name).sha, name]));

/** A command by its name, a script by its own; `isScripted`: a script did it. */
type SeenCommand = { name: string; argument: string; isScripted: boolean };

async function watchCommands(redis: Redis, tell: (command: SeenCommand) => void): Promise<() => Promise<void>> {
  const { db = 0, host = '', port = 0 } = redis.options;
  const monitor = connect(port, host);
  const marker = 'all of it is told';
  let begun = false;
  let ended = false;
  createInterface({ input: monitor }).on('line', (line) => {
    begun ||= line === '+OK';
    ended ||= line.includes(marker);
    const [, database, source, command = '', argument = ''] =
      /^\+\S+ \[(\d+) (\S+)\] "(\w+)"(?: "([^"]*)")?/.exec(line) ?? [];
    if (database !== String(db) || ended) return;
    tell({ name: scripts.get(argument) ?? command.toLowerCase(), argument, isScripted: source === 'lua' });
  });
  monitor.write('MONITOR\r\n');
  await eventually(() => begun);
  return async () => {
    await redis.echo(marker);
    await eventually(() => ended);
    monitor.destroy();
  };
}

/** Tells of every call of a method until it is told to stop. */
function watchCalls<M extends string>(
  prototype: Record<M, unknown>,
  method: M,
  tell: (self: object, first: unknown) => void,
): () => void {
  const original = prototype[method] as (...args: unknown[]) => unknown;
  prototype[method] = function (this: object, ...args: unknown[]): unknown {
    tell(this, args[0]);
    return Reflect.apply(original, this, args);
  };
  return () => void (prototype[method] = original);
}
