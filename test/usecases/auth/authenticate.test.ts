import { describe, expect, it } from 'vitest';
import { apiKeys } from '../../../src/adapters/crypto/issuedSecrets.ts';
import { type AgentId, toId, type CompanyId } from '../../../src/domain/ids.ts';
import type { Agent } from '../../../src/ports/agents.ts';
import type { Services } from '../../../src/usecases/services.ts';
import { createAuthenticator } from '../../../src/usecases/auth/authenticate.ts';
import { withServices } from '../../http/serve.ts';
import { gate } from '../../support/time/gate.ts';
import { createManualClock } from '../../support/time/manualClock.ts';

const companyId = toId<CompanyId>('0190a000-0000-7000-8000-000000000001');

describe('the authenticator', () => {
  it('does not remember a key whose look-up began before the key was rotated and ended after', async () => {
    const answer = gate();
    const { key, prefix, hash } = apiKeys.create();
    let current: string | null = hash;
    const integrations: Pick<Services['integrations'], 'findByApiKeyHash'> = {
      async findByApiKeyHash(asked) {
        const found = asked === current ? { companyId, prefix } : null;
        return answer.pass(async () => found);
      },
    };
    const authenticator = createAuthenticator(
      withServices({ apiKeys, clock: createManualClock(0), integrations: integrations as Services['integrations'] }),
    );

    answer.shut();
    const lookedUp = authenticator.byKey(key);
    await answer.reached();
    current = null;
    authenticator.forget(companyId);
    answer.open();
    expect((await lookedUp).kind).toBe('ok');
    expect(await authenticator.byKey(key)).toMatchObject({ kind: 'refused', code: 'invalid_api_key' });
  });

  it('tells who holds each of several tokens, and remembers it for a while', async () => {
    const ids = [1, 2, 3].map((n) => `0190a000-0000-7000-8000-00000000010${String(n)}`);
    const asked: string[] = [];
    const agentNow: Services['agentNow'] = async ({ agentId: id }) => {
      asked.push(id);
      const kept = { companyId, agentCode: id, role: 'agent', active: true, tokenVersion: 1, ledTeamIds: null };
      return id === ids[1] ? null : ({ id, ...kept } as unknown as Agent);
    };
    const tokens: Pick<Services['tokens'], 'verify'> = {
      verify: (token) =>
        ({
          kind: 'valid',
          claims: { sub: toId<AgentId>(token), company_id: companyId, ver: 1 },
          expiresAt: 60_000,
        }) as ReturnType<Services['tokens']['verify']>,
    };
    const services = {
      clock: createManualClock(0),
      agentNow,
      tokens: tokens as Services['tokens'],
    };
    const authenticator = createAuthenticator(withServices(services));
    const verdicts = await Promise.all(ids.map((token) => authenticator.byToken(token)));
    expect(verdicts).toMatchObject([
      { value: { principal: { agentId: ids[0] } } },
      { code: 'invalid_token' },
      { value: { principal: { agentId: ids[2] } } },
    ]);
    await authenticator.byToken(ids[0]!);
    expect(asked).toEqual(ids);
  });
});
