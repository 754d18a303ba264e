import { describe, expect, it } from 'vitest';
import { apiKeys } from '../../../src/adapters/crypto/issuedSecrets.ts';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
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
});
