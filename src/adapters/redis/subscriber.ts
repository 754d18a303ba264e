import { Cluster, Command, type Redis } from 'ioredis';
import { connectRedis, type RedisConnectionOptions } from './connection.ts';
import { isRefusal } from './serverRefusal.ts';
import { WatchedCluster } from './watchedCluster.ts';

/** How often the servers in use are pinged, and failed subscriptions are tried again. Milliseconds. */
const pulseMs = 1_000;

/**
 * Subscribes to sharded channels, each at the server that holds its slot, and again after a lost connection, a restart,
 * a failover or the move of a slot, also when asked while Redis was away. The library's own renewal is not enough: it
 * forgets subscriptions whose renewal fails, and does not catch their rejections.
 */
export interface Subscriber {
  /**
   * Subscribes to a channel, replacing its earlier listener. `hear` is called in the order sent.
   * @returns resolves when the server has confirmed it, or nobody wants it any more; never rejects
   */
  listen(channel: string, hear: (message: Buffer) => void): Promise<void>;
  /** Whether the server has confirmed it, and no message may have been lost since. */
  hears(channel: string): boolean;
  /** Unsubscribes; never rejects. */
  ignore(channel: string): Promise<void>;
  /** Subscribes to a channel that nobody uses, and leaves it again. Rejects with what the server says against it. */
  tryOut(channel: string): Promise<void>;
  /** `ready`: channels are subscribed again after messages may have been lost. Not emitted the first time. */
  on(event: 'ready', listener: () => void): void;
  /** Ends the connection. May be called twice. */
  disconnect(): void;
}

type Listening = {
  hear: (message: Buffer) => void;
  /** The server that has confirmed it or is being asked; null: none. */
  at: Redis | null;
  /** Messages may have been lost since it was last confirmed. */
  missed: boolean;
  confirmed: boolean;
  /** Settles the promise of `listen`. */
  begin: () => void;
};

/** Opens a connection of its own for subscriptions. Url, options and rejections are those of `connectRedis`. */
export async function connectSubscriber(url: string, options: RedisConnectionOptions): Promise<Subscriber> {
  return createSubscriber(await connectRedis(url, options), options.onError);
}

function createSubscriber(redis: Redis | Cluster, onError: (error: Error) => void): Subscriber {
  const listenings = new Map<string, Listening>();
  const watched = new WeakSet<Redis>();
  const readyListeners: (() => void)[] = [];
  let telling: NodeJS.Immediate | null = null;
  let failedSincePulse = false;

  function subscribe(channel: string, listening: Listening): void {
    const server = serverOf(redis, channel);
    const { at } = listening;
    if (server === null || server === at) return;
    if (at !== null) {
      // A former primary would go on publishing as a replica.
      at.sunsubscribe(channel).catch(() => undefined);
      lose(listening);
    }
    watch(server);
    listening.at = server;
    server.ssubscribe(channel).then(
      () => {
        if (listening.at === server) confirm(listening);
      },
      (error: unknown) => {
        failedSincePulse = true;
        // A lost connection tells of itself.
        if (error instanceof Error && isRefusal(error)) onError(error);
        if (listening.at === server) lose(listening);
      },
    );
  }

  function subscribeAll(): void {
    for (const [channel, listening] of listenings) subscribe(channel, listening);
  }

  function confirm(listening: Listening): void {
    listening.confirmed = true;
    listening.begin();
    if (!listening.missed) return;
    listening.missed = false;
    telling ??= setImmediate(() => {
      telling = null;
      for (const listener of readyListeners) listener();
    });
  }

  function lose(listening: Listening): void {
    listening.missed ||= listening.confirmed;
    listening.confirmed = false;
    listening.at = null;
  }

  function loseAllAt(server: Redis): void {
    for (const listening of listenings.values()) if (listening.at === server) lose(listening);
  }

  function watch(server: Redis): void {
    if (watched.has(server)) return;
    watched.add(server);
    server.on('smessageBuffer', (channel: Buffer, message: Buffer) => {
      const listening = listenings.get(channel.toString());
      if (listening?.at !== server) return;
      try {
        listening.hear(message);
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
      }
    });
    server.on('close', () => loseAllAt(server));
    // A slot was moved away, with its subscriptions.
    server.on('moved', () => {
      loseAllAt(server);
      if (redis instanceof WatchedCluster) redis.readSlots();
    });
  }

  redis.on('ready', subscribeAll);
  // After a failure the next pulse is early enough: each attempt ends with reading the slots, hence with a `refresh`.
  redis.on('refresh', () => {
    if (!failedSincePulse) subscribeAll();
  });
  const pulse = setInterval(() => {
    failedSincePulse = false;
    const servers = new Set([...listenings.values()].flatMap(({ at }) => at ?? []));
    // A server that does not answer is dropped by its connection's own time-out.
    for (const server of servers) server.ping().catch(() => undefined);
    subscribeAll();
  }, pulseMs);

  return {
    listen(channel, hear) {
      listenings.get(channel)?.begin();
      return new Promise((resolve) => {
        const listening = { hear, at: null, missed: false, confirmed: false, begin: resolve };
        listenings.set(channel, listening);
        subscribe(channel, listening);
      });
    },
    hears: (channel) => listenings.get(channel)?.confirmed === true,
    async ignore(channel) {
      const listening = listenings.get(channel);
      listenings.delete(channel);
      listening?.begin();
      await listening?.at?.sunsubscribe(channel).catch(() => undefined);
    },
    async tryOut(channel) {
      const server = serverOf(redis, channel);
      if (server === null) throw new Error('no server of Redis is reached that serves the channel');
      await server.ssubscribe(channel);
      await server.sunsubscribe(channel);
    },
    on(_event, listener) {
      readyListeners.push(listener);
    },
    disconnect() {
      clearInterval(pulse);
      if (telling !== null) clearImmediate(telling);
      for (const { begin } of listenings.values()) begin();
      listenings.clear();
      redis.disconnect();
    },
  };
}

/** The server where a channel is published; null: unknown, or not reachable now. */
function serverOf(redis: Redis | Cluster, channel: string): Redis | null {
  if (!(redis instanceof Cluster)) return redis.status === 'ready' ? redis : null;
  const slot = new Command('ssubscribe', [channel]).getSlot();
  const primary = redis.slots[slot ?? -1]?.[0];
  return redis.nodes('master').find(({ options }) => `${options.host}:${options.port}` === primary) ?? null;
}
