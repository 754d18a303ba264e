import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { after, makeCompany, newCall, openStores, start, type MadeCompany, type Stores } from './openStores.ts';

const [hash, otherHash] = ['a'.repeat(64), 'b'.repeat(64)];

describe('the idempotency store', () => {
  let stores: Stores;
  let company: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
    company = await makeCompany(stores);
  });
  afterAll(() => stores.close());

  /** Begins a request at `seconds` after the start, with 30 s to finish. */
  const begin = (key: string, seconds = 0, requestHash = hash) =>
    stores.idempotency.begin(company.companyId, key, requestHash, after(seconds), after(seconds + 30));

  const answer = (key: string, body: unknown, expiresAt = after(86_400)) =>
    stores.calls.create(newCall(company), [], { key, status: 201, body, expiresAt });

  it('claims a key once, and tells that the first request is under way', async () => {
    expect(await begin('once')).toEqual({ kind: 'fresh' });
    expect(await begin('once', 1)).toEqual({ kind: 'in_progress' });
    expect(await begin('once', 1, otherHash)).toEqual({ kind: 'mismatch' });
  });

  it('gives the first answer back as it was, whatever it holds', async () => {
    const body = { zebra: 1, a: { text: 'nul \0 half \ud83d "quoted" \\u0000' }, list: [null, 1.5] };
    await begin('answered');
    await answer('answered', body);
    const claim = await begin('answered', 3_600);
    expect(claim).toEqual({ kind: 'answered', status: 201, body });
    expect(claim.kind === 'answered' && JSON.stringify(claim.body)).toBe(JSON.stringify(body));
    expect(await begin('answered', 3_600, otherHash)).toEqual({ kind: 'mismatch' });
  });

  it('keeps the keys of companies apart', async () => {
    const other = await makeCompany(stores);
    await begin('shared');
    await answer('shared', {});
    const theirs = await stores.idempotency.begin(other.companyId, 'shared', otherHash, start, after(30));
    expect(theirs).toEqual({ kind: 'fresh' });
    await stores.idempotency.abandon(other.companyId, 'shared');
    expect(await begin('shared')).toMatchObject({ kind: 'answered' });
  });

  it('takes over a claim that lapsed and an answer that was to be forgotten', async () => {
    await begin('lapsed');
    expect(await begin('lapsed', 30, otherHash)).toEqual({ kind: 'fresh' });
    expect(await begin('lapsed', 31, otherHash)).toEqual({ kind: 'in_progress' });
    await begin('forgotten');
    await answer('forgotten', {}, after(60));
    expect(await begin('forgotten', 60, otherHash)).toEqual({ kind: 'fresh' });
  });

  it('abandons a claim, but not an answer', async () => {
    await begin('abandoned');
    await stores.idempotency.abandon(company.companyId, 'abandoned');
    expect(await begin('abandoned', 1, otherHash)).toEqual({ kind: 'fresh' });
    await answer('abandoned', { kept: true });
    await stores.idempotency.abandon(company.companyId, 'abandoned');
    expect(await begin('abandoned', 2, otherHash)).toMatchObject({ kind: 'answered' });
  });

  it('prunes what has expired', async () => {
    await begin('old');
    await begin('young', 20);
    await stores.idempotency.prune(after(40));
    expect(await begin('old', 5)).toEqual({ kind: 'fresh' });
    expect(await begin('young', 41)).toEqual({ kind: 'in_progress' });
  });

  it('lets exactly one of many concurrent requests begin, hundreds of times', async () => {
    for (let round = 0; round < 200; round++) {
      const claims = await Promise.all(Array.from({ length: 10 }, () => begin(`race ${round}`)));
      const kinds = claims.map(({ kind }) => kind).toSorted();
      expect(kinds).toEqual(['fresh', ...Array.from({ length: 9 }, () => 'in_progress')]);
    }
  });

  it('lets exactly one take over a claim that lapsed', async () => {
    for (let round = 0; round < 100; round++) {
      await begin(`lapsed race ${round}`);
      const claims = await Promise.all(Array.from({ length: 10 }, () => begin(`lapsed race ${round}`, 30, otherHash)));
      const kinds = claims.map(({ kind }) => kind).toSorted();
      expect(kinds).toEqual(['fresh', ...Array.from({ length: 9 }, () => 'in_progress')]);
    }
  });

  it('settles a race in which every winner gives up, one after the other', async () => {
    const takeAndLeave = async (): Promise<string> => {
      const claim = await begin('given up');
      if (claim.kind === 'fresh') await stores.idempotency.abandon(company.companyId, 'given up');
      return claim.kind;
    };
    const kinds = await Promise.all(Array.from({ length: 200 }, takeAndLeave));
    expect(kinds).toContain('fresh');
    expect(kinds.every((kind) => kind === 'fresh' || kind === 'in_progress')).toBe(true);
    expect(await begin('given up')).toEqual({ kind: 'fresh' });
  });
});
