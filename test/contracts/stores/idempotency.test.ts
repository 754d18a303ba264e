import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonText, writeJson } from '../../../src/contract/jsonText.ts';
import { toId } from '../../../src/domain/ids.ts';
import type { HeldKey } from '../../../src/ports/calls.ts';
import { after, type MadeCompany, makeCompany, newCall, openStores, start, type Stores } from './openStores.ts';

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

  /** The claim of a request that began at `seconds`. */
  const claimOf = (key: string, seconds = 0) => ({ key, heldUntil: after(seconds + 30) });
  const answer = async (key: HeldKey, body: unknown, expiresAt = after(86_400)) => {
    const call = newCall(company, { state: 'ended' });
    return { call, outcome: await stores.calls.create(call, [], { remember: { key, status: 201, body, expiresAt } }) };
  };

  it('claims a key once, and tells that the first request is under way', async () => {
    expect(await begin('once')).toEqual({ kind: 'fresh' });
    expect(await begin('once', 1)).toEqual({ kind: 'in_progress' });
    expect(await begin('once', 1, otherHash)).toEqual({ kind: 'mismatch' });
  });

  it('gives the first answer back as it was, whatever it holds', async () => {
    const exact = new JsonText('{"10":9007199254740993,"2":1.10}');
    const body = { zebra: 1, a: { text: 'nul \0 half \ud83d "quoted" \\u0000' }, list: [null, 1.5], exact };
    await begin('answered');
    await answer(claimOf('answered'), body);
    const claim = await begin('answered', 3_600);
    expect(claim).toEqual({ kind: 'answered', status: 201, answer: new JsonText(writeJson(body)) });
    expect(writeJson(body)).toContain(exact.text);
    expect(await begin('answered', 3_600, otherHash)).toEqual({ kind: 'mismatch' });
  });

  it('keeps the keys of companies apart', async () => {
    const other = await makeCompany(stores);
    await begin('shared');
    await answer(claimOf('shared'), {});
    const theirs = await stores.idempotency.begin(other.companyId, 'shared', otherHash, start, after(30));
    expect(theirs).toEqual({ kind: 'fresh' });
    await stores.idempotency.abandon(other.companyId, claimOf('shared'));
    expect(await begin('shared')).toMatchObject({ kind: 'answered' });
  });

  it('takes over a claim that lapsed and an answer that was to be forgotten', async () => {
    await begin('lapsed');
    expect(await begin('lapsed', 30, otherHash)).toEqual({ kind: 'fresh' });
    expect(await begin('lapsed', 31, otherHash)).toEqual({ kind: 'in_progress' });
    await begin('forgotten');
    await answer(claimOf('forgotten'), {}, after(60));
    expect(await begin('forgotten', 60, otherHash)).toEqual({ kind: 'fresh' });
  });

  it('abandons a claim, but not an answer', async () => {
    await begin('abandoned');
    await stores.idempotency.abandon(company.companyId, claimOf('abandoned'));
    expect(await begin('abandoned', 1, otherHash)).toEqual({ kind: 'fresh' });
    await answer(claimOf('abandoned', 1), { kept: true });
    await stores.idempotency.abandon(company.companyId, claimOf('abandoned', 1));
    expect(await begin('abandoned', 2, otherHash)).toMatchObject({ kind: 'answered' });
  });

  it('holds a claim for longer, for whoever holds it, and records and abandons under the new one alone', async () => {
    const { idempotency } = stores;
    const [first, longer] = [claimOf('long'), { key: 'long', heldUntil: after(500) }];
    await begin('long');
    expect(await idempotency.hold(company.companyId, { ...first, heldUntil: after(1) }, after(500))).toBe(false);
    expect(await idempotency.hold(company.companyId, first, longer.heldUntil)).toBe(true);
    expect(await begin('long', 31)).toEqual({ kind: 'in_progress' });
    await idempotency.abandon(company.companyId, first);
    expect(await begin('long', 32)).toEqual({ kind: 'in_progress' });
    expect((await answer(longer, { kept: true })).outcome).toBe('created');
    expect(await idempotency.hold(company.companyId, longer, after(900))).toBe(false);
    expect(await begin('long', 33)).toMatchObject({ kind: 'answered' });
  });

  it('does not let one request abandon what another has claimed since', async () => {
    await begin('taken over');
    expect(await begin('taken over', 30)).toEqual({ kind: 'fresh' });
    await stores.idempotency.abandon(company.companyId, claimOf('taken over'));
    expect(await begin('taken over', 31)).toEqual({ kind: 'in_progress' });
  });

  it.each([
    ['was abandoned', () => stores.idempotency.abandon(company.companyId, claimOf('late was abandoned'))],
    ['lapsed and was taken over', () => begin('late lapsed and was taken over', 30)],
  ])('lets nothing be recorded under a claim that %s', async (what, lose) => {
    await begin(`late ${what}`);
    await lose();
    const { call, outcome } = await answer(claimOf(`late ${what}`), {});
    expect(outcome).toBe('key_lost');
    expect(await stores.calls.find(company.companyId, call.id)).toEqual({ kind: 'unknown' });
    expect(await begin(`late ${what}`, 31)).not.toMatchObject({ kind: 'answered' });
  });

  it('decides between a record and giving up, whichever comes first, dozens of times', async () => {
    for (let round = 0; round < 50; round++) {
      const claim = claimOf(`either ${round}`);
      await begin(claim.key);
      const giveUp = () => stores.idempotency.abandon(company.companyId, claim);
      const first = round % 2 === 0 ? [answer(claim, {}), giveUp()] : [giveUp(), answer(claim, {})];
      const [made] = (await Promise.all(first)).filter((done) => done !== undefined);
      const found = await stores.calls.find(company.companyId, toId(made?.call.id ?? ''));
      expect(found.kind).toBe(made?.outcome === 'created' ? 'found' : 'unknown');
      const kind = made?.outcome === 'created' ? 'answered' : 'fresh';
      expect(await begin(claim.key, 1)).toMatchObject({ kind });
    }
  });

  it('prunes what has expired, the oldest first and no more at once than asked', async () => {
    await begin('oldest', -100);
    await begin('older', -90);
    await begin('young', -50);
    expect(await stores.idempotency.prune(after(-40), 1)).toBe(1);
    expect(await begin('older', -80)).toEqual({ kind: 'in_progress' });
    expect(await begin('oldest', -80)).toEqual({ kind: 'fresh' });
    expect(await stores.idempotency.prune(after(-55), 10)).toBe(1);
    expect(await begin('older', -80)).toEqual({ kind: 'fresh' });
    expect(await begin('young', -40)).toEqual({ kind: 'in_progress' });
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
      if (claim.kind === 'fresh') await stores.idempotency.abandon(company.companyId, claimOf('given up'));
      return claim.kind;
    };
    const kinds = await Promise.all(Array.from({ length: 200 }, takeAndLeave));
    expect(kinds).toContain('fresh');
    expect(kinds.every((kind) => kind === 'fresh' || kind === 'in_progress')).toBe(true);
    expect(await begin('given up')).toEqual({ kind: 'fresh' });
  });
});
