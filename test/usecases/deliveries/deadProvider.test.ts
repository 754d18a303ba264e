import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCallLogs, createLoggingCompanies, type LoggingCompany } from '../../../bench/room/callLogs.ts';
import { createSecretCipher } from '../../../src/adapters/crypto/secretCipher.ts';
import { type NodeId, toId } from '../../../src/domain/ids.ts';
import type { CrmAccount, CrmAnswer, CrmClient } from '../../../src/ports/crm.ts';
import type { PresenceStore } from '../../../src/ports/presence.ts';
import { providers } from '../../../src/providers/registry.ts';
import { callLogLane } from '../../../src/usecases/crm/callLog/logCall.ts';
import { createDispatcher, type Dispatcher } from '../../../src/usecases/deliveries/dispatcher.ts';
import { openStores, type Stores } from '../../contracts/stores/openStores.ts';
import { plainCompany, quietObserver } from '../../support/stores/quietServices.ts';
import { eventually } from '../../support/time/waiting.ts';

const encryptionKey = '5e'.repeat(32);
const noAnswer: CrmAnswer = {
  kind: 'failed',
  trouble: { kind: 'no_answer', message: 'no answer within 15000 ms', isUnknown: true },
};

describe('calls of 40 companies beside 2,000 whose CRM accepts requests and never answers', () => {
  let stores: Stores;
  let well: LoggingCompany[];
  let dispatcher: Dispatcher;
  /** Requests that the dead CRM has and does not answer. */
  let hanging: (() => void)[] = [];
  let isOver = false;
  let dead: ReadonlySet<string>;
  /** Deliveries of the dead ones that the dispatcher had at hand when it looked last. */
  let atHand = 0;

  beforeAll(async () => {
    stores = await openStores();
    const freshdesk = {
      count: 2_000,
      provider: 'freshdesk',
      credentials: { domain: 'acme.freshdesk.com', api_key: 'a-key' },
      encryptionKey,
    };
    const unwell = await createLoggingCompanies(stores, freshdesk);
    dead = new Set(unwell.map(({ companyId }) => companyId));
    const custom = {
      lookup_url: 'https://erp.example.com/customers?phone={phone}',
      log_url: 'https://erp.example.com/calls',
    };
    well = await createLoggingCompanies(stores, { count: 40, provider: 'custom', credentials: custom, encryptionKey });
    await addCallLogs(stores, unwell, unwell.length);
    await addCallLogs(stores, well, 3 * well.length);
    // By the clock of the stores; the dead ones first.
    await stores.pool.query(
      `UPDATE crm_delivery SET due_at = $2::timestamptz - CASE WHEN company_id = ANY($1) THEN interval '0'
        ELSE interval '1 minute' END`,
      [well.map(({ companyId }) => companyId), new Date(stores.clock.now())],
    );
    dispatcher = start();
  });
  afterAll(async () => {
    isOver = true;
    for (const answer of hanging) answer();
    await dispatcher.stop();
    await stores.close();
  });

  function start(): Dispatcher {
    const crm: Pick<CrmClient, 'pauseOf' | 'send'> = {
      pauseOf: () => Promise.resolve(null),
      async send({ provider }: CrmAccount) {
        if (provider.id === 'custom')
          return { kind: 'answer', response: { status: 201, headers: {}, body: '{"id":"entry"}' } };
        if (!isOver) await new Promise<void>((resolve) => hanging.push(resolve));
        return noAnswer;
      },
    };
    const presence: Pick<PresenceStore, 'find'> = { find: () => Promise.resolve(null) };
    const services = {
      ...stores,
      crm: crm as CrmClient,
      presence: presence as PresenceStore,
      cipher: createSecretCipher(Buffer.from(encryptionKey, 'hex')),
      crmProviders: {
        byId: new Map(providers.map((provider) => [provider.id, provider])),
        baseUrls: new Map<string, string>(),
      },
      nodeId: toId<NodeId>(newId()),
      observer: quietObserver,
      companyOf: (companyId: LoggingCompany['companyId']) => Promise.resolve(plainCompany(companyId)),
    };
    const { lane } = callLogLane(services);
    const made = createDispatcher(services, {
      ...lane,
      lease(request) {
        atHand = request.holdings
          .filter(({ companyId }) => dead.has(companyId))
          .reduce((sum, { held }) => sum + held, 0);
        return lane.lease(request);
      },
    });
    made.start();
    return made;
  }

  const waiting = async () => {
    const { rows } = await stores.pool.query<{ count: string }>(
      "SELECT count(*) FROM crm_delivery WHERE company_id = ANY($1) AND state <> 'delivered'",
      [well.map(({ companyId }) => companyId)],
    );
    return Number(rows[0]?.count);
  };

  it('are all logged while the first requests still hang, at a gateway that has just been started', async () => {
    await eventually(() => hanging.length > 0);
    await eventually(async () => {
      await stores.clock.advance(100);
      return (await waiting()) === 0;
    });
    // None of them was answered, nor came to its deadline.
    expect(hanging.length).toBeGreaterThan(0);
  });

  it('leave most places to others, and what is read of the dead ones is a small part of what may be at hand', async () => {
    expect(hanging).toHaveLength(64);
    expect(atHand).toBeLessThanOrEqual(256);
  });
});
