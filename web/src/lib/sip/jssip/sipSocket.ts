import type { Socket } from 'jssip/lib/Socket.js';
import { branchesAsWritten } from './reading/branches.ts';
import { headOf } from './reading/head.ts';
import { answerTo, readMessage, textOf } from './reading/message.ts';
import { Registrations } from './reading/registrations.ts';
import { asWritten } from './reading/standIns.ts';

/** Often enough for proxies that close a quiet connection after 30 s. Milliseconds. */
const pingEveryMs = 20_000;
const pongWithinMs = 10_000;
/** The same where the network has just changed, so that the line is probably dead. Milliseconds. */
const hurriedPongWithinMs = 3_000;
/** A network that drops what comes would leave it opening for minutes. Milliseconds. */
const openWithinMs = 10_000;

/** `what`: of the message; `isCall`: somebody called. */
export type Unread = { what: string; isCall: boolean };

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
  readonly #registrations = new Registrations();
  readonly #onUnread: (unread: Unread) => void;

  // Set by the SIP library.
  onconnect(): void {}
  ondisconnect(_error: boolean, _code?: number, _reason?: string): void {}
  ondata(_event: unknown): void {}

  /**
   * @param url `wss://…` or `ws://…`;
   * @param onUnread a message came that cannot be read, or at which the SIP library fails
   */
  constructor(url: string, onUnread: (unread: Unread) => void = () => undefined) {
    this.#onUnread = onUnread;
    const { host, protocol } = new URL(url);
    this.url = url;
    this.sip_uri = `sip:${host};transport=ws`;
    this.via_transport = protocol === 'wss:' ? 'WSS' : 'WS';
  }

  connect(): void {
    this.#forget();
    const socket = new WebSocket(this.url, 'sip');
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    this.#await(openWithinMs);
    socket.onopen = () => {
      this.#awaitNoMore();
      this.#pingLater();
      this.onconnect();
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      this.#pingLater();
      // Whatever it is: somebody is there.
      this.#awaitNoMore();
      const text = textIn(data);
      if (text === '\r\n') this.#answersPings = true;
      else if (text.trim() === '') this.ondata(text);
      else this.#take(text);
    };
    socket.onclose = ({ wasClean, code, reason }) => this.#end(!wasClean, code, reason);
  }

  disconnect(): void {
    this.#forget();
  }

  send(message: string): boolean {
    if (!this.isConnected()) return false;
    this.#registrations.sent(message);
    this.#socket?.send(branchesAsWritten(asWritten(message)));
    return true;
  }

  /** Hands a message to the SIP library, which drops what it cannot read, and throws at some of it. */
  #take(text: string): void {
    const reading = readMessage(text);
    if (reading.kind === 'unreadable') return this.#leaveUnread(text, reading.what, reading.answer);
    try {
      this.ondata(textOf(this.#registrations.answered(reading.head), reading.body));
    } catch (error) {
      console.error(error);
      const head = headOf(text.split('\r\n\r\n', 1)[0] ?? '');
      this.#leaveUnread(text, 'failure', answerTo(head, '500 Server Internal Error'));
    }
  }

  #leaveUnread(text: string, what: string, answer: string | null): void {
    // Of the message its beginning alone: who calls is nobody's business who looks at the log.
    const [method = ''] = text.slice(0, 20).split(/\s/, 1);
    console.warn('sip_message_unread', { method, what });
    if (answer !== null) this.send(answer);
    this.#onUnread({ what, isCall: method === 'INVITE' });
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

  /** Something was sent that the other side answers at once: if nothing comes, the line is dead. */
  expectAnswer(): void {
    if (this.isConnected()) this.#await(hurriedPongWithinMs);
  }

  /** The network may have changed: a line that is dead, or never opens, is found sooner. */
  check(): void {
    if (this.isConnecting()) this.renew();
    else if (this.isConnected()) this.#ping(hurriedPongWithinMs);
  }

  /** Begun anew with each message: in a hidden page, browsers slow timers down that have fired again and again. */
  #pingLater(): void {
    clearInterval(this.#pinging);
    this.#pinging = setInterval(() => this.#ping(pongWithinMs), pingEveryMs);
  }

  #ping(withinMs: number): void {
    this.send('\r\n\r\n');
    if (this.#answersPings) this.#await(withinMs);
  }

  #await(withinMs: number): void {
    this.#awaitNoMore();
    this.#awaited = setTimeout(() => this.renew(), withinMs);
  }

  #awaitNoMore(): void {
    clearTimeout(this.#awaited);
  }

  #end(isError: boolean, code: number, reason: string): void {
    this.#forget();
    this.ondisconnect(isError, code, reason);
  }

  #forget(): void {
    clearInterval(this.#pinging);
    this.#awaitNoMore();
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }
}

/** SIP comes in frames of either kind (RFC 7118, 4.2). */
function textIn(data: unknown): string {
  return typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer);
}
