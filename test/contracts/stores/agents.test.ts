import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toId, type AgentId } from '../../../src/domain/ids.ts';
import { makeCompany, newAgent, openStores, type MadeCompany, type Stores } from './openStores.ts';

describe('the agent store', () => {
  let stores: Stores;
  let company: MadeCompany;
  let other: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
    company = await makeCompany(stores);
    other = await makeCompany(stores);
  });
  afterAll(() => stores.close());

  it('makes an agent and finds it by id and by code', async () => {
    const { agents } = stores;
    const wanted = newAgent('Ada.1', { email: 'Ada@Example.com', role: 'supervisor' });
    const made = await agents.create(company.companyId, wanted);
    if (made.kind !== 'created') throw new Error(made.kind);
    const { passwordHash: _, ...shown } = wanted;
    expect(made.agent).toMatchObject({ ...shown, email: 'ada@example.com', active: true, tokenVersion: 1 });
    expect(made.agent).not.toHaveProperty('passwordHash');
    expect(await agents.find(company.companyId, wanted.id)).toEqual({ kind: 'found', value: made.agent });
    expect(await agents.findByCode(company.companyId, 'Ada.1')).toEqual(made.agent);
    expect(await agents.findByCode(company.companyId, ' aDA.1 ')).toEqual(made.agent);
    expect(await agents.findByCode(company.companyId, 'ada.')).toBeNull();
    expect(await agents.findByCode(company.companyId, 'Ada.1\0')).toBeNull();
  });

  it('tells a foreign id from an unknown one, and changes neither', async () => {
    const { agents } = stores;
    const unknown = toId<AgentId>(newId());
    expect(await agents.find(company.companyId, other.agentId)).toEqual({ kind: 'wrong_company' });
    expect(await agents.find(company.companyId, unknown)).toEqual({ kind: 'unknown' });
    const change = { name: 'Changed', revokeTokens: true };
    expect(await agents.update(company.companyId, other.agentId, change)).toEqual({ kind: 'wrong_company' });
    expect(await agents.update(company.companyId, unknown, change)).toEqual({ kind: 'unknown' });
    expect(await agents.find(other.companyId, other.agentId)).toMatchObject({ value: { name: 'Agent 100' } });
  });

  it('names those of the company alone, however many are asked for', async () => {
    const { agents } = stores;
    const [one, second] = [newAgent('card-1'), newAgent('card-2')];
    for (const agent of [one, second]) await agents.create(company.companyId, agent);
    const asked = [second.id, other.agentId, one.id, toId<AgentId>(newId()), one.id];
    const cards = await agents.cards(company.companyId, asked);
    expect(cards.toSorted((a, b) => (a.agentCode < b.agentCode ? -1 : 1))).toEqual(
      [one, second].map(({ id, agentCode, name }) => ({ id, agentCode, name })),
    );
    expect(await agents.cards(company.companyId, [])).toEqual([]);
  });

  it('finds a telephone account where user and secret are there, for its company alone', async () => {
    const { agents } = stores;
    const whole = newAgent('whole', { sipUser: '1001', sipSecretEncrypted: 'sealed' });
    const withoutSecret = newAgent('half', { sipUser: '1002' });
    for (const agent of [whole, withoutSecret]) await agents.create(company.companyId, agent);
    expect(await agents.findSipAccount(company.companyId, whole.id)).toEqual({
      user: '1001',
      secretEncrypted: 'sealed',
      name: 'Agent whole',
    });
    expect(await agents.findSipAccount(company.companyId, withoutSecret.id)).toBeNull();
    expect(await agents.findSipAccount(other.companyId, whole.id)).toBeNull();
  });

  it('refuses a code or an address that another agent of the company has', async () => {
    const { agents } = stores;
    await agents.create(company.companyId, newAgent('taken', { email: 'taken@example.com' }));
    expect(await agents.create(company.companyId, newAgent('taken'))).toEqual({ kind: 'taken', field: 'agent_code' });
    expect(await agents.create(company.companyId, newAgent('Taken'))).toEqual({ kind: 'taken', field: 'agent_code' });
    const sameAddress = newAgent('free', { email: 'TAKEN@example.com' });
    expect(await agents.create(company.companyId, sameAddress)).toEqual({ kind: 'taken', field: 'email' });
    const { agentId } = company;
    expect(await agents.update(company.companyId, agentId, { agentCode: 'taken' })).toMatchObject({
      field: 'agent_code',
    });
    expect(await agents.update(company.companyId, agentId, { email: 'Taken@example.com' })).toMatchObject({
      field: 'email',
    });
    expect(await agents.create(other.companyId, newAgent('taken', { email: 'taken@example.com' }))).toMatchObject({
      kind: 'created',
    });
  });

  it('changes what is given and keeps the rest', async () => {
    const { agents } = stores;
    const agent = newAgent('changing', { email: 'old@example.com' });
    await agents.create(company.companyId, agent);
    const changed = await agents.update(company.companyId, agent.id, { email: 'New@Example.com', role: 'admin' });
    expect(changed).toMatchObject({
      value: { email: 'new@example.com', role: 'admin', name: agent.name, tokenVersion: 1 },
    });
    const revoked = await agents.update(company.companyId, agent.id, {
      active: false,
      email: null,
      revokeTokens: true,
    });
    expect(revoked).toMatchObject({ value: { active: false, email: null, tokenVersion: 2 } });
  });

  it('lists the agents of the company in id order, page by page', async () => {
    const { companyId, agentId } = await makeCompany(stores);
    const made = [newAgent('1'), newAgent('2'), newAgent('3')];
    for (const agent of made.toReversed()) await stores.agents.create(companyId, agent);
    const first = await stores.agents.list(companyId, null, { cursor: null, limit: 3 });
    expect(first.items.map(({ id }) => id)).toEqual([agentId, made[0]?.id, made[1]?.id]);
    expect(first.nextCursor).toBe(made[1]?.id);
    const second = await stores.agents.list(companyId, null, { cursor: first.nextCursor, limit: 3 });
    expect(second).toMatchObject({ items: [{ agentCode: '3' }], nextCursor: null });
    const exact = await stores.agents.list(companyId, null, { cursor: null, limit: 4 });
    expect(exact.nextCursor).toBeNull();
    const some = [made[2]!.id, agentId];
    const [one, other] = [
      await stores.agents.list(companyId, some, { cursor: null, limit: 1 }),
      await stores.agents.list(companyId, some, { cursor: agentId, limit: 1 }),
    ];
    expect([one.items, other.items].flat().map(({ id }) => id)).toEqual([agentId, made[2]?.id]);
    expect([one.nextCursor, other.nextCursor]).toEqual([agentId, null]);
    expect((await stores.agents.list(companyId, [], { cursor: null, limit: 3 })).items).toEqual([]);
  });

  describe('finding whom a log-in means', () => {
    it('finds active agents of every company by code or address, narrowed by slug', async () => {
      const { agents } = stores;
      const here = newAgent('login', { email: 'login@example.com' });
      const there = newAgent('login', { email: 'login@example.com' });
      await agents.create(company.companyId, here);
      await agents.create(other.companyId, there);
      const both = await agents.findForLogin({ agentCode: 'login' });
      expect(both.map(({ agent }) => agent.id)).toEqual([here.id, there.id]);
      expect(both[0]).toMatchObject({ passwordHash: 'a hash', companySlug: `company-${company.companyId}` });
      expect(await agents.findForLogin({ email: 'login@example.com' })).toHaveLength(2);
      const companySlug = `company-${other.companyId}`;
      const narrowed = await agents.findForLogin({ email: 'login@example.com', companySlug });
      expect(narrowed.map(({ agent }) => agent.id)).toEqual([there.id]);
      await agents.update(other.companyId, there.id, { active: false });
      expect(await agents.findForLogin({ agentCode: 'login', companySlug })).toEqual([]);
    });

    it('finds nobody where neither code nor address is given, or where they are no text', async () => {
      const companySlug = `company-${company.companyId}`;
      expect(await stores.agents.findForLogin({ companySlug })).toEqual([]);
      expect(await stores.agents.findForLogin({ agentCode: '100\0' })).toEqual([]);
      expect(await stores.agents.findForLogin({ agentCode: '100', companySlug: '\0' })).toEqual([]);
    });

    it('answers at most 20', async () => {
      for (let i = 0; i < 21; i++) {
        const { companyId } = await makeCompany(stores);
        await stores.agents.create(companyId, newAgent('everywhere'));
      }
      expect(await stores.agents.findForLogin({ agentCode: 'everywhere' })).toHaveLength(20);
    });
  });
});
