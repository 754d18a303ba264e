import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** One gateway's way to a store, which a test can cut, slow down or let fall silent. */
export interface Way {
  /** To be given to the gateway in place of the store's own. */
  readonly url: string;
  /** Every connection breaks; new ones break at once, until `mend`. */
  cut(): void;
  /**
   * Nothing arrives any more, and nothing is refused: as when a network drops all packets. What was sent meanwhile
   * arrives after `mend`, late, as TCP sees to it.
   */
  silence(): void;
  /** Whatever is sent from now on takes so much longer, each way. Milliseconds. */
  slow(ms: number): void;
  mend(): void;
  close(): Promise<void>;
}

type Chunk = { due: number; data: Buffer };
/** What was read at one end and is on its way to the other. */
type Lane = { from: Socket; to: Socket; waiting: Chunk[]; timer: NodeJS.Timeout | null };

/** @param storeUrl with host and port; a path stays, e.g. a database */
export async function openWay(storeUrl: string): Promise<Way> {
  const target = new URL(storeUrl);
  const lanes = new Map<Socket, Lane>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  let slowMs = 0;
  /** Ends whose other side has gone while the network was silent: they hear of it afterwards. */
  const lost = new Set<Socket>();

  const deliver = (lane: Lane) => {
    lane.timer = null;
    if (state === 'silent') return;
    for (let next = lane.waiting[0]; next !== undefined && next.due <= Date.now(); next = lane.waiting[0]) {
      lane.waiting.shift();
      lane.to.write(next.data);
    }
    const [next] = lane.waiting;
    if (next !== undefined) lane.timer = setTimeout(() => deliver(lane), Math.max(0, next.due - Date.now()));
  };
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (state === 'cut') return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    far.on('error', () => far.destroy());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      const lane: Lane = { from, to, waiting: [], timer: null };
      lanes.set(from, lane);
      from.on('data', (data) => {
        const due = Date.now() + slowMs;
        lane.waiting.push({ due, data });
        if (lane.timer === null) deliver(lane);
      });
      from.on('close', () => {
        lanes.delete(from);
        if (state === 'silent') lost.add(to);
        else to.destroy();
      });
    }
  });
  const dropLost = () => {
    for (const end of lost) end.destroy();
    lost.clear();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(storeUrl);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);

  const cut = () => {
    state = 'cut';
    for (const end of lanes.keys()) end.destroy();
    dropLost();
  };
  return {
    url: own.href.replace(/\/$/, ''),
    cut,
    silence: () => void (state = 'silent'),
    slow: (ms) => void (slowMs = ms),
    mend() {
      state = 'open';
      slowMs = 0;
      dropLost();
      for (const lane of lanes.values()) if (lane.timer === null) deliver(lane);
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
