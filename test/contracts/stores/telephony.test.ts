import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
import { ok, refuse } from '../../../src/domain/outcome.ts';
import type { TelephonyChange } from '../../../src/ports/telephony.ts';
import { makeCompany, openStores, type MadeCompany, type Stores } from './openStores.ts';

const nothing = {
  ...{ mode: 'none', sipWssUrl: null, sipDomain: null, iceServersEncrypted: null },
  ...{
    noAnswerSeconds: null,
    deskPhoneScheme: null,
    callIdHeader: null,
    dialedNumberHeader: null,
    queueHeader: null,
    callerIdHeader: null,
    echoNumber: null,
    transferBy: null,
    transferCode: null,
  },
  updatedAt: null,
};
const pbx = { mode: 'sip', sipWssUrl: 'wss://pbx.example.com/ws', noAnswerSeconds: 25 } as const;

describe('the telephony store', () => {
  let stores: Stores;
  let company: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
  });
  beforeEach(async () => {
    company = await makeCompany(stores);
  });
  afterAll(() => stores.close());

  const find = (of = company) => stores.telephony.find(of.companyId);
  const save = (change: TelephonyChange) => stores.telephony.save(company.companyId, () => ok(change));

  it('knows nothing of a company that has set nothing, or that there is not', async () => {
    expect(await find()).toEqual(nothing);
    expect(await stores.telephony.find(toId<CompanyId>(newId()))).toEqual(nothing);
  });

  it('keeps what is not named, for that company alone', async () => {
    const other = await makeCompany(stores);
    await save(pbx);
    const saved = await save({ sipDomain: 'example.com', noAnswerSeconds: null });
    const expected = {
      ...nothing,
      ...pbx,
      sipDomain: 'example.com',
      noAnswerSeconds: null,
      updatedAt: expect.any(Date),
    };
    expect(saved).toEqual(ok(expected));
    expect([await find(), await find(other)]).toEqual([expected, nothing]);
  });

  it('saves nothing where the decision is a refusal, or changes nothing', async () => {
    const refusal = refuse('invalid_request', 'Not so.', { cause: { code: 'invalid' } });
    expect(await stores.telephony.save(company.companyId, () => refusal)).toEqual(refusal);
    expect(await save({})).toEqual(ok(nothing));
    expect(await find()).toEqual(nothing);
  });

  it('decides on the latest, however many save at once, also where nothing was set', async () => {
    await Promise.all(
      Array.from({ length: 8 }, () =>
        stores.telephony.save(company.companyId, ({ noAnswerSeconds }) =>
          ok({ noAnswerSeconds: (noAnswerSeconds ?? 0) + 1 }),
        ),
      ),
    );
    expect((await find()).noAnswerSeconds).toBe(8);
  });
});
