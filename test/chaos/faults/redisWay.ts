import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** One gateway's way to Redis, which a test can cut or let fall silent. */
export interface RedisWay {
  /** To be given to the gateway in place of Redis' own. */
  readonly url: string;
  /** Every connection breaks; new ones break at once, until `mend`. */
  cut(): void;
  /**
   * Nothing arrives any more, and nothing is refused: as when a network drops all packets. What was sent meanwhile
   * arrives after `mend`, late, as TCP sees to it.
   */
  silence(): void;
  mend(): void;
  close(): Promise<void>;
}

/** @param redisUrl `redis://[:password@]127.0.0.1:port`, without a database */
export async function openRedisWay(redisUrl: string): Promise<RedisWay> {
  const target = new URL(redisUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | 'silent' = 'open';

  const flow = ([near, far]: readonly [Socket, Socket]) => {
    near.pipe(far);
    far.pipe(near);
  };
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (state === 'cut') return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    far.on('error', () => far.destroy());
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [end, other] of [[near, far], [far, near]] as const) {
      end.on('close', () => {
        pairs.delete(pair);
        // The other side of a silent network hears nothing of it.
        if (state !== 'silent') other.destroy();
        else lost.add(other);
      });
    }
    if (state === 'open') flow(pair);
  });
  const lost = new Set<Socket>();
  const dropLost = () => {
    for (const end of lost) end.destroy();
    lost.clear();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(redisUrl);
  own.port = String((server.address() as AddressInfo).port);

  const cut = () => {
    state = 'cut';
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
    dropLost();
  };
  return {
    url: own.href.replace(/\/$/, ''),
    cut,
    silence() {
      state = 'silent';
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        near.pause();
        far.pause();
      }
    },
    mend() {
      const wasSilent = state === 'silent';
      state = 'open';
      dropLost();
      if (wasSilent) for (const pair of pairs) flow(pair);
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
