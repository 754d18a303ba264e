import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import { after, type MadeCompany, type Stores } from '../openStores.ts';

// Each function here calls every method of some stores for one company,
// beside a stranger: the stores of connected CRM systems.

const connection = {
  provider: 'hubspot',
  credentialsEncrypted: 'sealed',
  options: {},
  facts: {},
  account: 'HubSpot 1',
  keepSeconds: 600,
  logCalls: 'all' as const,
  dispositions: {},
};

export async function driveCrm(
  { crmConnections, crmTokens, crmNotices, screenPops }: Stores,
  { companyId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  await crmConnections.connect(stranger.companyId, connection, null);
  await crmConnections.connect(companyId, connection, null);
  expect(await crmConnections.disconnect(companyId)).toBe(true);
  const made = await crmConnections.connect(companyId, connection, null);
  expect(await crmConnections.find(companyId)).toMatchObject({ provider: 'hubspot', logCalls: 'all' });
  expect(await crmConnections.change(companyId, made, { ...connection, keepSeconds: 60 })).toMatchObject({
    keepSeconds: 60,
  });
  await crmConnections.noteAttention(companyId, made, 'The token has expired.');
  await crmConnections.noteCheck(companyId, made, { account: 'HubSpot 2', facts: {} });
  expect(
    await crmConnections.changeHealth(companyId, (health) => ({ ...health, consecutiveFailures: 0 })),
  ).toMatchObject({ attention: null });
  const references = ['1', '2', '3'].map((id) => ({ object: 'contact', id }));
  for (const of of [companyId, stranger.companyId])
    expect(await crmNotices.add(of, 'hubspot', references)).toEqual(['added', 'added', 'added']);
  const lease = async () => {
    const holder = newId();
    const leased = await crmNotices.lease({ holder, limit: 10, now: after(1), leaseUntil: after(60) });
    const own = leased.find((one) => one.companyId === companyId);
    if (own === undefined) throw new Error('a record of each is to be read');
    return { holder, own, count: leased.length };
  };
  const first = await lease();
  expect(first.count).toBe(2);
  expect(await crmNotices.stateOf(first.holder, first.own)).toBe('waiting');
  await crmNotices.putOff(first.holder, first.own, after(1));
  await crmNotices.releaseAll();
  const second = await lease();
  await crmNotices.release(second.holder, companyId);
  await crmNotices.releaseAll();
  const third = await lease();
  expect(await crmNotices.finish(third.holder, third.own)).toBe(true);
  await crmNotices.withdraw(companyId, 'hubspot', references[1]!);
  await crmNotices.releaseAll();
  expect((await crmNotices.backlog(after(2))).records).toEqual({ due: 4, resting: 0, held_back: 0 });
  expect(await crmNotices.prune(after(1), 10)).toHaveLength(4);
  const leaseId = newId();
  const { version = 0 } = (await crmTokens.find(companyId)) ?? {};
  expect(await crmTokens.lease(companyId, { leaseId, forMs: 1_000, version })).toBe(true);
  await crmTokens.release(companyId, leaseId);
  expect(await crmTokens.lease(companyId, { leaseId, forMs: 1_000, version })).toBe(true);
  expect(await crmTokens.save(companyId, leaseId, { sealed: 'sealed', expiresAt: null })).toBe(true);
  expect(await screenPops.prune(after(3_600), 10)).toBe(0);
}

/** The calls of `driveCalls` are logged, one of each company. */
export async function driveCallLog(
  { callLog, outbox }: Stores,
  { companyId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const [holder, now, leaseUntil] = [newId(), after(1), after(60)];
  const request = {
    holder,
    limit: 10,
    now,
    leaseUntil,
    holdings: [{ companyId, held: 0, atMost: 4 }],
    atHand: [],
    newcomersAtMost: 4,
  };
  const leased = await callLog.lease(request);
  const [own, foreign] = [
    leased.find((one) => one.companyId === companyId),
    leased.find((one) => one.companyId === stranger.companyId),
  ];
  if (own === undefined || foreign === undefined) throw new Error('a call of each is to be logged');
  expect(await callLog.renew(holder, [companyId, stranger.companyId], leaseUntil)).toHaveLength(2);
  await callLog.putOff(holder, own, now);
  await callLog.release(holder);
  await callLog.lease(request);
  await callLog.releaseOthers(newId());
  await callLog.lease(request);
  const progress = { prepared: null, sentAt: now, notFoundAt: null, entryId: 'T1' };
  expect(await callLog.note(holder, own, progress)).toBe(true);
  const settlement = { attempt: null, attempts: 1, outcome: { state: 'delivered' as const }, progress };
  for (const { companyId: of, id } of [own, foreign])
    expect(await callLog.settle(holder, { companyId: of, id, ...settlement })).toBe(true);
  expect(await callLog.earlier(companyId, own.callId, own.sequence + 1, 'hubspot')).toEqual({
    entryId: null,
    maySent: false,
  });
  expect(await outbox.find(companyId, own.id)).toMatchObject({ value: { target: 'crm', state: 'delivered' } });
  expect(await outbox.find(companyId, foreign.id)).toEqual({ kind: 'wrong_company' });
  expect(await outbox.redeliver(companyId, own.id, after(2))).toEqual({ kind: 'found', value: true });
}
