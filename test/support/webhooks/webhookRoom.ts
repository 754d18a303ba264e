import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Softphone } from '../../../src/client/softphone.ts';
import type { DeliveryDetail, DeliveryView } from '../../../src/contract/deliveries.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { type Gateway, startGateway, type TestCompany } from '../gateway/gateway.ts';
import { createManualClock, type ManualClock } from '../time/manualClock.ts';
import { eventually } from '../time/waiting.ts';
import { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.ts';

/** A token lives 8 h; a test's clock may run for days. */
const logInAgainAfterMs = 7 * 3_600_000;

/** A company with a webhook endpoint and an agent who dials by hand, for watching its deliveries. */
export class WebhookRoom {
  readonly company: TestCompany;
  readonly receiver: WebhookReceiver;
  /** As it was shown with the webhook URL. */
  readonly secret: string;
  readonly #gateway: Gateway;
  readonly #clock: Clock;
  readonly #softphone: Softphone;
  #token: { text: string; at: number };

  private constructor(needs: {
    gateway: Gateway;
    clock: Clock;
    company: TestCompany;
    receiver: WebhookReceiver;
    secret: string;
    softphone: Softphone;
  }) {
    this.#gateway = needs.gateway;
    this.#clock = needs.clock;
    this.company = needs.company;
    this.receiver = needs.receiver;
    this.secret = needs.secret;
    this.#softphone = needs.softphone;
    this.#token = { text: needs.company.adminToken, at: needs.clock.now() };
  }

  /** @param slug of the company, new in this gateway; its one agent is Ready and needs no wrap-up */
  static async open(gateway: Gateway, clock: Clock, slug: string): Promise<WebhookRoom> {
    const receiver = await startWebhookReceiver();
    const company = await gateway.company({ slug, agents: 1, wrapUpSeconds: 0 });
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    const softphone = await gateway.readySoftphone(agent);
    const saved = await gateway.as(company).put('/api/integrations').send({ webhook_url: receiver.url }).expect(200);
    return new WebhookRoom({ gateway, clock, company, receiver, secret: saved.body.webhook_secret, softphone });
  }

  /** The header of an admin whose token is valid. */
  async asAdmin(): Promise<{ authorization: string }> {
    if (this.#clock.now() - this.#token.at > logInAgainAfterMs) {
      const { slug } = this.company;
      const login = { email: `admin@${slug}.example`, company_slug: slug, password: 'a-password-of-the-tests' };
      this.#token = { text: await this.#gateway.logIn(login), at: this.#clock.now() };
    }
    return { authorization: `Bearer ${this.#token.text}` };
  }

  async get(path: string) {
    return this.#gateway.api.get(path).set(await this.asAdmin());
  }

  async post(path: string, body: object = {}) {
    return this.#gateway.api
      .post(path)
      .set(await this.asAdmin())
      .send(body);
  }

  async put(path: string, body: object = {}) {
    return this.#gateway.api
      .put(path)
      .set(await this.asAdmin())
      .send(body);
  }

  /** Changes the integration's settings; resolves with the answer. */
  async save(settings: object): Promise<{ api_key: string; webhook_secret: string }> {
    return (
      await this.#gateway.api
        .put('/api/integrations')
        .set(await this.asAdmin())
        .send(settings)
        .expect(200)
    ).body;
  }

  /** A short call by hand: one event, `call_started`. Resolves with the call's id. */
  async call(): Promise<string> {
    const { id } = await this.#softphone.startCall('+15551230001');
    await this.#softphone.reportProgress(id, 'ended');
    return id;
  }

  /** A click that is dialed: two events. Resolves with the call's id. */
  async click(): Promise<string> {
    return (await this.#gateway.click(this.company, { phone_number: '+15551230001' }).expect(201)).body.call_id;
  }

  /** The customer answers, and hangs up at once: one event. */
  async answer(callId: string, end: Parameters<Softphone['reportProgress']>[2] = {}): Promise<void> {
    await this.#softphone.reportProgress(callId, 'connected');
    await this.#softphone.reportProgress(callId, 'ended', end);
  }

  /** A click that is dialed and answered: three events. Resolves with the call's id. */
  async answeredClick(): Promise<string> {
    const callId = await this.click();
    await this.answer(callId);
    return callId;
  }

  /** The webhooks of one call so far. */
  received(callId: string): ReceivedWebhook[] {
    return this.receiver.received.filter(({ body }) => body.data['call_id'] === callId);
  }

  /** Resolves with the first `count` webhooks of a call. */
  arrived(callId: string, count = 1): Promise<ReceivedWebhook[]> {
    return this.receiver.waitFor(({ body }) => body.data['call_id'] === callId, count);
  }

  async list(
    query: Record<string, string | number> = {},
  ): Promise<{ deliveries: DeliveryView[]; next_cursor: string | null }> {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    return (await this.get(`/api/integrations/webhook-deliveries?${parameters.toString()}`).then(wasOk)).body;
  }

  async detail(id: string): Promise<DeliveryDetail> {
    return (await this.get(`/api/integrations/webhook-deliveries/${id}`).then(wasOk)).body;
  }

  /** Resolves with the delivery once that many attempts of it have ended. */
  async settled(id: string, attempts: number): Promise<DeliveryDetail> {
    let found = await this.detail(id);
    await eventually(async () => {
      found = await this.detail(id);
      return found.attempts === attempts;
    });
    return found;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }
}

function wasOk(answer: Response): Response {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer;
}

/** The id that a webhook carries through all its attempts. */
export function deliveryIdOf(webhook: ReceivedWebhook | undefined): string {
  const id = webhook?.headers['x-service-delivery'];
  if (typeof id !== 'string') throw new Error('a webhook carries its delivery id');
  return id;
}

/**
 * Lets the gateway's clock leap, over at least one look of the dispatcher, and waits for what that leads to. The clock
 * stands still meanwhile: an attempt under way would outlast its lease, and be made again.
 */
export async function later(clock: ManualClock, ms: number, comesTrue: () => boolean): Promise<void> {
  await clock.leap(ms);
  await eventually(comesTrue);
}

type Options = Omit<NonNullable<Parameters<typeof startGateway>[1]>, 'clock'>;

/** A gateway for a test file, whose clock the tests move, with a company and its endpoint of each test's own. */
export function useWebhookRooms(slugs: string, options: Options = {}) {
  let clock: ManualClock;
  let gateway: Gateway;
  let room: WebhookRoom;
  const rooms: WebhookRoom[] = [];

  /** Another company with its endpoint. */
  const open = async (): Promise<WebhookRoom> => {
    const opened = await WebhookRoom.open(gateway, clock, `${slugs}-${rooms.length}`);
    rooms.push(opened);
    return opened;
  };

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    gateway = await startGateway('memory', { ...options, clock });
  });
  beforeEach(async () => {
    room = await open();
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all(rooms.map((one) => one.close()));
  });

  return {
    open,
    get clock() {
      return clock;
    },
    get gateway() {
      return gateway;
    },
    get room() {
      return room;
    },
  };
}
