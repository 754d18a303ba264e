import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usualSettings } from '../../../src/contract/companySettings.ts';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
import type { NewCompany } from '../../../src/ports/companies.ts';
import { makeCompany, newAgent, openStores, type Stores } from './openStores.ts';

function newCompany(slug: string): NewCompany {
  return {
    id: toId<CompanyId>(newId()),
    slug,
    name: 'Acme',
    settings: { not_ready_reasons: [{ code: 'lunch', label: 'Lunch' }] },
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
    expect(made.company).toMatchObject({
      id: company.id,
      slug: 'whole',
      settings: { ...usualSettings, ...company.settings },
    });
    expect(made.agents.map(({ agentCode, email }) => [agentCode, email])).toEqual([
      ['b', 'boss@example.com'],
      ['a', null],
    ]);
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
  });

  it('changes what is given, of one company', async () => {
    const { companyId } = await makeCompany(stores);
    const { companyId: otherId } = await makeCompany(stores);
    const changed = await stores.companies.update(companyId, {
      settings: { wrap_up_seconds: 0, language: 'es', not_ready_reasons: undefined },
    });
    expect(changed).toMatchObject({ name: 'Acme', settings: { ...usualSettings, wrap_up_seconds: 0, language: 'es' } });
    const limits = { wallboard_limits: { on_call_seconds: 900 } };
    expect(
      await stores.companies.update(companyId, { name: 'Acme & Sons', settings: { language: null, ...limits } }),
    ).toMatchObject({
      name: 'Acme & Sons',
      settings: {
        ...usualSettings,
        wrap_up_seconds: 0,
        wallboard_limits: { ...usualSettings.wallboard_limits, on_call_seconds: 900 },
      },
    });
    expect(await stores.companies.find(otherId)).toMatchObject({ name: 'Acme', settings: usualSettings });
    expect(await stores.companies.update(toId<CompanyId>(newId()), { name: 'Nobody', settings: {} })).toBeNull();
  });

  it('lets changes of one company wait for each other, so that none is written over', async () => {
    const { companyId } = await makeCompany(stores);
    const codes = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all([
      ...codes.map((code) =>
        stores.companies.update(companyId, {
          settings: { wallboard_limits: { on_call_seconds: code.codePointAt(0) } },
        }),
      ),
      stores.companies.update(companyId, { settings: { free_tags: true } }),
      stores.companies.update(companyId, { settings: { wallboard_limits: { not_ready_seconds: 7 } } }),
    ]);
    const { settings } = (await stores.companies.find(companyId))!;
    expect([settings.free_tags, settings.wallboard_limits.not_ready_seconds]).toEqual([true, 7]);
  });

  it('gives the company and its integration together', async () => {
    const { companyId } = await makeCompany(stores);
    await stores.integrations.update(companyId, () => ({
      crmProvider: 'hubspot',
      ctiConnector: 'none',
      defaultCountry: 'DE',
      apiKey: { hash: `hash of ${companyId}`, prefix: 'rl_1234' },
    }));
    expect(await stores.companies.find(companyId)).toMatchObject({
      id: companyId,
      slug: `company-${companyId}`,
      defaultCountry: 'DE',
      settings: usualSettings,
      crmProvider: 'hubspot',
      ctiConnector: 'none',
      mode: 'push',
      apiKeyPrefix: 'rl_1234',
    });
    expect(await stores.companies.find(toId<CompanyId>(newId()))).toBeNull();
  });
});
