import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

/** A Socket.IO connection spoken by hand, packet by packet: it answers pings, and keeps to no other rule. */
export class RawEngine {
  readonly socket: WebSocket;
  /** Every packet that was read, but for the pings. */
  readonly packets: string[] = [];
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  #heard: () => void = () => {};
  #line: Socket | null = null;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    // Cut off in the middle of a packet.
    socket.on('error', () => {});
    socket.once('upgrade', (response) => (this.#line = response.socket));
    socket.on('message', (data: Buffer) => {
      const packet = data.toString();
      if (packet === '2') return socket.send('3');
      this.packets.push(packet);
      this.#heard();
    });
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async open(url: string): Promise<RawEngine> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
    });
    const engine = new RawEngine(socket);
    await engine.packet((text) => text.startsWith('0'));
    return engine;
  }

  /** With a token, as a softphone. */
  static async signedIn(url: string, auth: object): Promise<RawEngine> {
    const engine = await RawEngine.open(url);
    engine.send(`40${JSON.stringify(auth)}`);
    await engine.packet((text) => text.startsWith('40'));
    return engine;
  }

  /** The first packet that fits, also of those that came before. Rejects when the connection ends without. */
  async packet(fits: (packet: string) => boolean): Promise<string> {
    for (;;) {
      const found = this.packets.find(fits);
      if (found !== undefined) return found;
      const isClosed = await Promise.race([
        new Promise<false>((resolve) => (this.#heard = () => resolve(false))),
        this.closed.then(() => true),
      ]);
      if (isClosed && !this.packets.some(fits))
        throw new Error(`the connection has ended after ${JSON.stringify(this.packets)}`);
    }
  }

  send(...packets: string[]): void {
    for (const packet of packets) this.socket.send(packet);
  }

  /** The same short packet (below 126 bytes) many times, in one piece: a client that costs itself next to nothing. */
  flood(packet: string, times: number): void {
    const text = Buffer.from(packet);
    // One text frame; masked, as a client has to, by four zeros.
    const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
    this.#line?.write(Buffer.concat(Array<Buffer>(times).fill(frame)));
  }

  /** Reads nothing any more. */
  stopReading(): void {
    this.socket.pause();
  }
}
