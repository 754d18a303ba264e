import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Carrier, createCarrier } from '../../../src/demo/carrier/carrier.ts';
import { weriftMedia } from '../../../src/demo/carrier/media.ts';
import { createSipConnection } from '../../../src/demo/carrier/sipConnection.ts';
import { parseSip } from '../../../src/demo/carrier/sipMessage.ts';
import { sipDomain } from '../../../src/demo/carrier/sipText.ts';
import type { AgentId, CompanyId } from '../../../src/domain/ids.ts';
import { Customer } from './customer.ts';
import { echoOfCustomers } from './echoOfCustomers.ts';
import { LossyRelay } from './lossyRelay.ts';
import { SipTelephone } from './sipTelephone.ts';
import { eventually } from '../time/waiting.ts';

/** Both are beside the gateway, on one machine. */
const clock = {
  now: () => Date.now(),
  after(ms: number, action: () => void) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * A company's own PBX, at which customers have telephones, too: whoever calls an agent, is called by one, or is handed
 * on is a telephone of its own that the test plays. It echoes to agents what they say to customers.
 */
export class CustomerPbx {
  readonly domain = sipDomain;
  /** What went wrong in it. */
  readonly problems: string[] = [];
  readonly customers: Customer[] = [];
  readonly #carrier: Carrier;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #lines = new Map<string, Set<WebSocket>>();
  readonly #registrations = new Map<string, number>();
  /** Between each telephone's audio and the PBX's, by its user. */
  readonly #relays = new Map<string, LossyRelay>();

  private constructor() {
    const openMedia = weriftMedia();
    if (openMedia === null) throw new Error('the optional package werift is not installed');
    this.#carrier = createCarrier({
      clock,
      openMedia: async () => echoOfCustomers(await openMedia()),
      onProblem: (message, error) => void this.problems.push(`${message}: ${String(error)}`),
      // Nobody gives up but customers and agents.
      timings: { patience: 3_600_000 },
    });
    this.#server = createServer();
    this.#sockets = new WebSocketServer({ server: this.#server, handleProtocols: () => 'sip' });
    this.#sockets.on('connection', (socket) => this.#serve(socket));
  }

  static async open(): Promise<CustomerPbx> {
    const pbx = new CustomerPbx();
    await new Promise<void>((resolve) => pbx.#server.listen(0, '127.0.0.1', resolve));
    return pbx;
  }

  get wssUrl(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  secretOf(user: string): string {
    // Accounts are the PBX's own here, and no ids of the gateway's.
    return this.#carrier.account('' as CompanyId, user as AgentId).secret;
  }

  /** Dialogs that last. */
  get callCount(): number {
    return this.#carrier.callCount();
  }

  /** Somebody with a telephone of that number. */
  async customer(number: string): Promise<Customer> {
    const account = { user: number, secret: this.secretOf(number), domain: this.domain };
    const telephone = await SipTelephone.connect(this.wssUrl, account);
    const status = await telephone.register();
    if (status !== 200) throw new Error(`${number} was not registered: ${status}`);
    const customer = new Customer(telephone, number);
    this.customers.push(customer);
    return customer;
  }

  /** Breaks the lines of that telephone, and waits until it has come back. */
  async cut(user: string): Promise<void> {
    const before = this.#registrations.get(user) ?? 0;
    for (const line of this.#lines.get(user) ?? []) line.terminate();
    await eventually(() => (this.#registrations.get(user) ?? 0) > before);
  }

  /** From now on no audio comes through from or to that telephone; or it does again. */
  lose(user: string, isLosing: boolean): void {
    const relay = this.#relays.get(user);
    if (isLosing) relay?.lose();
    else relay?.mend();
  }

  async close(): Promise<void> {
    for (const customer of this.customers) customer.leave();
    this.#carrier.close();
    for (const line of this.#sockets.clients) line.terminate();
    this.#sockets.close();
    await new Promise((resolve) => this.#server.close(resolve));
    for (const relay of this.#relays.values()) await relay.close();
  }

  #serve(socket: WebSocket): void {
    const connection = createSipConnection(socket);
    let user: string | null = null;
    // One after the other, as they were said.
    let said: Promise<unknown> = Promise.resolve();
    const { send } = connection;
    connection.send = (text) => {
      const relay = user === null ? undefined : this.#relays.get(user);
      said = said.then(async () => send((await relay?.through(text)) ?? text));
    };
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      user = this.#note(socket, text) ?? user;
      this.#carrier.take(connection, text);
    });
    socket.on('close', () => {
      for (const lines of this.#lines.values()) lines.delete(socket);
      this.#carrier.lose(connection);
    });
    socket.on('error', () => undefined);
  }

  /** Whose line it is, by who proves to be theirs; null: that says nothing of it. */
  #note(socket: WebSocket, text: string): string | null {
    if (!text.startsWith('REGISTER ')) return null;
    const message = parseSip(text);
    const user = message?.to.user ?? null;
    if (user === null || message?.headers.every(([name]) => name !== 'authorization')) return null;
    this.#lines.set(user, (this.#lines.get(user) ?? new Set()).add(socket));
    this.#registrations.set(user, (this.#registrations.get(user) ?? 0) + 1);
    if (!this.#relays.has(user)) this.#relays.set(user, new LossyRelay());
    return user;
  }
}
