import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
import {
  after,
  eventOf,
  makeCompany,
  makeWaitingEvents,
  newCall,
  openStores,
  start,
  type Stores,
} from './openStores.ts';
import { delivered, idOf, url } from './outboxRoom.ts';

describe('the integration store', () => {
  let stores: Stores;

  beforeAll(async () => {
    stores = await openStores();
  });
  afterAll(() => stores.close());

  it('changes what is given, keeps the rest and clears on null', async () => {
    const { integrations } = stores;
    const { companyId } = await makeCompany(stores);
    const connected = await integrations.update(companyId, () => ({
      crmProvider: 'salesforce',
      ctiConnector: 'avaya',
      connected: true,
      apiKey: { hash: 'hash 1', prefix: 'rl_1' },
      webhookUrl: url,
      webhookSecretEncrypted: 'cipher text',
      defaultCountry: 'AT',
    }));
    expect(connected).toMatchObject({
      crmProvider: 'salesforce',
      ctiConnector: 'avaya',
      mode: 'push',
      defaultCountry: 'AT',
      apiKeyPrefix: 'rl_1',
      apiKeyIssuedAt: start,
      connectedAt: start,
      updatedAt: start,
      webhookUrl: url,
      webhookSecretEncrypted: 'cipher text',
    });
    const moved = await integrations.update(companyId, () => ({ webhookUrl: `${url}/2`, crmProvider: null }));
    expect(moved).toEqual({ ...connected, webhookUrl: `${url}/2`, crmProvider: null });
    const unsigned = await integrations.update(companyId, () => ({
      webhookSecretEncrypted: null,
      defaultCountry: null,
    }));
    expect(unsigned).toEqual({ ...moved, webhookSecretEncrypted: null, defaultCountry: null });
    expect(await integrations.find(companyId)).toEqual(unsigned);
  });

  it('refuses a secret that nothing would be signed with', async () => {
    const { companyId } = await makeCompany(stores);
    const change = { webhookSecretEncrypted: 'cipher text', crmProvider: 'custom' } as const;
    await expect(stores.integrations.update(companyId, () => change)).rejects.toThrow('needs a webhook URL');
    expect(await stores.integrations.find(companyId)).toMatchObject({ crmProvider: null });
    await stores.integrations.update(companyId, () => ({ webhookSecretEncrypted: null }));
  });

  it('lets only one of many admins at once issue the first key', async () => {
    const { companyId } = await makeCompany(stores);
    const issued: string[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        stores.integrations.update(companyId, (current) => {
          if (current.apiKeyPrefix !== null) return {};
          issued.push(`rl_${n}`);
          return { apiKey: { hash: `hash of first key ${n}`, prefix: `rl_${n}` } };
        }),
      ),
    );
    expect(issued).toHaveLength(1);
    expect((await stores.integrations.find(companyId)).apiKeyPrefix).toBe(issued[0]);
  });

  it('keeps nothing where the decision fails, and fails for a company that does not exist', async () => {
    const { companyId } = await makeCompany(stores);
    const failing = stores.integrations.update(companyId, () => {
      throw new Error('undecided');
    });
    await expect(failing).rejects.toThrow('undecided');
    await expect(stores.integrations.find(toId<CompanyId>(newId()))).rejects.toThrow();
    await stores.integrations.update(companyId, () => ({ crmProvider: 'zoho' }));
  });

  it('finds the company of a key until the key is rotated', async () => {
    const { companyId } = await makeCompany(stores);
    const { companyId: otherId } = await makeCompany(stores);
    await stores.integrations.update(companyId, () => ({ apiKey: { hash: 'old hash', prefix: 'rl_old' } }));
    await stores.integrations.update(otherId, () => ({ apiKey: { hash: 'other hash', prefix: 'rl_other' } }));
    expect(await stores.integrations.findByApiKeyHash('old hash')).toEqual({ companyId, prefix: 'rl_old' });
    await stores.integrations.update(companyId, () => ({ apiKey: { hash: 'new hash', prefix: 'rl_new' } }));
    expect(await stores.integrations.findByApiKeyHash('old hash')).toBeNull();
    expect(await stores.integrations.findByApiKeyHash('new hash')).toEqual({ companyId, prefix: 'rl_new' });
    expect(await stores.integrations.findByApiKeyHash('other hash')).toMatchObject({ companyId: otherId });
  });

  describe('clearing the webhook URL', () => {
    it('gives up what waits of that company, also what is being sent, and nothing else', async () => {
      const { integrations, outbox } = stores;
      const company = await makeCompany(stores, url);
      const other = await makeCompany(stores, url);
      const events = await makeWaitingEvents(stores, company, 6);
      const [foreign] = await makeWaitingEvents(stores, other, 1);
      const holder = newId();
      const claimed = await outbox.lease({
        holder,
        limit: 3,
        now: start,
        leaseUntil: after(60),
        holdings: [],
        atHand: [],
        newcomersAtMost: 32,
      });
      const flying = claimed.find((delivery) => delivery.companyId === company.companyId);
      if (flying === undefined || foreign === undefined) throw new Error('nothing is in flight');

      const cleared = await integrations.update(company.companyId, () => ({ webhookUrl: null }));
      expect(cleared).toMatchObject({ webhookUrl: null, webhookSecretEncrypted: null });
      expect(await outbox.moveToDead(company.companyId, 4, start)).toBe(4);
      expect(await outbox.moveToDead('all', 4, start)).toBe(2);
      const { items } = await outbox.list(company.companyId, {}, { cursor: null, limit: 10 });
      expect(items).toHaveLength(events.length);
      for (const delivery of items) {
        expect(delivery).toMatchObject({
          state: 'dead',
          lastError: 'Not sent: the webhook URL was cleared.',
          finishedAt: start,
        });
      }
      expect(await outbox.settle(holder, delivered(flying))).toBe(true);
      expect(await outbox.find(other.companyId, foreign.id)).not.toMatchObject({ value: { state: 'dead' } });
    });

    it('leaves nothing waiting that is written at the same time', async () => {
      const { integrations, outbox, calls } = stores;
      const company = await makeCompany(stores, url);
      const writing = Array.from({ length: 40 }, async () => {
        const call = newCall(company, { state: 'ended', sequence: 1 });
        await calls.create(call, [eventOf(call, 1)]);
      });
      await Promise.all([...writing, integrations.update(company.companyId, () => ({ webhookUrl: null }))]);
      await outbox.moveToDead(company.companyId, 100, start);
      const { items } = await outbox.list(company.companyId, {}, { cursor: null, limit: 100 });
      expect(items.filter(({ state }) => state !== 'dead')).toEqual([]);
    });

    it('makes later events and redeliveries write nothing until there is a URL again', async () => {
      const { integrations, outbox, calls } = stores;
      const company = await makeCompany(stores, url);
      const [event] = await makeWaitingEvents(stores, company, 1);
      await integrations.update(company.companyId, () => ({ webhookUrl: null }));
      await outbox.moveToDead(company.companyId, 100, start);
      const call = newCall(company, { state: 'ended', sequence: 1 });
      await calls.create(call, [eventOf(call, 1)]);
      expect((await outbox.list(company.companyId, {}, { cursor: null, limit: 10 })).items).toHaveLength(1);
      const id = idOf(event);
      expect(await outbox.redeliver(company.companyId, id, after(1))).toEqual({ kind: 'found', value: false });
      expect(await outbox.redeliverDeadSince(company.companyId, start, after(1))).toBe(0);
      await integrations.update(company.companyId, () => ({ webhookUrl: url }));
      expect(await outbox.redeliver(company.companyId, id, after(2))).toEqual({ kind: 'found', value: true });
    });
  });
});
