import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { healthyEndpoint } from '../../../src/domain/endpointHealth.ts';
import type { CompanyId, DeliveryId } from '../../../src/domain/ids.ts';
import { after, makeCompany, makeWaitingEvents, openStores, start, type Stores } from './openStores.ts';
import { idOf, url } from './outboxRoom.ts';

describe('the webhook endpoint in the integration store', () => {
  let stores: Stores;

  beforeAll(async () => {
    stores = await openStores();
  });
  afterAll(() => stores.close());

  it('keeps the previous secret, the limit and the health of the endpoint, which a new URL makes well', async () => {
    const { integrations } = stores;
    const { companyId } = await makeCompany(stores, url);
    const webhookSecretPrevious = { encrypted: 'old cipher text', until: after(86_400) };
    const webhookHealth = {
      consecutiveFailures: 12,
      failingSince: after(-9),
      pausedUntil: after(60),
      disabled: { at: start, reason: 'failing' },
    } as const;
    const change = {
      webhookSecretEncrypted: 'cipher text',
      webhookSecretPrevious,
      webhookMaxInFlight: 32,
      webhookHealth,
    };
    const changed = await integrations.update(companyId, () => change);
    expect(changed).toMatchObject(change);
    expect(await integrations.find(companyId)).toEqual(changed);
    const moved = await integrations.update(companyId, () => ({ webhookUrl: `${url}/2` }));
    expect(moved).toEqual({ ...changed, webhookUrl: `${url}/2`, webhookHealth: healthyEndpoint });
    expect(await integrations.update(companyId, () => ({ webhookUrl: url, webhookHealth }))).toMatchObject({
      webhookHealth,
    });
    const alone = await integrations.update(companyId, () => ({ webhookSecretPrevious: null }));
    expect(alone).toMatchObject({ webhookSecretEncrypted: 'cipher text', webhookSecretPrevious: null });
    const cleared = await integrations.update(companyId, () => ({ webhookUrl: null }));
    expect(cleared).toMatchObject({ webhookSecretPrevious: null, webhookMaxInFlight: null, webhookHealth: null });
    const anew = await integrations.update(companyId, () => ({ webhookUrl: url }));
    expect(anew).toMatchObject({ webhookSecretPrevious: null, webhookMaxInFlight: 4, webhookHealth: healthyEndpoint });
  });

  it('does not count a change of nothing as a change', async () => {
    const { integrations, clock } = stores;
    const { companyId } = await makeCompany(stores, url);
    const before = await integrations.find(companyId);
    await clock.advance(1_000);
    expect(await integrations.update(companyId, () => ({}))).toEqual(before);
    const changed = await integrations.update(companyId, () => ({ mode: 'push' }));
    expect(changed.updatedAt.getTime() - before.updatedAt.getTime()).toBe(1_000);
  });

  describe('disabling the endpoint', () => {
    const disabled = { ...healthyEndpoint, disabled: { at: start, reason: 'admin' } } as const;

    it('gives up what waits, also what is being sent, and lets nothing be made due', async () => {
      const { integrations, outbox } = stores;
      const company = await makeCompany(stores, url);
      const other = await makeCompany(stores, url);
      const [flying, waiting] = await makeWaitingEvents(stores, company, 2);
      const [foreign] = await makeWaitingEvents(stores, other, 1);
      const request = {
        holder: newId(),
        limit: 64,
        now: after(30),
        leaseUntil: after(90),
        holdings: [],
        atHand: [],
        newcomersAtMost: 1,
      };
      expect(await outbox.lease(request)).toContainEqual(expect.objectContaining({ id: idOf(flying) }));
      await integrations.update(company.companyId, () => ({ webhookHealth: disabled }));
      expect(await outbox.moveToDead('all', 100, start)).toBe(2);
      const stateOf = async ({ companyId }: { companyId: CompanyId }, id: DeliveryId) => {
        const found = await outbox.find(companyId, id);
        return found.kind === 'found' ? found.value.state : found.kind;
      };
      expect(await stateOf(company, idOf(flying))).toBe('dead');
      expect(await stateOf(company, idOf(waiting))).toBe('dead');
      expect(await stateOf(other, idOf(foreign))).toBe('pending');
      expect(await outbox.redeliver(company.companyId, idOf(waiting), after(1))).toEqual({
        kind: 'found',
        value: false,
      });
      expect(await outbox.redeliverDeadSince(company.companyId, start, after(1))).toBe(0);
      await integrations.update(company.companyId, () => ({ webhookHealth: healthyEndpoint }));
      expect(await outbox.redeliverDeadSince(company.companyId, start, after(1))).toBe(2);
      expect(await stateOf(company, idOf(waiting))).toBe('pending');
    });

    it('while a recovery is under way leaves nothing waiting', async () => {
      const { integrations, outbox } = stores;
      const company = await makeCompany(stores, url);
      await makeWaitingEvents(stores, company, 30);
      for (let round = 0; round < 10; round += 1) {
        await integrations.update(company.companyId, () => ({ webhookHealth: disabled }));
        await outbox.moveToDead(company.companyId, 100, start);
        await integrations.update(company.companyId, () => ({ webhookHealth: healthyEndpoint }));
        await Promise.all([
          outbox.redeliverDeadSince(company.companyId, start, after(1)),
          integrations.update(company.companyId, () => ({ webhookHealth: disabled })),
        ]);
        await outbox.moveToDead(company.companyId, 100, start);
        const { items } = await outbox.list(company.companyId, {}, { cursor: null, limit: 100 });
        expect(items.filter(({ state }) => state !== 'dead')).toEqual([]);
      }
    });
  });
});
