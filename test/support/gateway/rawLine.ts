import { once } from 'node:events';
import net from 'node:net';

export type RawAnswer = { status: number; headers: Map<string, string>; body: string };

/** A TCP connection to a server's HTTP port, on which a test says whatever it likes. */
export class RawLine {
  readonly socket: net.Socket;
  /** Resolves when the other end has hung up, or this one. */
  readonly closed: Promise<unknown>;
  #unread = '';

  private constructor(socket: net.Socket) {
    this.socket = socket;
    // Hung up with a reset: whoever waits hears of the end.
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  static async open(url: string): Promise<RawLine> {
    const { hostname, port } = new URL(url);
    const line = new RawLine(net.connect(Number(port), hostname));
    await once(line.socket, 'connect');
    return line;
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** The next answer; its length is told by Content-Length. Rejects when the connection ends before. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const [head, rest] = splitAt(this.#unread, '\r\n\r\n');
      if (rest !== null) {
        const [first = '', ...lines] = head.split('\r\n');
        const headers = new Map(
          lines
            .map((line) => line.split(/:\s*/, 2) as [string, string])
            .map(([name, value]) => [name.toLowerCase(), value]),
        );
        const length = Number(headers.get('content-length') ?? 0);
        if (rest.length >= length) {
          this.#unread = rest.slice(length);
          return { status: Number(first.split(' ')[1]), headers, body: rest.slice(0, length) };
        }
      }
      await this.#more();
    }
  }

  /** Ends it as a machine that has forgotten the connection does. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  async #more(): Promise<void> {
    const chunk: unknown = await Promise.race([
      once(this.socket, 'data').then(([data]) => data as unknown),
      this.closed,
    ]);
    if (!Buffer.isBuffer(chunk)) throw new Error(`the connection has ended; unread: ${JSON.stringify(this.#unread)}`);
    this.#unread += chunk.toString('latin1');
  }
}

function splitAt(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + separator.length)];
}
