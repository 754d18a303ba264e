import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/contract/jsonText.ts';
import { pushed, type ScreenPopEntry } from '../../../src/domain/screenPop.ts';
import { makeCompany, openStores, phoneNumber, type MadeCompany, type Stores } from './openStores.ts';

function entry(
  phone: string,
  { data = { name: 'Ada' }, ...more }: Partial<Omit<ScreenPopEntry, 'data'>> & { data?: object } = {},
): ScreenPopEntry {
  const text = data instanceof JsonText ? data : JsonText.of(data);
  return { phone, data: text, externalSystem: null, externalId: null, tier: null, ...pushed, ...more };
}

/** An object with arrays within arrays. */
function nested(levels: number): JsonText {
  return new JsonText(`{"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`);
}

describe('the screen pop store', () => {
  let stores: Stores;
  let company: MadeCompany;
  let other: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
    company = await makeCompany(stores);
    other = await makeCompany(stores);
  });
  afterAll(() => stores.close());

  it('gives back what was pushed, and what replaced it', async () => {
    const phone = phoneNumber(1);
    const first = entry(phone, {
      data: { name: 'Ada', tags: ['a', { b: null }], 'quotes "and" \\ commas, {braces}': 1.5, emoji: '👋' },
      externalSystem: 'a "CRM", with {odd} letters\\',
      externalId: 'NULL',
      tier: '',
    });
    await stores.screenPops.upsert(company.companyId, first);
    expect(await stores.screenPops.find(company.companyId, phone)).toEqual(first);
    const second = entry(phone, { data: {}, tier: 'gold' });
    await stores.screenPops.upsert(company.companyId, second);
    expect(await stores.screenPops.find(company.companyId, phone)).toEqual(second);
  });

  /** Texts that parsing and writing, or PostgreSQL's jsonb, would change. */
  const exact =
    '{"b":1,"10":554023000000235001,"2":1.10,"price":-0.0,"huge":1e400,"tiny":1E-400,"a":{"z":[0.30,1],' +
    '"y":12345678901234567890123}}';

  it('keeps every digit and the order of fields', async () => {
    const phone = phoneNumber(8);
    await stores.screenPops.upsert(company.companyId, entry(phone, { data: new JsonText(exact) }));
    expect((await stores.screenPops.find(company.companyId, phone))?.data.text).toBe(exact);
  });

  it('tells what a gateway of before has pushed since, and lets it read what this one pushes', async () => {
    const phone = phoneNumber(9);
    const asBefore = `INSERT INTO screen_pop_entry (company_id, phone, data) VALUES ($1, $2, $3::jsonb)
      ON CONFLICT (company_id, phone) DO UPDATE SET data = excluded.data`;
    const text = async () => (await stores.screenPops.find(company.companyId, phone))?.data.text;
    await stores.pool.query(asBefore, [company.companyId, phone, '{"name":"Ada"}']);
    expect(await text()).toBe('{"name": "Ada"}');
    await stores.screenPops.upsert(company.companyId, entry(phone, { data: new JsonText(exact) }));
    const { rows } = await stores.pool.query<{ data: object }>('SELECT data FROM screen_pop_entry WHERE phone = $1', [
      phone,
    ]);
    expect(rows[0]?.data).toEqual(JSON.parse(exact.replace('1E-400', '0').replace('-0.0', '0')));
    await stores.pool.query(asBefore, [company.companyId, phone, '{"name":"Grace"}']);
    expect(await text()).toBe('{"name": "Grace"}');
  });

  it('keeps companies apart', async () => {
    const phone = phoneNumber(2);
    await stores.screenPops.upsert(company.companyId, entry(phone, { tier: 'ours' }));
    expect(await stores.screenPops.find(other.companyId, phone)).toBeNull();
    await stores.screenPops.upsert(other.companyId, entry(phone, { tier: 'theirs' }));
    expect(await stores.screenPops.forget(other.companyId, phone)).toBe(true);
    expect(await stores.screenPops.find(company.companyId, phone)).toMatchObject({ tier: 'ours' });
  });

  it('forgets once', async () => {
    const phone = phoneNumber(3);
    await stores.screenPops.upsert(company.companyId, entry(phone));
    expect(await stores.screenPops.forget(company.companyId, phone)).toBe(true);
    expect(await stores.screenPops.forget(company.companyId, phone)).toBe(false);
    expect(await stores.screenPops.find(company.companyId, phone)).toBeNull();
  });

  it('keeps the last of many concurrent pushes for few numbers', async () => {
    const pushes = Array.from({ length: 2_000 }, (_, n) => entry(phoneNumber(100 + (n % 50)), { tier: String(n) }));
    await Promise.all(pushes.map((push) => stores.screenPops.upsert(company.companyId, push)));
    for (let n = 1_950; n < 2_000; n++) {
      const found = await stores.screenPops.find(company.companyId, phoneNumber(100 + (n % 50)));
      expect(found?.tier).toBe(String(n));
    }
  });

  it('writes the same numbers from two gateways at once without a deadlock', async () => {
    const { createScreenPopStore } = await import('../../../src/adapters/postgres/screenPopStore.ts');
    const gateways = [createScreenPopStore(stores), createScreenPopStore(stores)];
    const numbers = Array.from({ length: 400 }, (_, n) => entry(phoneNumber(1_000 + n)));
    const orders = [numbers, numbers.toReversed()];
    const rounds = Array.from({ length: 10 }, () =>
      gateways.map((gateway, n) => gateway.upsertMany(company.companyId, orders[n] ?? [])),
    );
    await Promise.all(rounds.flat());
    expect(await stores.screenPops.find(company.companyId, phoneNumber(1_399))).not.toBeNull();
  });

  it('writes many at once, the last of one number winning', async () => {
    const many = Array.from({ length: 1_201 }, (_, n) => entry(phoneNumber(2_000 + n), { tier: String(n) }));
    await stores.screenPops.upsertMany(company.companyId, [...many, entry(phoneNumber(2_000), { tier: 'last' })]);
    expect(await stores.screenPops.find(company.companyId, phoneNumber(2_000))).toMatchObject({ tier: 'last' });
    expect(await stores.screenPops.find(company.companyId, phoneNumber(3_200))).toMatchObject({ tier: '1200' });
    await stores.screenPops.upsertMany(company.companyId, []);
  });

  it.each([
    ['data', { data: { name: 'nul \0' } }],
    ['data', { data: { 'key \0': 1 } }],
    ['data', { data: { half: '\ud83d' } }],
    ['data', { data: nested(100) }],
    ['data', { data: nested(60_000) }],
    ['external_system', { externalSystem: '\0' }],
    ['external_id', { externalId: 'half \ude00' }],
    ['tier', { tier: 'a\0b' }],
  ])('refuses text that no store can keep, naming %s, and keeps the neighbours', async (field, poison) => {
    const neighbours = [phoneNumber(4_000), phoneNumber(4_002)];
    const outcomes = await Promise.allSettled([
      stores.screenPops.upsert(company.companyId, entry(phoneNumber(4_000))),
      stores.screenPops.upsert(company.companyId, entry(phoneNumber(4_001), poison)),
      stores.screenPops.upsert(company.companyId, entry(phoneNumber(4_002))),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { name: 'InvalidTextError', field } });
    for (const phone of neighbours) expect(await stores.screenPops.forget(company.companyId, phone)).toBe(true);
  });

  it('keeps text that only looks like an escape', async () => {
    for (const data of [JsonText.of({ backslash: '\\u0000 \\\\u0000 \\ud800', tab: '\u0001' }), nested(60)]) {
      await stores.screenPops.upsert(company.companyId, entry(phoneNumber(5), { data }));
      expect(await stores.screenPops.find(company.companyId, phoneNumber(5))).toMatchObject({ data });
    }
  });

  it('says which of many entries cannot be kept, and writes none', async () => {
    const entries = [entry(phoneNumber(6_000)), entry(phoneNumber(6_001), { tier: '\0' })];
    await expect(stores.screenPops.upsertMany(company.companyId, entries)).rejects.toMatchObject({ index: 1 });
    expect(await stores.screenPops.find(company.companyId, phoneNumber(6_000))).toBeNull();
  });

  it('keeps the neighbours of a push for a company that is gone', async () => {
    const gone = await makeCompany(stores);
    await stores.prisma.company.delete({ where: { id: gone.companyId } });
    const outcomes = await Promise.allSettled([
      stores.screenPops.upsert(company.companyId, entry(phoneNumber(7_000))),
      stores.screenPops.upsert(gone.companyId, entry(phoneNumber(7_000))),
      stores.screenPops.upsert(other.companyId, entry(phoneNumber(7_000))),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
