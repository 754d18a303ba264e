import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
import type { NewCompany } from '../../../src/ports/companies.ts';
import { makeCompany, newAgent, openStores, type Stores } from './openStores.ts';

function newCompany(slug: string): NewCompany {
  return {
    id: toId<CompanyId>(newId()),
    slug,
    name: 'Acme',
    dispositions: [{ code: 'resolved', label: 'Resolved' }],
    notReadyReasons: [{ code: 'lunch', label: 'Lunch' }],
  };
}

describe('the company store', () => {
  let stores: Stores;

  beforeAll(async () => {
    stores = await openStores();
  });
  afterAll(() => stores.close());

  it('knows whether there is any company, and lists them by slug', async () => {
    const { companies } = stores;
    expect(await companies.any()).toBe(false);
    await companies.create(newCompany('zeta'), []);
    await companies.create(newCompany('alpha'), []);
    expect(await companies.any()).toBe(true);
    expect((await companies.list()).map(({ slug }) => slug)).toEqual(['alpha', 'zeta']);
  });

  it('makes a company with its agents and an empty integration', async () => {
    const { companies, integrations, agents } = stores;
    const company = newCompany('whole');
    const people = [newAgent('b', { email: 'Boss@Example.com', role: 'admin' }), newAgent('a')];
    const made = await companies.create(company, people);
    if (made.kind !== 'created') throw new Error(made.kind);
    expect(made.company).toMatchObject({ ...company, wrapUpSeconds: 30, wrapUpMaxSeconds: 600, language: null });
    expect(made.agents.map(({ agentCode, email }) => [agentCode, email])).toEqual([['b', 'boss@example.com'], ['a', null]]);
    expect(await companies.find(company.id)).toEqual(made.company);
    expect(await agents.findByCode(company.id, 'b')).toEqual(made.agents[0]);
    expect(await integrations.find(company.id)).toMatchObject({ mode: 'push', webhookUrl: null, apiKeyPrefix: null });
  });

  it('refuses a slug that is taken, and keeps nothing of the refused company', async () => {
    await stores.companies.create(newCompany('taken'), []);
    const refused = newCompany('taken');
    expect(await stores.companies.create(refused, [newAgent('a')])).toEqual({ kind: 'slug_taken' });
    expect(await stores.companies.find(refused.id)).toBeNull();
  });

  it('keeps nothing of a company whose agents cannot be made', async () => {
    const company = newCompany('torn');
    await expect(stores.companies.create(company, [newAgent('same'), newAgent('same')])).rejects.toThrow();
    expect(await stores.companies.find(company.id)).toBeNull();
    expect(await stores.companies.settings(company.id)).toBeNull();
  });

  it('changes what is given, of one company', async () => {
    const { companyId } = await makeCompany(stores);
    const { companyId: otherId } = await makeCompany(stores);
    const changed = await stores.companies.update(companyId, { wrapUpSeconds: 0, wrapUpMaxSeconds: 60, language: 'es', notReadyReasons: [] });
    expect(changed).toMatchObject({ name: 'Acme', wrapUpSeconds: 0, wrapUpMaxSeconds: 60, language: 'es', notReadyReasons: [] });
    expect((await stores.companies.settings(companyId))?.language).toBe('es');
    expect(await stores.companies.update(companyId, { language: null })).toMatchObject({ language: null });
    expect(await stores.companies.find(otherId)).toMatchObject({ wrapUpSeconds: 30 });
    expect(await stores.companies.update(toId<CompanyId>(newId()), { name: 'Nobody' })).toBeNull();
  });

  it('gives the settings of company and integration together', async () => {
    const { companyId } = await makeCompany(stores);
    await stores.integrations.update(companyId, () => ({
      crmProvider: 'hubspot',
      ctiConnector: 'none',
      defaultCountry: 'DE',
      apiKey: { hash: `hash of ${companyId}`, prefix: 'rl_1234' },
    }));
    expect(await stores.companies.settings(companyId)).toMatchObject({
      companyId,
      slug: `company-${companyId}`,
      defaultCountry: 'DE',
      wrapUpSeconds: 30,
      dispositions: expect.arrayContaining([{ code: 'resolved', label: 'Resolved' }]),
      notReadyReasons: [],
      crmProvider: 'hubspot',
      ctiConnector: 'none',
      mode: 'push',
      apiKeyPrefix: 'rl_1234',
    });
    expect(await stores.companies.settings(toId<CompanyId>(newId()))).toBeNull();
  });
});
