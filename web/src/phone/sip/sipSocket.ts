import type { Socket } from 'jssip/lib/Socket.js';

/** Often enough for proxies that close a quiet connection after 30 s. Milliseconds. */
const pingEveryMs = 20_000;
const pongWithinMs = 10_000;

/**
 * SIP over one WebSocket (RFC 7118), opened anew by the SIP library after each end. A line that is dead, which a
 * browser notices after minutes only, is found by keep-alive (RFC 5626), if the other side answers such.
 */
export class SipSocket implements Socket {
  readonly url: string;
  readonly sip_uri: string;
  via_transport: string;
  #socket: WebSocket | null = null;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #awaited: ReturnType<typeof setTimeout> | undefined;
  #answersPings = false;
  #invite: string | null = null;

  // Set by the SIP library.
  onconnect(): void {}
  ondisconnect(_error: boolean, _code?: number, _reason?: string): void {}
  ondata(_event: unknown): void {}

  /** @param url `wss://…` or `ws://…` */
  constructor(url: string) {
    const { host, protocol } = new URL(url);
    this.url = url;
    this.sip_uri = `sip:${host};transport=ws`;
    this.via_transport = protocol === 'wss:' ? 'WSS' : 'WS';
  }

  /** The latest INVITE that went out, as it went; null: none did, or it was forgotten. */
  get invite(): string | null {
    return this.#invite;
  }

  forgetInvite(): void {
    this.#invite = null;
  }

  connect(): void {
    this.#forget();
    const socket = new WebSocket(this.url, 'sip');
    this.#socket = socket;
    socket.onopen = () => {
      this.#pinging = setInterval(() => this.#ping(), pingEveryMs);
      this.onconnect();
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === '\r\n') this.#takePong();
      else if (typeof data === 'string') this.ondata(data);
    };
    socket.onclose = ({ wasClean, code, reason }) => this.#end(!wasClean, code, reason);
  }

  disconnect(): void {
    this.#forget();
  }

  send(message: string): boolean {
    if (!this.isConnected()) return false;
    if (message.startsWith('INVITE ')) this.#invite = message;
    this.#socket?.send(message);
    return true;
  }

  isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  isConnecting(): boolean {
    return this.#socket?.readyState === WebSocket.CONNECTING;
  }

  /** The line is dead, or has to be taken for dead: it is opened anew. */
  renew(): void {
    if (this.#socket !== null) this.#end(true, 1006, 'no answer');
  }

  #ping(): void {
    this.send('\r\n\r\n');
    if (this.#answersPings) this.#awaited ??= setTimeout(() => this.renew(), pongWithinMs);
  }

  #takePong(): void {
    this.#answersPings = true;
    clearTimeout(this.#awaited);
    this.#awaited = undefined;
  }

  #end(isError: boolean, code: number, reason: string): void {
    this.#forget();
    this.ondisconnect(isError, code, reason);
  }

  #forget(): void {
    clearInterval(this.#pinging);
    clearTimeout(this.#awaited);
    this.#awaited = undefined;
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }
}
