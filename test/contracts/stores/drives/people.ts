import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import { JsonText } from '../../../../src/contract/jsonText.ts';
import { ok } from '../../../../src/domain/outcome.ts';
import { pushed } from '../../../../src/domain/screenPop.ts';
import { toId, type AgentId, type MessageId, type TeamId } from '../../../../src/domain/ids.ts';
import type { Message } from '../../../../src/domain/messages.ts';
import type { Team } from '../../../../src/ports/teams.ts';
import { after, newAgent, phoneNumber, start, type MadeCompany, type Stores } from '../openStores.ts';

// Each function here calls every method of some stores for one company,
// beside a stranger: the stores of who works at a company, of its settings and its messages.

export async function driveAgents(
  { agents }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const second = newAgent('Second', { email: 'second@example.com', sipUser: 's', sipSecretEncrypted: 'sealed' });
  expect(await agents.create(companyId, second)).toMatchObject({ kind: 'created' });
  expect(await agents.create(companyId, newAgent('second '))).toEqual({ kind: 'taken', field: 'agent_code' });
  expect(await agents.create(companyId, newAgent('third', { email: 'Second@example.com' }))).toEqual({
    kind: 'taken',
    field: 'email',
  });
  expect(await agents.create(stranger.companyId, { ...second, id: toId<AgentId>(newId()) })).toMatchObject({
    kind: 'created',
  });
  expect(await agents.update(companyId, second.id, { name: 'Ada' })).toMatchObject({ value: { name: 'Ada' } });
  expect(await agents.update(companyId, stranger.agentId, { name: 'Ada' })).toEqual({ kind: 'wrong_company' });
  expect(await agents.replacePassword(companyId, agentId, 1, 'another hash')).toMatchObject({ tokenVersion: 2 });
  expect(await agents.find(companyId, agentId)).toMatchObject({ kind: 'found' });
  expect(await agents.find(companyId, toId<AgentId>(newId()))).toEqual({ kind: 'unknown' });
  const each = [
    { companyId, agentId },
    { companyId, agentId: stranger.agentId },
    { companyId: stranger.companyId, agentId: stranger.agentId },
  ];
  expect(await agents.findEach(each)).toMatchObject([{ id: agentId, tokenVersion: 2 }, null, { id: stranger.agentId }]);
  expect(await agents.cards(companyId, [agentId, stranger.agentId])).toHaveLength(1);
  const people = (await agents.people(companyId)).map(({ id }) => id);
  expect(people).toEqual(expect.arrayContaining([agentId, second.id]));
  expect(people).not.toContain(stranger.agentId);
  expect([...(await agents.extensions(companyId)).keys()]).not.toContain(stranger.agentId);
  expect(await agents.findByCode(companyId, 'SECOND')).toMatchObject({ id: second.id });
  expect(await agents.findSipAccount(companyId, second.id)).toMatchObject({ user: 's' });
  const page = await agents.list(companyId, null, { cursor: null, limit: 1 });
  expect((await agents.list(companyId, null, { cursor: page.nextCursor, limit: 5 })).items).toHaveLength(1);
  const companySlug = `company-${companyId}`;
  for (const login of [{ agentCode: 'second' }, { email: 'second@example.com' }]) {
    expect(await agents.findForLogin(login)).toHaveLength(2);
    expect(await agents.findForLogin({ ...login, companySlug })).toMatchObject([
      { agent: { id: second.id }, companySlug },
    ]);
  }
}

