import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSecretCipher } from '../../../src/adapters/crypto/secretCipher.ts';
import { createOwnTokens, createTokenKeeper } from '../../../src/adapters/tokens/tokenKeeper.ts';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
import type { TokenKeeper, TokenStore } from '../../../src/ports/tokens.ts';
import { createMemoryTokens } from '../../support/crm/memoryTokens.ts';
import { gate } from '../../support/time/gate.ts';
import { createManualClock, type ManualClock } from '../../support/time/manualClock.ts';

type Failure = { kind: 'failed'; why: string };

const account = toId<CompanyId>('0199a1b2-c3d4-7e5f-8a9b-0000000000c0');
const holdsMs = 3_600_000;

describe.each([
  ['all gateways share', () => createMemoryTokens()],
  ['a gateway has for itself', () => createOwnTokens() as TokenStore<CompanyId>],
])('a token that %s', (_whose, open) => {
  let clock: ManualClock;
  let store: TokenStore<CompanyId>;
  let tokens: TokenKeeper<CompanyId, Failure>;
  let asked: (string | null)[];

  const keeper = () =>
    createTokenKeeper<CompanyId, Failure>({
      clock,
      store,
      cipher: createSecretCipher(Buffer.alloc(32, 7)),
      newId: randomUUID,
      nameOf: (company) => company,
    });
  const give = async (refreshToken: string | null) => {
    asked.push(refreshToken);
    const token = { accessToken: `access-${asked.length}`, refreshToken: `refresh-${asked.length}`, api: null };
    return { kind: 'token' as const, token: { ...token, expiresInSeconds: holdsMs / 1_000 } };
  };
  const get = (refused: number | null = null, ask = give) =>
    tokens.get(account, { refused, until: clock.now() + 5_000, ask });
  const nameOf = (got: Awaited<ReturnType<typeof get>>) => (got.kind === 'token' ? got.token.accessToken : got.kind);

  beforeEach(() => {
    clock = createManualClock(Date.UTC(2026, 10, 29));
    store = open();
    tokens = keeper();
    asked = [];
  });

  it('is asked for once by all who want it, and costs no request and no query from then on', async () => {
    expect((await Promise.all([get(), get(), get()])).map(nameOf)).toEqual(['access-1', 'access-1', 'access-1']);
    const find = vi.spyOn(store, 'find');
    expect(nameOf(await get())).toBe('access-1');
    expect([asked.length, find.mock.calls.length]).toEqual([1, 0]);
  });

  it('is replaced before it ends', async () => {
    await get();
    await clock.leap(holdsMs - 61_000);
    expect(nameOf(await get())).toBe('access-1');
    await clock.leap(1_000);
    expect(nameOf(await get())).toBe('access-2');
  });

  it('is replaced once for all who were refused with it, and not for who was refused with the one before', async () => {
    const first = await get();
    const refused = first.kind === 'token' ? first.version : 0;
    expect((await Promise.all([get(refused), get(refused)])).map(nameOf)).toEqual(['access-2', 'access-2']);
    expect(nameOf(await get(refused))).toBe('access-2');
    expect(asked).toHaveLength(2);
  });

  it('is asked for anew where only a new one will do, though somebody is at it', async () => {
    const answers = await Promise.all([get(), get(Infinity), get(Infinity)]);
    expect(new Set(answers.map(nameOf)).size).toBe(3);
  });

  it('is kept where it comes too late for who asked', async () => {
    const answer = gate();
    answer.shut();
    const getting = get(null, (latest) => answer.pass(() => give(latest)));
    await clock.advance(5_000);
    expect(await getting).toEqual({ kind: 'none', message: 'No token came in time.' });
    answer.open();
    expect(nameOf(await get())).toBe('access-1');
    expect(asked).toHaveLength(1);
  });

  it('is asked for again after a failure, which is told as it came', async () => {
    const failure = { kind: 'failed', why: 'closed' } as const;
    expect(await tokens.get(account, { refused: null, until: clock.now() + 5_000, ask: async () => failure })).toBe(
      failure,
    );
    expect(nameOf(await get())).toBe('access-1');
  });
});
