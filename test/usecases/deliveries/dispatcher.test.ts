// oxlint-disable-next-line no-restricted-imports -- plays a database that takes its time
import { setTimeout as pause } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toId, type NodeId } from '../../../src/domain/ids.ts';
import type { Outbox } from '../../../src/ports/outbox.ts';
import type { AttemptResult } from '../../../src/ports/webhookSender.ts';
import { createDispatcher, type Dispatcher } from '../../../src/usecases/deliveries/dispatcher.ts';
import { webhookLane } from '../../../src/usecases/webhooks/webhookLane.ts';
import {
  eventOf,
  makeCompany,
  makeWaitingEvents,
  newCall,
  openStores,
  type MadeCompany,
  type Stores,
} from '../../contracts/stores/openStores.ts';
import { quietObserver } from '../../support/stores/quietServices.ts';
import { gate } from '../../support/time/gate.ts';
import { eventually } from '../../support/time/waiting.ts';

const url = 'https://crm.example.com/hook';
const taken: AttemptResult = { kind: 'response', statusCode: 204, headers: {}, body: '', latencyMs: 5 };

describe('a dispatcher', () => {
  let stores: Stores;
  let company: MadeCompany;
  /** While true, the endpoint thinks; what it has not answered yet, the oldest first. */
  let thinking: boolean;
  let unanswered: (() => void)[];
  let sent: { url: string; id: string | undefined }[];
  let result: AttemptResult;
  /** Deliveries that dispatchers have read. */
  let read: number;
  const started: Dispatcher[] = [];

  beforeAll(async () => {
    stores = await openStores();
  });
  afterAll(() => stores.close());
  beforeEach(async () => {
    await stores.pool.query('TRUNCATE company CASCADE');
    company = await makeCompany(stores, url);
    [thinking, unanswered] = [false, []];
    [sent, read] = [[], 0];
    result = taken;
  });
  afterEach(async () => {
    answerAll();
    await Promise.all(started.splice(0).map((one) => one.stop()));
  });

  const answerAll = () => {
    thinking = false;
    for (const answer of unanswered.splice(0)) answer();
  };
  /** A dispatcher that sends 4 of 30 deliveries and holds the rest of them too, since the endpoint answered fast. */
  const startWithMany = async (outbox: Partial<Outbox> = {}) => {
    thinking = true;
    await makeWaitingEvents(stores, company, 31);
    const dispatcher = start(outbox);
    await eventually(() => unanswered.length === 4);
    unanswered.shift()?.();
    await eventually(() => unanswered.length === 4 && read === 31);
    return dispatcher;
  };

  /** One whose endpoint is this test; `outbox` in place of the real one's members. */
  const start = ({
    lease = (request) => stores.outbox.lease(request),
    ...outbox
  }: Partial<Outbox> = {}): Dispatcher => {
    const services = {
      clock: stores.clock,
      observer: quietObserver,
      outbox: {
        ...stores.outbox,
        ...outbox,
        async lease(request) {
          const leased = await lease(request);
          read += leased.length;
          return leased;
        },
      },
      nodeId: toId<NodeId>(newId()),
      cipher: { encrypt: (clear) => clear, decrypt: (sealed) => sealed },
      async sender({ url: to, headers }) {
        sent.push({ url: to, id: headers['X-Service-Delivery'] });
        if (thinking) await new Promise<void>((resolve) => unanswered.push(resolve));
        return result;
      },
    } satisfies Parameters<typeof webhookLane>[0];
    const dispatcher = createDispatcher(services, webhookLane(services));
    started.push(dispatcher);
    dispatcher.start();
    return dispatcher;
  };
  const states = async () => {
    const { items } = await stores.outbox.list(company.companyId, {}, { cursor: null, limit: 100 });
    return items.map(({ state }) => state);
  };
  const dueAt = async () =>
    (await stores.outbox.list(company.companyId, {}, { cursor: null, limit: 1 })).items[0]?.dueAt.getTime() ?? 0;
  const allDelivered = () => eventually(async () => (await states()).every((state) => state === 'delivered'));
  const leaseAs = (holder: string, atMost = 4, now = stores.clock.now()) =>
    stores.outbox.lease({
      holder,
      limit: 64,
      now: new Date(now),
      leaseUntil: new Date(now + 45_000),
      holdings: [{ companyId: company.companyId, held: 0, atMost }],
      atHand: [],
      newcomersAtMost: 32,
    });

  it('sends all that waits, each once, and no more at a time than the endpoint may have in flight', async () => {
    await startWithMany();
    expect(sent).toHaveLength(5);
    answerAll();
    await allDelivered();
    expect(new Set(sent.map(({ id }) => id)).size).toBe(31);
    expect(sent).toHaveLength(31);
  });

  it('writes each delivery once, when it was sent', async () => {
    await stores.pool.query(`CREATE SEQUENCE written MINVALUE 0;
      CREATE FUNCTION count_written() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN PERFORM nextval('written'); RETURN NEW; END $$;
      CREATE TRIGGER count_written BEFORE UPDATE ON webhook_delivery FOR EACH ROW EXECUTE FUNCTION count_written()`);
    try {
      await startWithMany();
      answerAll();
      await allDelivered();
      expect((await stores.pool.query<{ count: number }>("SELECT nextval('written') AS count")).rows).toEqual([
        { count: 31 },
      ]);
    } finally {
      await stores.pool.query(
        'DROP TRIGGER count_written ON webhook_delivery; DROP FUNCTION count_written(); DROP SEQUENCE written',
      );
    }
  });

  it('settles what has arrived once the database is back, after its lease too, and does not send it again', async () => {
    await makeWaitingEvents(stores, company, 1);
    const outageSeconds = 60;
    let failures = outageSeconds;
    start({
      settle: async (...settlement) => {
        if (failures-- > 0) throw new Error('the database is away');
        return stores.outbox.settle(...settlement);
      },
    });
    await eventually(() => failures < outageSeconds);
    for (let again = 0; again < outageSeconds; again++) {
      const left = failures;
      await stores.clock.advance(1_000);
      await eventually(() => failures < left || failures < 0);
    }
    await allDelivered();
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['answers at once', 0],
    ['takes its time to renew leases', 30],
  ])(
    'keeps what it holds for longer than a lease, while the endpoint thinks and the database %s',
    async (_, renewalTakesMs) => {
      const renewals: number[] = [];
      let looks = 0;
      await startWithMany({
        renew: async (holder, ids, leaseUntil) => {
          await pause(renewalTakesMs);
          const renewed = await stores.outbox.renew(holder, ids, leaseUntil);
          renewals.push(renewed.length);
          return renewed;
        },
        lease: async (request) => {
          const leased = await stores.outbox.lease(request);
          looks += 1;
          return leased;
        },
      });
      // In step with the dispatcher, which looks once a second: a clock that ran on during a renewal
      // would let it come too late.
      for (let second = 1; second <= 60; second++) {
        const before = looks;
        await stores.clock.advance(1_000);
        await eventually(() => looks > before);
        if (second % 5 === 0) expect(await leaseAs(newId())).toEqual([]);
      }
      expect(renewals.slice(0, 3)).toEqual([1, 1, 1]);
      expect(sent).toHaveLength(5);
      answerAll();
      await allDelivered();
      expect(sent).toHaveLength(31);
    },
  );

  /** One whose endpoint was given away and leased by another, who gives it back in turn. */
  const startRobbed = async () => {
    let nodeId = '';
    let ended = 0;
    const dispatcher = await startWithMany({
      async settle(...settlement) {
        const settled = await stores.outbox.settle(...settlement);
        ended += 1;
        return settled;
      },
      lease: (request) => {
        nodeId = request.holder;
        return stores.outbox.lease(request);
      },
    });
    const giveBack = (holder: string) => stores.outbox.release(holder);
    await giveBack(nodeId);
    const other = newId();
    expect(await leaseAs(other, 30)).toHaveLength(30);
    return {
      dispatcher,
      giveBack: () => giveBack(other),
      whenEnded: (count: number) => eventually(() => ended === count),
    };
  };

  it.each([
    ['stood still', () => stores.clock.leap(5_000)],
    ['others may have taken for dead', async (dispatcher: Dispatcher) => dispatcher.markLeasesUncertain()],
  ])('that %s asks for what it holds before it sends more of it', async (_, happen) => {
    const { dispatcher, giveBack, whenEnded } = await startRobbed();
    await happen(dispatcher);
    answerAll();
    await whenEnded(5);
    await giveBack();
    dispatcher.wake();
    await allDelivered();
    // The four that were under way are sent again, the other 26 once.
    expect(sent).toHaveLength(35);
  });

  it('goes on sending while the database takes seconds for each look', async () => {
    await makeWaitingEvents(stores, company, 20);
    let leased = 0;
    start({
      lease: async (request) => {
        await stores.clock.advance(4_000);
        const found = await stores.outbox.lease(request);
        leased += found.length;
        return found;
      },
    });
    await allDelivered();
    expect(sent).toHaveLength(20);
    // None was taken for lost, and leased again.
    expect(leased).toBe(20);
  });

  it('sends the next event of a call as soon as the one before is settled, also one that was written meanwhile', async () => {
    const call = newCall(company, { state: 'ended', sequence: 1 });
    await stores.calls.create(call, [eventOf(call, 1)]);
    thinking = true;
    let looks = 0;
    const dispatcher = start({
      async lease(request) {
        const leased = await stores.outbox.lease(request);
        looks += 1;
        return leased;
      },
    });
    await eventually(() => unanswered.length === 1);
    await stores.calls.commit({ ...call, sequence: 2, version: 2 }, [eventOf(call, 2)]);
    const before = looks;
    dispatcher.wake();
    await eventually(() => looks > before);
    expect(sent).toHaveLength(1);
    answerAll();
    // The clock stands still: no poll finds it.
    await allDelivered();
    expect(sent).toHaveLength(2);
  });

  it('gives its endpoints back when it stops, each as soon as nothing is on its way there, so that others go on at once', async () => {
    const released = gate();
    const dispatcher = await startWithMany({
      async release(...which) {
        await stores.outbox.release(...which);
        await released.pass(async () => undefined);
      },
    });
    released.shut();
    const stopping = dispatcher.stop();
    await released.reached();
    expect(await leaseAs(newId())).toEqual([]);
    released.open();
    answerAll();
    await stopping;
    expect(await leaseAs(newId())).toHaveLength(4);
    expect(sent).toHaveLength(5);
  });

  it('sends what waits here to the new URL as soon as it hears of it', async () => {
    const dispatcher = await startWithMany();
    const moved = 'https://crm.example.com/moved';
    await stores.integrations.update(company.companyId, () => ({ webhookUrl: moved }));
    dispatcher.forget(company.companyId);
    answerAll();
    await allDelivered();
    const to = (where: string) => sent.filter((one) => one.url === where).length;
    expect([to(url), to(moved)]).toEqual([5, 26]);
  });

  it('sends nothing of what it holds once the endpoint answered 410', async () => {
    await startWithMany();
    result = { ...taken, statusCode: 410 };
    answerAll();
    await eventually(async () => (await states()).filter((state) => state === 'dead').length === 30);
    expect(sent).toHaveLength(5);
  });

  it('goes on with others while it cannot send one', async () => {
    await makeWaitingEvents(stores, company, 1);
    const other = await makeCompany(stores, 'https://other.example.com/');
    await makeWaitingEvents(stores, other, 1);
    await stores.pool.query(`UPDATE webhook_endpoint SET secret_encrypted = 'x' WHERE company_id = $1`, [
      company.companyId,
    ]);
    start();
    await eventually(() => sent.some((one) => one.url === 'https://other.example.com/'));
    await eventually(async () => (await dueAt()) > stores.clock.now());
    expect(sent.map((one) => one.url)).toEqual(['https://other.example.com/']);
  });
});