export async function driveTeams(
  { agents, teams }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const at = after(1);
  const team: Team = {
    companyId,
    id: toId<TeamId>(newId()),
    code: 'Sales',
    name: 'Sales',
    agentIds: [agentId],
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const another = () => ({ ...team, id: toId<TeamId>(newId()), code: 'other' });
  expect(await teams.create(team, 2)).toBe('created');
  expect(await teams.create({ ...another(), code: ' SALES ' }, 2)).toEqual({ kind: 'taken' });
  expect(await teams.create({ ...another(), agentIds: [agentId, stranger.agentId] }, 2)).toEqual({
    kind: 'unknown_agent',
    place: 1,
  });
  expect(await teams.create(another(), 1)).toBe('too_many');
  expect(await teams.list(companyId, null)).toEqual([team]);
  expect(await teams.find(companyId, team.id)).toEqual(team);
  expect(await teams.find(stranger.companyId, team.id)).toBeNull();
  expect(await teams.membersOf(companyId, ' sALES')).toEqual({ id: team.id, agentIds: [agentId] });
  expect(await teams.membersOf(stranger.companyId, 'sales')).toBeNull();
  expect(await teams.list(companyId, [toId<TeamId>(newId())])).toEqual([]);
  expect(await teams.list(stranger.companyId, [team.id])).toEqual([]);
  expect(await teams.membersOfAny(companyId, [team.id, toId<TeamId>(newId())])).toEqual([agentId]);
  expect(await teams.membersOfAny(stranger.companyId, [team.id])).toEqual([]);
  expect(await agents.update(companyId, agentId, { ledTeamIds: [team.id] })).toMatchObject({
    value: { ledTeamIds: [team.id] },
  });
  expect(await agents.update(stranger.companyId, stranger.agentId, { ledTeamIds: [team.id] })).toEqual({
    kind: 'unknown_team',
    place: 0,
  });
  expect(await agents.find(companyId, agentId)).toMatchObject({ value: { ledTeamIds: [team.id] } });
  expect(await teams.update({ ...team, version: 2, agentIds: [stranger.agentId] }, true)).toEqual({
    kind: 'unknown_agent',
    place: 0,
  });
  expect(await teams.update({ ...team, version: 2, name: 'Nobody', agentIds: [] }, true)).toBe('updated');
  expect(await teams.update({ ...team, version: 2 }, true)).toBe('not_updated');
  expect(await teams.membersOf(companyId, 'sales')).toEqual({ id: team.id, agentIds: [] });
  expect(await teams.remove(stranger.companyId, team.id)).toBe(false);
  expect(await teams.remove(companyId, team.id)).toBe(true);
}

export async function driveSettings(
  { companies, integrations, telephony, popLayouts, screenPops, idempotency, crmInbound, crmLogins }: Stores,
  { companyId }: MadeCompany,
): Promise<void> {
  expect(await companies.find(companyId)).toMatchObject({ id: companyId });
  expect(await companies.update(companyId, { name: 'Acme & Sons', settings: {} })).toMatchObject({
    name: 'Acme & Sons',
  });
  expect([(await companies.list()).length > 1, await companies.any()]).toEqual([true, true]);
  await companies.works();
  await integrations.update(companyId, () => ({
    apiKey: { hash: 'hash', prefix: 'p' },
    webhookMaxInFlight: 4,
    defaultCountry: 'DE',
  }));
  expect(await companies.find(companyId)).toMatchObject({ apiKeyPrefix: 'p' });
  expect(await integrations.find(companyId)).toMatchObject({ apiKeyPrefix: 'p', defaultCountry: 'DE' });
  expect(await integrations.findByApiKeyHash('hash')).toEqual({ companyId, prefix: 'p' });
  for (const mode of ['sip', 'none'] as const) await telephony.save(companyId, () => ok({ mode }));
  expect(await telephony.find(companyId)).toMatchObject({ mode: 'none' });
  for (const version of [1, 2]) {
    expect(await popLayouts.save(companyId, { fields: [{ key: 'plan' }], version, updatedAt: after(version) })).toBe(
      true,
    );
  }
  expect(await popLayouts.find(companyId)).toMatchObject({ fields: [{ key: 'plan' }], version: 2 });
  const entry = (n: number) => ({
    phone: phoneNumber(n),
    data: new JsonText('{}'),
    externalSystem: null,
    externalId: null,
    tier: null,
    ...pushed,
  });
  await screenPops.upsert(companyId, entry(1));
  await screenPops.upsertMany(companyId, [entry(1), entry(2)]);
  await screenPops.keepLookedUp(companyId, entry(3), after(10));
  expect(await screenPops.prune(after(11), 10)).toBe(1);
  expect(await screenPops.find(companyId, phoneNumber(2))).toMatchObject({ phone: phoneNumber(2) });
  const ofCrm = (n: number) => ({
    ...entry(n),
    externalSystem: 'hubspot',
    externalId: '501',
    externalObject: 'contact',
  });
  await screenPops.upsertMany(companyId, [ofCrm(4), ofCrm(5)]);
  expect(
    await screenPops.forgetRecord(companyId, { externalSystem: 'hubspot', object: 'contact', id: '501' }, [
      phoneNumber(5),
    ]),
  ).toBe(1);
  expect(
    await crmLogins.save(companyId, {
      provider: 'hubspot',
      credentialsEncrypted: 'sealed',
      settings: { keep_seconds: 5 },
    }),
  ).toMatchObject({ provider: 'hubspot' });
  expect(await crmLogins.find(companyId)).toMatchObject({ settings: { keep_seconds: 5 } });
  await crmLogins.remove(companyId);
  expect(
    await crmInbound.issue(companyId, 'hubspot', { tokenHash: 'hash of a token', secretEncrypted: null }),
  ).toMatchObject({ provider: 'hubspot' });
  expect(await crmInbound.saveSigningSecret(companyId, 'hubspot', 'sealed')).toBe(true);
  await crmInbound.noteReceived(companyId, 'hubspot');
  expect(await crmInbound.findByTokenHash('hash of a token')).toMatchObject({
    companyId,
    signingSecretEncrypted: 'sealed',
    lastReceivedAt: start,
  });
  expect(await crmInbound.list(companyId)).toHaveLength(1);
  expect([await crmInbound.remove(companyId, 'hubspot'), await crmInbound.remove(companyId, 'hubspot')]).toEqual([
    true,
    false,
  ]);
  expect([
    await screenPops.forget(companyId, phoneNumber(2)),
    await screenPops.forget(companyId, phoneNumber(2)),
  ]).toEqual([true, false]);
  expect(await idempotency.begin(companyId, 'left', 'hash', start, after(10))).toEqual({ kind: 'fresh' });
  expect(await idempotency.hold(companyId, { key: 'left', heldUntil: after(10) }, after(20))).toBe(true);
  await idempotency.abandon(companyId, { key: 'left', heldUntil: after(20) });
  expect(await idempotency.begin(companyId, 'old', 'hash', start, after(10))).toEqual({ kind: 'fresh' });
  expect(await idempotency.prune(after(11), 10)).toBe(1);
}

export async function driveMessages(
  { agents, messages }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const reader = newAgent('reads', { name: 'Reader' });
  await agents.create(companyId, reader);
  const at = after(1);
  const message: Message = {
    companyId,
    id: toId<MessageId>(newId({ msecs: at.getTime() })),
    sender: { id: agentId, name: 'Agent 100' },
    text: 'Hello',
    audience: { kind: 'everybody' },
    createdAt: at,
    expiresAt: after(600),
    takenBackAt: null,
  };
  const reached = await messages.reachable(companyId, agentId, null);
  expect(reached).toContain(reader.id);
  expect(reached).not.toContain(agentId);
  expect(await messages.reachable(companyId, agentId, [agentId, reader.id, stranger.agentId])).toEqual([reader.id]);
  expect(await messages.create(message, [reader.id])).toBe('written');
  await messages.create({ ...message, companyId: stranger.companyId, sender: { id: stranger.agentId, name: '' } }, []);
  expect(await messages.countLasting(companyId, at)).toBe(1);
  for (const of of [reader.id, stranger.agentId]) {
    expect(await messages.list(companyId, of, { cursor: null, limit: 5 })).toEqual({ items: [], nextCursor: null });
    expect(await messages.find(companyId, of, message.id)).toBeNull();
    expect(await messages.takeBack(companyId, of, message.id, at)).toBe(false);
  }
  expect(await messages.list(companyId, agentId, { cursor: null, limit: 5 })).toMatchObject({
    items: [{ id: message.id, sender: { id: agentId }, audience: { kind: 'everybody' }, readers: 1, read: 0 }],
    nextCursor: null,
  });
  const asked = [
    { companyId: stranger.companyId, agentId: reader.id },
    { companyId, agentId: reader.id },
    { companyId, agentId },
  ];
  expect(await messages.unread(asked, at, 5)).toMatchObject([[], [{ id: message.id, text: 'Hello' }], []]);
  expect(await messages.unread(asked, message.expiresAt, 5)).toEqual([[], [], []]);
  expect(await messages.changed([companyId, stranger.companyId], at)).toHaveLength(2);
  expect(await messages.changed([companyId], after(2))).toEqual([]);
  expect(await messages.unreadBy(companyId, message.id, [reader.id, agentId])).toEqual([reader.id]);
  expect(await messages.markRead(stranger.companyId, reader.id, message.id, at)).toBe(false);
  expect(await messages.markRead(companyId, reader.id, message.id, after(2))).toBe(true);
  expect(await messages.markRead(companyId, reader.id, message.id, after(3))).toBe(true);
  expect(await messages.unreadBy(companyId, message.id, [reader.id])).toEqual([]);
  expect(await messages.readers(companyId, message.id, true, { cursor: null, limit: 5 })).toMatchObject({
    items: [{ id: reader.id, agentCode: 'reads', readAt: after(2) }],
  });
  expect(await messages.readers(companyId, message.id, false, { cursor: null, limit: 5 })).toMatchObject({ items: [] });
  expect(await messages.takeBack(stranger.companyId, null, toId<MessageId>(newId()), after(4))).toBe(false);
  expect(await messages.takeBack(companyId, null, message.id, after(4))).toBe(true);
  expect(await messages.takeBack(companyId, null, message.id, after(5))).toBe(true);
  expect(await messages.find(companyId, null, message.id)).toMatchObject({
    takenBackAt: after(4),
    readers: 1,
    read: 1,
  });
  expect(await messages.find(stranger.companyId, null, message.id)).toMatchObject({ takenBackAt: null, readers: 0 });
  expect(await messages.prune(at, 5)).toBe(0);
  expect(await messages.prune(after(2), 5)).toBe(2);
  expect(await messages.readers(companyId, message.id, null, { cursor: null, limit: 5 })).toMatchObject({ items: [] });
}
