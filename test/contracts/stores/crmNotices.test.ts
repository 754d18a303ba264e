import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CompanyId } from '../../../src/domain/ids.ts';
import type { LeasedNotice } from '../../../src/ports/crmInbound.ts';
import { waitAtMost } from '../../../src/adapters/postgres/companies/crmNoticeStore.ts';
import { after, makeCompany, openStores, start, type Stores } from './openStores.ts';

const connection = {
  provider: 'hubspot',
  credentialsEncrypted: 'sealed',
  options: {},
  facts: {},
  account: 'HubSpot 1',
  keepSeconds: 600,
  logCalls: 'all' as const,
  dispositions: {},
};
const contact = (id: string) => ({ object: 'contact', id });

describe('the records that CRM systems told of', () => {
  let stores: Stores;
  let companyId: CompanyId;

  beforeAll(async () => {
    stores = await openStores();
  });
  beforeEach(async () => {
    await stores.pool.query('TRUNCATE crm_notice, crm_notice_queue');
    companyId = await connected();
  });
  afterAll(() => stores.close());

  async function connected(): Promise<CompanyId> {
    const { companyId: made } = await makeCompany(stores);
    await stores.crmConnections.connect(made, connection, null);
    return made;
  }

  /** What another gateway would read now. @param seconds after the start; the lease lasts thirty */
  async function lease(limit = 8, seconds = 0): Promise<{ holder: string; leased: LeasedNotice[] }> {
    const holder = newId();
    return {
      holder,
      leased: await stores.crmNotices.lease({ holder, limit, now: after(seconds), leaseUntil: after(seconds + 30) }),
    };
  }

  async function leaseOne(seconds = 0): Promise<{ holder: string; notice: LeasedNotice }> {
    const { holder, leased } = await lease(1, seconds);
    const [notice] = leased;
    if (notice === undefined) throw new Error('a record is to be read');
    return { holder, notice };
  }

  const add = (...ids: string[]) => stores.crmNotices.add(companyId, 'hubspot', ids.map(contact));
  const waiting = async () =>
    (await stores.pool.query<{ record_id: string }>('SELECT record_id FROM crm_notice ORDER BY record_id')).rows.map(
      (row) => row.record_id,
    );

  it('wait once each, however often they are told of, and tell so in the order given', async () => {
    expect(await add('2', '1')).toEqual(['added', 'added']);
    expect(await add('3', '1')).toEqual(['added', 'waiting']);
    expect(await waiting()).toEqual(['1', '2', '3']);
  });

  it('are not kept without a connection to that CRM', async () => {
    expect(await stores.crmNotices.add(companyId, 'zendesk', [contact('1')])).toBeNull();
    expect(await stores.crmNotices.add((await makeCompany(stores)).companyId, 'hubspot', [contact('1')])).toBeNull();
    expect(await waiting()).toEqual([]);
  });

  it('are not kept beyond the most that may wait; what waits already is told of again', async () => {
    await stores.pool.query('INSERT INTO crm_notice_queue (company_id) VALUES ($1)', [companyId]);
    await stores.pool.query(
      `INSERT INTO crm_notice (company_id, provider, object, record_id, version, told_at)
       SELECT $1, 'hubspot', 'contact', n, gen_random_uuid(), $2 FROM generate_series(1, $3) n`,
      [companyId, start, waitAtMost],
    );
    expect(await add('1', 'new')).toEqual(['waiting', 'full']);
    const other = await connected();
    expect(await stores.crmNotices.add(other, 'hubspot', [contact('new')])).toEqual(['added']);
    expect(await waiting()).toHaveLength(waitAtMost + 1);
  });

  it('are read in turns: a company with ten thousand takes one turn of many', async () => {
    await add(...Array.from({ length: waitAtMost }, (_, index) => String(index)));
    const others = [];
    for (let count = 0; count < 20; count += 1) {
      const other = await connected();
      others.push(other);
      await stores.crmNotices.add(other, 'hubspot', [contact('1'), contact('2')]);
    }
    const turns: CompanyId[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { holder, leased } = await lease(7);
      expect(leased).toHaveLength(7);
      for (const notice of leased) {
        turns.push(notice.companyId);
        expect(await stores.crmNotices.finish(holder, notice)).toBe(true);
      }
    }
    // Twice around: each of the 21 had its second turn only after all had their first.
    for (const round of [turns.slice(0, 21), turns.slice(21)])
      expect(round.toSorted()).toEqual([companyId, ...others].toSorted());
  });

  it('are leased to one of two gateways, one of a company at a time, and to the other when the lease has ended', async () => {
    await add('1', '2');
    const [one, other] = await Promise.all([lease(), lease()]);
    expect([...one.leased, ...other.leased]).toHaveLength(1);
    expect((await lease(8, 29)).leased).toEqual([]);
    const second = await leaseOne(30);
    expect(second.notice.reference).toEqual(contact('1'));
    const [stale] = [...one.leased, ...other.leased];
    const staleHolder = one.leased.length === 1 ? one.holder : other.holder;
    expect(await stores.crmNotices.finish(staleHolder, stale!)).toBe(false);
    expect(await stores.crmNotices.stateOf(staleHolder, stale!)).toBe('lost');
    await stores.crmNotices.putOff(staleHolder, stale!, after(1_000));
    expect(await stores.crmNotices.finish(second.holder, second.notice)).toBe(true);
    expect((await leaseOne(30)).notice).toMatchObject({ reference: contact('2'), tries: 0 });
  });

  it('are read again when they were told of while they were read', async () => {
    await add('1');
    const { holder, notice } = await leaseOne();
    expect(await add('1')).toEqual(['waiting']);
    expect(await stores.crmNotices.finish(holder, notice)).toBe(false);
    expect(await stores.crmNotices.stateOf(holder, notice)).toBe('waiting');
    await stores.crmNotices.release(holder, companyId);
    const again = await leaseOne();
    expect(await stores.crmNotices.finish(again.holder, again.notice)).toBe(true);
    expect(await waiting()).toEqual([]);
  });

  it('are found withdrawn by their reader, also where they were told of again and withdrawn', async () => {
    await add('1', '2');
    const { holder, notice } = await leaseOne();
    await stores.crmNotices.withdraw(companyId, 'hubspot', contact('1'));
    expect(await stores.crmNotices.finish(holder, notice)).toBe(false);
    expect(await stores.crmNotices.stateOf(holder, notice)).toBe('withdrawn');
    await add('1');
    expect(await stores.crmNotices.finish(holder, notice)).toBe(false);
    expect(await stores.crmNotices.stateOf(holder, notice)).toBe('waiting');
  });

  it('rest with all of their company, and keep their place', async () => {
    await add('1');
    await stores.clock.advance(1_000);
    await add('2');
    const { holder, notice } = await leaseOne(1);
    await stores.crmNotices.putOff(holder, notice, after(5));
    expect((await lease(8, 4)).leased).toEqual([]);
    expect(await stores.crmNotices.backlog(after(4))).toMatchObject({
      records: { due: 0, resting: 2 },
      oldestSeconds: { resting: 4 },
    });
    expect((await leaseOne(5)).notice).toMatchObject({ reference: contact('1'), tries: 1 });
  });

  it('rest while the CRM is left alone, which counts as no try', async () => {
    await add('1', '2');
    const { holder } = await leaseOne(1);
    await stores.crmNotices.release(holder, companyId, after(5));
    expect((await lease(8, 4)).leased).toEqual([]);
    const second = await leaseOne(5);
    expect(second.notice).toMatchObject({ reference: contact('1'), tries: 0 });
    await stores.crmNotices.release(second.holder, companyId);
    expect((await leaseOne(6)).notice).toMatchObject({ reference: contact('1'), tries: 0 });
  });

  it('wait while the CRM refuses the credentials, and for a week at most', async () => {
    await add('1');
    const known = (await stores.crmConnections.find(companyId))!;
    await stores.crmConnections.noteAttention(companyId, known, 'The token has expired.');
    expect((await lease()).leased).toEqual([]);
    expect((await stores.crmNotices.backlog(after(9))).records).toEqual({ due: 0, resting: 0, held_back: 1 });
    expect(await stores.crmNotices.prune(start, 10)).toEqual([]);
    await stores.crmConnections.connect(companyId, connection, null);
    expect((await leaseOne()).notice.reference).toEqual(contact('1'));
    await stores.crmNotices.releaseAll();
    expect(await stores.crmNotices.prune(after(10), 10)).toEqual([{ companyId, provider: 'hubspot' }]);
  });

  it('end with the connection, and with another account', async () => {
    await add('1');
    await stores.crmConnections.connect(companyId, { ...connection, account: 'HubSpot 2' }, null);
    expect(await waiting()).toEqual([]);
    await add('2');
    const { holder, notice } = await leaseOne();
    await stores.crmConnections.disconnect(companyId);
    expect(await waiting()).toEqual([]);
    expect(await stores.crmNotices.stateOf(holder, notice)).toBe('lost');
  });
});
