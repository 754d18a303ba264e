import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { SipAccount } from '../../../web/src/phone/sip/userAgent.ts';

const patience = { timeout: 15_000, interval: 10 };

/** A telephone network that registers everybody, and else says what its test wants, when it wants. */
export class ScriptedPbx {
  /** What it was told, in order. */
  readonly told: string[] = [];
  readonly #server: WebSocketServer;
  #line: WebSocket | null = null;

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (line) => {
      this.#line = line;
      line.on('message', (data) => this.#take((data as Buffer).toString()));
    });
  }

  static async open(): Promise<ScriptedPbx> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    return new ScriptedPbx(server);
  }

  get account(): SipAccount {
    const { port } = this.#server.address() as AddressInfo;
    const person = { user: 'ada', secret: 'secret', domain: 'pbx.test', displayName: 'Ada' };
    return { wssUrl: `ws://127.0.0.1:${port}/`, ...person, iceServers: [] };
  }

  /** Resolves when a telephone comes. */
  async isReached(): Promise<void> {
    await once(this.#server, 'connection');
  }

  /** Resolves when no telephone is there any more. */
  async isLeft(): Promise<void> {
    await vi.waitUntil(() => this.#server.clients.size === 0, patience);
  }

  /** Waits until it is told what fits. */
  hears(what: RegExp): Promise<string> {
    return vi.waitFor(() => {
      const found = this.told.find((text) => what.test(text));
      if (found === undefined) throw new Error(`${String(what)} is not among ${this.told.join('\n')}`);
      return found;
    }, patience);
  }

  /** @param status such as `180 Ringing` */
  answer(request: string, status: string, body = ''): void {
    const kept = request.split('\r\n').filter((line) => /^(?:via|from|call-id|cseq):/i.test(line));
    const to = /^To:[^\r]*/im.exec(request)![0];
    const tagged = status.startsWith('100') || to.includes(';tag=') ? to : `${to};tag=pbx`;
    this.#say([`SIP/2.0 ${status}`, ...kept, tagged, 'Contact: <sip:customer@pbx.test;transport=ws>', ...bodyLines(body)]);
  }

  /** Calls the agent. @param headers further ones */
  invite(headers: string[] = []): void {
    this.#say([
      'INVITE sip:ada@pbx.test SIP/2.0',
      'Via: SIP/2.0/WS pbx.test;branch=z9hG4bKcall',
      'Max-Forwards: 70',
      'From: <sip:+15551230001@pbx.test>;tag=caller',
      'To: <sip:ada@pbx.test>',
      'Call-ID: call',
      'CSeq: 1 INVITE',
      'Contact: <sip:customer@pbx.test;transport=ws>',
      ...headers,
      ...bodyLines(sdp),
    ]);
  }

  #say(lines: string[]): void {
    this.#line?.send(lines.join('\r\n'));
  }

  /** Breaks the line; the telephone may come again. */
  cut(): void {
    this.#line?.terminate();
  }

  async close(): Promise<void> {
    for (const line of this.#server.clients) line.terminate();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take(text: string): void {
    if (text === '\r\n\r\n') return void this.#line?.send('\r\n');
    this.told.push(text);
    if (!text.startsWith('REGISTER ')) return;
    const contact = /^Contact:\s*([^\r]*)/im.exec(text)![1]!;
    const kept = text.split('\r\n').filter((line) => /^(?:via|from|to|call-id|cseq):/i.test(line));
    this.#say(['SIP/2.0 200 OK', ...kept, `Contact: ${contact}`, ...bodyLines('')]);
  }
}

function bodyLines(body: string): string[] {
  return [...(body === '' ? [] : ['Content-Type: application/sdp']), `Content-Length: ${body.length}`, '', body];
}

/** What a browser would tell of its voice, or a PBX. */
export const sdp = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 4000 UDP/TLS/RTP/SAVPF 0',
  'c=IN IP4 127.0.0.1',
  'a=candidate:1 1 udp 1 127.0.0.1 4000 typ host',
  'a=sendrecv',
  '',
].join('\r\n');

/** Has no voice. */
export class MutePeer extends EventTarget {
  readonly iceGatheringState = 'complete';
  readonly signalingState = 'have-local-offer';
  readonly localDescription = { sdp };
  createOffer = () => Promise.resolve({ type: 'offer', sdp });
  createAnswer = () => Promise.resolve({ type: 'answer', sdp });
  setLocalDescription = () => Promise.resolve();
  addTrack = () => undefined;
  getSenders = () => [];
  close = () => undefined;
  setRemoteDescription(): Promise<void> {
    return Promise.resolve();
  }
}

/** As browsers do, says nothing of a socket that is closed before it is open. */
class QuietSocket extends WebSocket {
  constructor(url: string, protocol: string) {
    super(url, protocol);
    this.on('error', () => undefined);
  }
}

/** What the telephone uses of a browser, without the browser; `vi.unstubAllGlobals` takes it away. @returns its window */
export function standInForBrowser(): EventTarget {
  const page = new EventTarget();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  vi.stubGlobal('WebSocket', QuietSocket);
  vi.stubGlobal('RTCPeerConnection', MutePeer);
  vi.stubGlobal('RTCSessionDescription', class { constructor(given: object) { Object.assign(this, given); } });
  return page;
}

/** What the other side hears. */
export const silence = { getTracks: () => [], getAudioTracks: () => [], getVideoTracks: () => [] } as unknown as MediaStream;
