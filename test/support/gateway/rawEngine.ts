import { WebSocket } from 'ws';

/** A Socket.IO connection spoken by hand, packet by packet: it answers pings, and keeps to no other rule. */
export class RawEngine {
  readonly socket: WebSocket;
  /** Every packet that was read, but for the pings. */
  readonly packets: string[] = [];
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  #heard: () => void = () => {};

  private constructor(socket: WebSocket) {
    this.socket = socket;
    // Cut off in the middle of a packet.
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      const packet = data.toString();
      if (packet === '2') return socket.send('3');
      this.packets.push(packet);
      this.#heard();
    });
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async open(url: string): Promise<RawEngine> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, { perMessageDeflate: false });
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
      if (isClosed && !this.packets.some(fits)) throw new Error(`the connection has ended after ${JSON.stringify(this.packets)}`);
    }
  }

  send(...packets: string[]): void {
    for (const packet of packets) this.socket.send(packet);
  }

  /** Reads nothing any more. */
  stopReading(): void {
    this.socket.pause();
  }
}
