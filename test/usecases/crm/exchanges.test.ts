import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { type CompanyId, toId } from '../../../src/domain/ids.ts';
import type { CrmAccount, CrmAnswer, CrmClient, CrmTrouble } from '../../../src/ports/crm.ts';
import { custom } from '../../../src/providers/custom.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { nothingShown, recordExchanges } from '../../../src/usecases/crm/callLog/exchanges.ts';

const most = 16_384;

const account: CrmAccount = {
  companyId: toId<CompanyId>(newId()),
  provider: custom as Provider<unknown>,
  site: { credentials: {}, options: {}, facts: {}, addresses: { api: '', login: '', app: '' } },
};

function clientOf(answer: () => CrmAnswer): CrmClient {
  const crm: Pick<CrmClient, 'send'> = { send: () => Promise.resolve(answer()) };
  return crm as CrmClient;
}

/** What the log keeps of a request and an answer with these bodies. */
async function kept(sent: string, got: string) {
  const crm = clientOf(() => ({ kind: 'answer', response: { status: 200, headers: {}, body: got } }));
  const { exchange, shown } = recordExchanges({ crm }, account);
  await exchange({ method: 'POST', url: 'https://erp.example.com/calls', body: sent });
  const { requestBody, responseBody } = shown();
  return [requestBody, responseBody];
}

describe('the log of a CRM’s answers', () => {
  it('tells nothing of a request that was never sent, and keeps the one before', async () => {
    const trouble: CrmTrouble = { kind: 'held_back', why: 'told_to_wait', message: 'Later.', retryAfterMs: 1_000 };
    const answers: CrmAnswer[] = [
      { kind: 'failed', trouble, isUnsent: true },
      { kind: 'answer', response: { status: 200, headers: {}, body: 'got' } },
      { kind: 'failed', trouble, isUnsent: true },
    ];
    const { exchange, shown } = recordExchanges({ crm: clientOf(() => answers.shift()!) }, account);
    await exchange({ method: 'GET', url: 'https://erp.example.com/1' });
    expect(shown()).toEqual(nothingShown);
    await exchange({ method: 'GET', url: 'https://erp.example.com/2' });
    await exchange({ method: 'POST', url: 'https://erp.example.com/3' });
    expect(shown()).toMatchObject({
      method: 'GET',
      url: 'https://erp.example.com/2',
      statusCode: 200,
      responseBody: 'got',
    });
  });

  it('keeps bodies of up to 16 KiB whole', async () => {
    expect(await kept('a'.repeat(most), 'é'.repeat(most / 2))).toEqual(['a'.repeat(most), 'é'.repeat(most / 2)]);
  });

  it('counts bytes, and cuts between two characters', async () => {
    expect(await kept(`a${'é'.repeat(most)}`, '😀'.repeat(most))).toEqual([
      `a${'é'.repeat(most / 2 - 1)}`,
      '😀'.repeat(most / 4),
    ]);
    const [, cut] = await kept('', `ab${'😀'.repeat(most)}`);
    expect(Buffer.byteLength(cut ?? '')).toBe(most - 2);
    expect(cut).toMatch(/^ab(😀)+$/u);
  });

  it('keeps an empty body as it is', async () => {
    expect(await kept('', '')).toEqual(['', '']);
  });
});
