import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

type Way = { front: Socket; port: number; backs: Map<string, Socket> };

/**
 * Stands between a browser's audio and a PBX's, as a NAT does, and can lose all of it for a while.
 * What begins anew behind it comes from another port, as after a NAT that has forgotten whom it knew.
 */
export class LossyRelay {
  readonly #ways = new Map<number, Promise<Way>>();
  #isLosing = false;

  /**
   * From now on nothing comes through, in either direction.
   * @param forgets whether the PBX sees other ports afterwards
   */
  lose({ forgets = false } = {}): void {
    this.#isLosing = true;
    if (forgets) void this.#forget();
  }

  mend(): void {
    this.#isLosing = false;
  }

  /** What the PBX says, with the ways to its audio through this relay. */
  async through(message: string): Promise<string> {
    const [head = '', body = ''] = message.split('\r\n\r\n');
    if (!/^a=candidate:/m.test(body)) return message;
    const port = Number(/^a=candidate:\S+ \d+ udp \d+ \S+ (\d+)/im.exec(body)?.[1]);
    const { port: ours } = await this.#wayTo(port);
    const led = body
      .replaceAll(new RegExp(`^(a=candidate:\\S+ \\d+ udp \\d+ \\S+) ${String(port)} `, 'gim'), `$1 ${String(ours)} `)
      .replace(/^m=audio \d+/m, `m=audio ${String(ours)}`);
    return `${head.replace(/^(content-length:\s*)\d+/im, `$1${String(Buffer.byteLength(led))}`)}\r\n\r\n${led}`;
  }

  async close(): Promise<void> {
    await this.#forget();
    for (const way of this.#ways.values()) (await way).front.close();
  }

  async #forget(): Promise<void> {
    for (const way of this.#ways.values()) {
      const { backs } = await way;
      for (const back of backs.values()) back.close();
      backs.clear();
    }
  }

  #wayTo(pbxPort: number): Promise<Way> {
    const known = this.#ways.get(pbxPort) ?? this.#open(pbxPort);
    this.#ways.set(pbxPort, known);
    return known;
  }

  async #open(pbxPort: number): Promise<Way> {
    const front = createSocket('udp4');
    front.bind(0, '127.0.0.1');
    await once(front, 'listening');
    const way: Way = { front, port: front.address().port, backs: new Map() };
    front.on('message', (packet, from) => {
      if (!this.#isLosing) this.#back(way, from).send(packet, pbxPort, '127.0.0.1');
    });
    return way;
  }

  /** What stands for one port of the browser before the PBX. */
  #back({ front, backs }: Way, { address, port }: RemoteInfo): Socket {
    const key = `${address} ${String(port)}`;
    const known = backs.get(key);
    if (known !== undefined) return known;
    const back = createSocket('udp4');
    back.on('message', (packet) => {
      if (!this.#isLosing) front.send(packet, port, address);
    });
    backs.set(key, back);
    return back;
  }
}
