import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  headerOf,
  parseSip,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../../../src/demo/carrier/sipMessage.ts';
import { responseText } from '../../../src/demo/carrier/sipText.ts';
import { comes } from '../time/pace.ts';

export type Account = { user: string; secret: string; domain: string };

/** What a browser would offer, as far as the carrier looks at it. */
export const offerSdp = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 0',
  'c=IN IP4 0.0.0.0',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  'a=fingerprint:sha-256 00:11',
  'a=sendrecv',
  '',
].join('\r\n');

/** The telephone of a page, as far as SIP goes: it says what a test makes it say. */
export class SipTelephone {
  readonly account: Account;
  /** Every message that came, in order. */
  readonly received: SipMessage[] = [];
  /** Resolves with the code with which the line was closed. */
  readonly closed: Promise<number>;
  readonly socket: WebSocket;
  readonly #contact: string;
  readonly #taken = new Set<SipMessage>();
  readonly #watchers = new Set<() => void>();
  #cseq = 0;

  private constructor(socket: WebSocket, account: Account, contact: string) {
    this.socket = socket;
    this.account = account;
    this.#contact = contact;
    this.closed = once(socket, 'close').then(([code]) => Number(code));
    socket.on('message', (data: Buffer) => {
      const message = parseSip(data.toString());
      if (message !== null) this.received.push(message);
      for (const look of this.#watchers) look();
    });
  }

  /** @param contact what the page made up for itself; another page has another one */
  static async connect(url: string, account: Account, contact = randomUUID().slice(0, 8)): Promise<SipTelephone> {
    const socket = new WebSocket(url, 'sip');
    await once(socket, 'open');
    return new SipTelephone(socket, account, contact);
  }

  get address(): string {
    return `sip:${this.account.user}@${this.account.domain}`;
  }

  get contact(): string {
    return `<sip:${this.#contact}@page.invalid;transport=ws>`;
  }

  /** Registers; resolves with the final status. */
  async register({ secret = this.account.secret, expires = 600 } = {}): Promise<number> {
    const callId = randomUUID();
    const ask = (more: Record<string, string>) =>
      this.ask('REGISTER', {
        uri: `sip:${this.account.domain}`,
        to: `<${this.address}>`,
        callId,
        headers: { Contact: `${this.contact};expires=${expires}`, ...more },
      });
    const challenge = await ask({});
    const nonce = /nonce="([^"]+)"/.exec(headerOf(challenge, 'www-authenticate') ?? '')?.[1];
    if (nonce === undefined) throw new Error(`no challenge came, but ${challenge.status}`);
    return (await ask({ Authorization: this.#credentials(secret, nonce) })).status;
  }

  /** Sends a request and resolves with its final answer. */
  async ask(method: string, parts: Partial<Parts> = {}): Promise<SipResponse> {
    const { branch } = this.say(method, parts);
    return this.answer(branch, (status) => status >= 200);
  }

  /** Sends a request and does not wait. */
  say(method: string, parts: Partial<Parts> = {}): SaidRequest {
    const cseq = parts.cseq ?? (this.#cseq += 1);
    const branch = parts.branch ?? `z9hG4bK${randomUUID()}`;
    const said = {
      uri: `sip:+15551230001@${this.account.domain}`,
      from: `<${this.address}>;tag=page`,
      callId: randomUUID(),
      headers: { Contact: this.contact },
      body: '',
      ...parts,
    };
    const to = parts.to ?? `<${said.uri}>`;
    const headers = Object.entries(said.headers).map(([name, value]) => `${name}: ${value}`);
    const length = `Content-Length: ${Buffer.byteLength(said.body)}`;
    this.sendText(
      [
        `${method} ${said.uri} SIP/2.0`,
        `Via: SIP/2.0/WS page.invalid;branch=${branch}`,
        `From: ${said.from}`,
        `To: ${to}`,
        `Call-ID: ${said.callId}`,
        `CSeq: ${cseq} ${method}`,
        'Max-Forwards: 70',
        ...headers,
        length,
        '',
        said.body,
      ].join('\r\n'),
    );
    return { ...said, to, cseq, branch };
  }

  sendText(text: string): void {
    this.socket.send(text);
  }

  /** Answers a request of the carrier's. */
  reply(request: SipRequest, status: number, reason: string, body = ''): void {
    this.#answer(request, status, reason, this.contact, body);
  }

  /** Answers a request of the carrier's by whom to call instead. @param contact as in SIP */
  redirect(request: SipRequest, contact: string): void {
    this.#answer(request, 302, 'Moved Temporarily', contact, '');
  }

  #answer(request: SipRequest, status: number, reason: string, contact: string, body: string): void {
    this.sendText(responseText(request, { status, reason, tag: 'page', headers: [['Contact', contact]], body }));
  }

  /** Resolves with the first answer of that transaction whose status fits, also one that is here already. */
  answer(branch: string, fits: (status: number) => boolean): Promise<SipResponse> {
    return this.waitFor(
      `an answer to ${branch}`,
      (message): message is SipResponse =>
        message.kind === 'response' && message.branch === branch && fits(message.status),
    );
  }

  /** Resolves with a request of the carrier's. */
  request(method: string, callId?: string): Promise<SipRequest> {
    return this.waitFor(
      method,
      (message): message is SipRequest =>
        message.kind === 'request' && message.method === method && (callId === undefined || message.callId === callId),
    );
  }

  /** Resolves with a request of the carrier's that nobody has taken yet. */
  async newRequest(method: string): Promise<SipRequest> {
    const request = await this.waitFor(
      `a new ${method}`,
      (message): message is SipRequest =>
        message.kind === 'request' && message.method === method && !this.#taken.has(message),
    );
    this.#taken.add(request);
    return request;
  }

  waitFor<T extends SipMessage>(what: string, fits: (message: SipMessage) => message is T): Promise<T> {
    const listen = (tell: () => void) => {
      this.#watchers.add(tell);
      return () => void this.#watchers.delete(tell);
    };
    const all = () =>
      this.received.map((one) => (one.kind === 'request' ? one.method : `${one.status} ${one.cseq.method}`)).join(', ');
    return comes(
      () => this.received.find(fits),
      listen,
      () => `${what} did not come, but: ${all()}`,
    );
  }

  #credentials(secret: string, nonce: string): string {
    const { user, domain } = this.account;
    const uri = `sip:${domain}`;
    const ha1 = md5(`${user}:${domain}:${secret}`);
    const response = md5(`${ha1}:${nonce}:00000001:beef:auth:${md5(`REGISTER:${uri}`)}`);
    return (
      `Digest username="${user}", realm="${domain}", nonce="${nonce}", uri="${uri}", response="${response}", ` +
      'algorithm=MD5, qop=auth, cnonce="beef", nc=00000001'
    );
  }
}

export type Parts = {
  uri: string;
  from: string;
  to: string;
  callId: string;
  cseq: number;
  branch: string;
  headers: Record<string, string>;
  body: string;
};
export type SaidRequest = Parts;

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
