import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { usualCallerIdHeader, usualCallIdHeader } from '../../../src/contract/vocabulary.ts';
import { newContact } from '../../../web/src/lib/sip/jssip/ownContacts.ts';
import type { SipAccount } from '../../../web/src/lib/sip/jssip/userAgent.ts';
import { newTab } from '../workplace/workplaces.ts';
import { MutePeer, sdp } from './mutePeer.ts';
import { eventually } from '../time/waiting.ts';

/** JsSIP leaves the line so long after it was stopped, whether or not it was answered meanwhile. */
const farewellMs = 2_000;
const usualCaller = '<sip:+15551230001@pbx.test>';

/** A telephone network that registers everybody, and else says what its test wants, when it wants. */
export class ScriptedPbx {
  /** What it was told, in order. */
  readonly told: string[] = [];
  readonly #server: WebSocketServer;
  readonly #dead = new WeakSet<WebSocket>();
  #holdsRegistrations = false;
  /**
   * The Contact of the only telephone that it takes for the account; null: there is room;
   * undefined: it takes any number.
   */
  #only: string | null | undefined;
  /** Whether it speaks in binary frames. */
  isBinary = false;
  /** Does more than to be told, at once. */
  onTold: (text: string) => void = () => undefined;
  #line: WebSocket | null = null;

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (line) => {
      this.#line = line;
      line.on('message', (data) => {
        if (!this.#dead.has(line)) this.#take((data as Buffer).toString());
      });
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
    const servers = { current: [], renew: async () => {} };
    const told = {
      servers,
      contact: newContact(),
      callIdHeader: usualCallIdHeader,
      callerIdHeader: usualCallerIdHeader,
      dialedNumberHeader: null,
      queueHeader: null,
      transfer: { by: 'refer', code: '{number}' } as const,
    };
    return { wssUrl: `ws://127.0.0.1:${port}/`, ...person, ...told };
  }

  /** Resolves when a telephone comes. */
  async isReached(): Promise<void> {
    await once(this.#server, 'connection');
  }

  /** Resolves when no telephone is there any more. */
  async isLeft(): Promise<void> {
    await eventually(() => this.#server.clients.size === 0);
  }

  /** The same, of a telephone that is stopped now: it need not be waited for. */
  async isLeftBy(stop: () => void): Promise<void> {
    if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
    stop();
    vi.advanceTimersByTime(farewellMs);
    vi.useRealTimers();
    await this.isLeft();
  }

  /** Waits until it is told what fits. @param after so many messages */
  hears(what: RegExp, after = 0): Promise<string> {
    return eventually(() => {
      const found = this.told.slice(after).find((text) => what.test(text));
      if (found === undefined) throw new Error(`${String(what)} is not among ${this.told.join('\n')}`);
      return found;
    });
  }

  /**
   * The same, of what the telephone says after some seconds of its time, such as over a new line: they pass meanwhile.
   */
  async hearsInTime(what: RegExp, after = 0): Promise<string> {
    const sought = () => this.told.slice(after).find((text) => what.test(text));
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      return sought() !== undefined;
    });
    return sought()!;
  }

  /** @param status such as `180 Ringing`; @param headers further ones */
  answer(request: string, status: string, body = '', headers: string[] = []): void {
    const kept = request.split('\r\n').filter((line) => /^(?:via|from|call-id|cseq):/i.test(line));
    const to = /^To:[^\r]*/im.exec(request)![0];
    const tagged = status.startsWith('100') || to.includes(';tag=') ? to : `${to};tag=pbx`;
    this.say([
      `SIP/2.0 ${status}`,
      ...kept,
      tagged,
      ...contactAmong(headers),
      ...headers,
      ...bodyLines(body, typeAmong(headers)),
    ]);
  }

  /**
   * Calls the agent.
   * @param headers further ones;
   * @param callId of another call than the usual one;
   * @param type of the offer
   */
  invite(
    headers: string[] = [],
    callId = 'call',
    { from = usualCaller, offer = sdp, type }: { from?: string; offer?: string; type?: string | undefined } = {},
  ): void {
    this.say([
      'INVITE sip:ada@pbx.test SIP/2.0',
      `Via: SIP/2.0/WS pbx.test;branch=z9hG4bK${callId}`,
      'Max-Forwards: 70',
      `From: ${from};tag=caller`,
      'To: <sip:ada@pbx.test>',
      `Call-ID: ${callId}`,
      'CSeq: 1 INVITE',
      ...contactAmong(headers),
      ...headers,
      ...bodyLines(offer, type),
    ]);
  }

  /** Takes back the usual call that it has begun. @param headers such as its `Reason` */
  cancel(headers: string[] = []): void {
    this.say([
      'CANCEL sip:ada@pbx.test SIP/2.0',
      'Via: SIP/2.0/WS pbx.test;branch=z9hG4bKcall',
      'Max-Forwards: 70',
      `From: ${usualCaller};tag=caller`,
      'To: <sip:ada@pbx.test>',
      'Call-ID: call',
      'CSeq: 1 CANCEL',
      ...headers,
      ...bodyLines(''),
    ]);
  }

  /** A message; its body comes after an empty line. */
  say(lines: string[]): void {
    this.#line?.send(lines.join('\r\n'), { binary: this.isBinary });
  }

  /** One frame as it is: text, or bytes in a binary one. */
  sayAsIs(frame: string | Uint8Array): void {
    this.#line?.send(frame, { binary: typeof frame !== 'string' });
  }

  /** Nothing that is said over this line arrives any more, and nobody is told; the telephone may come again. */
  die(): void {
    if (this.#line !== null) this.#dead.add(this.#line);
  }

  /** From now on it answers no registration by itself; the test does so by `register`. */
  holdRegistrations(): void {
    this.#holdsRegistrations = true;
  }

  /**
   * From now on it takes one telephone, and refuses others until that one's Contact is taken back.
   * @param contact of the one that it has
   */
  takeOne(contact: string | null = null): void {
    this.#only = contact;
  }

  /** From now on it answers them again. */
  releaseRegistrations(): void {
    this.#holdsRegistrations = false;
  }

  /** Does what a REGISTER asks for. */
  register(request: string): void {
    const contact = /^Contact:\s*([^\r]*)/im.exec(request)![1]!;
    const kept = request.split('\r\n').filter((line) => /^(?:via|from|to|call-id|cseq):/i.test(line));
    this.say(['SIP/2.0 200 OK', ...kept, `Contact: ${contact}`, ...bodyLines('')]);
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
    if (text.startsWith('REGISTER ') && !this.#holdsRegistrations) {
      if (this.#only === undefined) this.register(text);
      else this.#registerOne(text);
    }
    this.onTold(text);
  }

  #registerOne(request: string): void {
    const contact = /<([^>]*)>/.exec(headerOf(request, 'Contact'))?.[1];
    const isTakenBack = headerOf(request, 'Expires') === '0';
    if (contact === undefined || isTakenBack) {
      if (contact === this.#only) this.#only = null;
      const kept = request.split('\r\n').filter((line) => /^(?:via|from|to|call-id|cseq):/i.test(line));
      return this.say([
        'SIP/2.0 200 OK',
        ...kept,
        ...(this.#only == null ? [] : [`Contact: <${this.#only}>;expires=60`]),
        ...bodyLines(''),
      ]);
    }
    if ((this.#only ?? contact) !== contact) return this.answer(request, '403 Forbidden');
    this.#only = contact;
    this.register(request);
  }
}

/** The usual one, unless another is given. */
function contactAmong(headers: readonly string[]): string[] {
  return headers.some((header) => header.startsWith('Contact:'))
    ? []
    : ['Contact: <sip:customer@pbx.test;transport=ws>'];
}

/** Null: the headers say so themselves. */
function typeAmong(headers: readonly string[]): string | null {
  return headers.some((header) => header.startsWith('Content-Type:')) ? null : 'application/sdp';
}

/** @param type null: it is said elsewhere */
function bodyLines(body: string, type: string | null = 'application/sdp'): string[] {
  return [
    ...(body === '' || type === null ? [] : [`Content-Type: ${type}`]),
    `Content-Length: ${body.length}`,
    '',
    body,
  ];
}

/** A call as the PBX has it: what it says in it, and what it is answered. */
export class PbxDialog {
  readonly callId: string;
  /** From and To of what the PBX says. */
  readonly ownTag: string;
  readonly #pbx: ScriptedPbx;
  readonly #from: string;
  #to: string;
  /** Of the next request; each test sees its own by it. */
  #number = 100;

  private constructor(pbx: ScriptedPbx, callId: string, from: string, to: string) {
    this.#pbx = pbx;
    this.callId = callId;
    this.#from = from;
    this.#to = to;
    this.ownTag = /;tag=(\S+)/.exec(from)![1]!;
  }

  /** The one that the telephone began. */
  static ofTheirs(pbx: ScriptedPbx, invite: string): PbxDialog {
    return new PbxDialog(
      pbx,
      headerOf(invite, 'Call-ID'),
      `${headerOf(invite, 'To')};tag=pbx`,
      headerOf(invite, 'From'),
    );
  }

  /** The one that the PBX began with `invite`. */
  static ofOurs(pbx: ScriptedPbx, callId = 'call', from = usualCaller): PbxDialog {
    return new PbxDialog(pbx, callId, `${from};tag=caller`, '<sip:ada@pbx.test>');
  }

  get theirTag(): string {
    return /;tag=(\S+)/.exec(this.#to)![1]!;
  }

  /** The telephone has accepted an INVITE. */
  acknowledge(ok: string): void {
    this.#to = headerOf(ok, 'To');
    this.#send('ACK', Number.parseInt(headerOf(ok, 'CSeq')), [], '');
  }

  /** Says something, and waits for the final answer. */
  ask(method: string, headers: string[] = [], body = ''): Promise<string> {
    const number = this.#number++;
    this.#send(method, number, headers, body);
    return this.#pbx.hears(
      new RegExp(`^SIP/2\\.0 [2-6][^]*^Call-ID: ${escaped(this.callId)}\r$[^]*^CSeq: ${number} ${method}`, 'm'),
    );
  }

  /** Offers the voice anew; where that is accepted, acknowledges it. @returns the answer */
  async reinvite(body: string, headers: string[] = []): Promise<string> {
    const answer = await this.ask('INVITE', headers, body);
    if (answer.startsWith('SIP/2.0 2')) this.acknowledge(answer);
    return answer;
  }

  #send(method: string, number: number, headers: string[], body: string): void {
    this.#pbx.say([
      `${method} sip:ada@pbx.test SIP/2.0`,
      `Via: SIP/2.0/WS pbx.test;branch=z9hG4bK${this.callId}${number}${method}`,
      'Max-Forwards: 70',
      `From: ${this.#from}`,
      `To: ${this.#to}`,
      `Call-ID: ${this.callId}`,
      `CSeq: ${number} ${method}`,
      ...contactAmong(headers),
      ...headers,
      ...bodyLines(body, typeAmong(headers)),
    ]);
  }
}

/** @returns the value of a message's header */
export function headerOf(message: string, name: string): string {
  return new RegExp(`^${name}:\\s*([^\r]*)`, 'im').exec(message)?.[1] ?? '';
}

function escaped(text: string): string {
  return text.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&');
}

/** As browsers do, says nothing of a socket that is closed before it is open. */
class QuietSocket extends WebSocket {
  constructor(url: string, protocol: string) {
    super(url, protocol);
    this.on('error', () => undefined);
  }
}

/**
 * What the telephone uses of a browser, without the browser; `vi.unstubAllGlobals` takes it away.
 * @returns its window
 */
export function standInForBrowser(): EventTarget {
  const page = new EventTarget();
  const element = { remove: () => undefined, play: () => Promise.resolve() };
  const body = { appendChild: <T>(one: T) => one };
  const document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    createElement: () => ({ ...element }),
    body,
  });
  const mediaDevices = Object.assign(new EventTarget(), {
    getUserMedia: () => Promise.resolve(silence),
    enumerateDevices: () => Promise.resolve([{ kind: 'audioinput' }]),
  });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('location', { href: 'http://gateway.test/' });
  vi.stubGlobal('document', document);
  vi.stubGlobal('localStorage', newTab().store);
  vi.stubGlobal('sessionStorage', newTab().store);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  vi.stubGlobal('navigator', { mediaDevices, onLine: true });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  vi.stubGlobal('WebSocket', QuietSocket);
  vi.stubGlobal('RTCPeerConnection', MutePeer);
  vi.stubGlobal('MediaStream', class {});
  vi.stubGlobal(
    'RTCSessionDescription',
    class {
      constructor(given: object) {
        Object.assign(this, given);
      }
    },
  );
  return page;
}

/** What the other side hears. */
export const silence = {
  clone: () => silence,
  getTracks: () => [],
  getAudioTracks: () => [],
  getVideoTracks: () => [],
} as unknown as MediaStream;
