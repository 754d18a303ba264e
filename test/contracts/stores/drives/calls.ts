import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import { toId, type CallId, type DeliveryId, type NodeId } from '../../../../src/domain/ids.ts';
import type { DialPattern } from '../../../../src/domain/doNotDial.ts';
import type { PhoneNumber } from '../../../../src/domain/phones/phoneNumbers.ts';
import type { CallFilter } from '../../../../src/ports/calls.ts';
import type { DoNotDialEntry } from '../../../../src/ports/dialing.ts';
import { callEvent } from '../../../../src/connectors/normalForm.ts';
import type { PlatformCallKey } from '../../../../src/ports/platformNews.ts';
import { after, eventOf, newCall, phoneNumber, start, type MadeCompany, type Stores } from '../openStores.ts';
import { delivered, url } from '../outboxRoom.ts';

// Each function here calls every method of some stores for one company, beside a stranger: the stores of calls,
// of whom is dialed, and of what is told of them.

export async function driveCalls({ calls, pool }: Stores, company: MadeCompany, stranger: MadeCompany): Promise<void> {
  const { companyId, agentId } = company;
  const call = newCall(company, { sequence: 1 });
  expect(await calls.create(call, [eventOf(call, 1)])).toBe('created');
  expect(await calls.create(newCall(company), [])).toBe('agent_has_call');
  const foreign = newCall(stranger);
  await calls.create(foreign, []);
  expect(await calls.ruleOut(companyId, call.id)).toBe('recorded');
  expect(await calls.ruleOut(companyId, toId<CallId>(newId()))).toBe('ruled_out');
  expect(calls.recall(companyId, call.id)).toMatchObject({ id: call.id });
  expect(await calls.fate(companyId, call.id)).toMatchObject({ kind: 'recorded' });
  expect(await calls.find(companyId, call.id)).toMatchObject({ kind: 'found' });
  expect(await calls.find(companyId, foreign.id)).toEqual({ kind: 'wrong_company' });
  expect(await calls.findActive(companyId, agentId)).toMatchObject([{ id: call.id }]);
  expect(await calls.findActiveOf([company, stranger])).toEqual(
    new Map([
      [agentId, [call.id]],
      [stranger.agentId, [foreign.id]],
    ]),
  );
  expect(await calls.listInProgress(companyId, null)).toHaveLength(1);
  expect((await calls.listActive(after(1), { cursor: null, limit: 10 })).items).toHaveLength(2);
  const ended = { ...call, state: 'ended' as const, endedAt: start, sequence: 2, version: 2 };
  const toLog = () => ({ id: toId<DeliveryId>(newId()), dueAt: start });
  expect(await calls.commit(ended, [eventOf(call, 2)], { log: toLog() })).not.toBe('conflict');
  expect(await calls.steps(companyId, call.id)).toEqual([]);
  expect(await calls.commitScreenPop({ ...ended, screenPop: {}, version: 3 })).not.toBe('conflict');
  expect(
    await calls.commitCaller(
      { ...ended, screenPop: {}, phone: null, caller: '1002', version: 4 },
      { step: 'caller_changed', at: start },
    ),
  ).not.toBe('conflict');
  expect(await calls.find(companyId, call.id)).toMatchObject({ value: { phone: null, caller: '1002' } });
  expect(await calls.steps(companyId, call.id)).toEqual([{ step: 'caller_changed', at: start }]);
  expect(await calls.commit({ ...foreign, state: 'ended', endedAt: start, version: 2 }, [], { log: toLog() })).not.toBe(
    'conflict',
  );
  expect((await calls.list(companyId, { agentIds: [agentId] }, { cursor: null, limit: 10 })).items).toMatchObject([
    { id: call.id },
  ]);
  expect((await calls.list(companyId, { agentIds: [stranger.agentId] }, { cursor: null, limit: 10 })).items).toEqual(
    [],
  );
  // A call of a gateway that kept no names in lists.
  await pool.query('UPDATE call SET customer_name = NULL WHERE company_id = $1', [companyId]);
  expect((await calls.list(companyId, {}, { cursor: newId(), limit: 10 })).items).toHaveLength(1);
  expect(await calls.pruneDecided(new Date(Date.now() + 60_000), 10)).toBe(3);
}

export async function drivePlatforms(
  { agentTokens, calls, ctiConnections, heardCalls, platformAgents, waitingEvents }: Stores,
  company: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const { companyId, agentId } = company;
  expect(await platformAgents.meet(companyId, 'genesys', { platformId: 'u-1', email: null, name: null })).toBeNull();
  for (const one of [company, stranger]) {
    await ctiConnections.issue(one.companyId, 'genesys', {
      tokenHash: `hash of ${one.companyId}`,
      secretEncrypted: null,
    });
  }
  expect(await ctiConnections.findByTokenHash(`hash of ${companyId}`)).toMatchObject({ companyId, dialVia: 'nobody' });
  expect(await ctiConnections.change(companyId, 'genesys', { dialVia: 'softphone', accountEncrypted: 'sealed' })).toBe(
    true,
  );
  expect(await ctiConnections.change(companyId, 'genesys', {})).toBe(true);
  await ctiConnections.noteReceived(companyId, 'genesys');
  expect(await ctiConnections.find(companyId, 'genesys')).toMatchObject({
    dialVia: 'softphone',
    accountEncrypted: 'sealed',
    lastReceivedAt: start,
  });
  expect(await ctiConnections.find(stranger.companyId, 'genesys')).toMatchObject({
    dialVia: 'nobody',
    accountEncrypted: null,
    lastReceivedAt: null,
  });
  const met = { platformId: 'u-1', email: null, name: 'Ada' };
  expect(await platformAgents.meet(companyId, 'genesys', met)).toMatchObject({ agentId: null, matchedBy: null });
  expect(await platformAgents.map(companyId, 'genesys', 'u-1', agentId)).toMatchObject({ agentId, matchedBy: 'table' });
  expect(await platformAgents.map(companyId, 'genesys', 'u-2', null)).toBeNull();
  expect(await platformAgents.map(companyId, 'cisco', 'u-2', agentId)).toBeNull();
  expect(await platformAgents.map(companyId, 'genesys', 'Grace', agentId)).toMatchObject({
    platformId: 'Grace',
    agentId,
    matchedBy: 'table',
  });
  await platformAgents.join(companyId, 'genesys', { platformId: 'u-2', name: 'Grace' });
  await platformAgents.join(stranger.companyId, 'genesys', { platformId: 'u-3', name: 'Grace' });
  expect([
    await platformAgents.idOfName(companyId, 'genesys', 'Grace'),
    await platformAgents.idOfName(stranger.companyId, 'genesys', 'Grace'),
  ]).toEqual(['u-2', null]);
  expect(await platformAgents.find(companyId, 'genesys', 'u-2')).toMatchObject({
    name: 'Grace',
    agentId,
    matchedBy: 'table',
  });
  await platformAgents.join(companyId, 'genesys', { platformId: 'u-1', name: 'u-2' });
  expect((await platformAgents.list(companyId, 'genesys', { cursor: null, limit: 5 })).items).toMatchObject([
    { platformId: 'u-1', name: 'u-2', agentId },
  ]);
  expect(await platformAgents.meet(companyId, 'genesys', met)).toMatchObject({ agentId });
  expect(await platformAgents.find(companyId, 'genesys', 'u-1')).toMatchObject({ agentId });
  expect(await platformAgents.find(stranger.companyId, 'genesys', 'u-1')).toBeNull();
  expect(await platformAgents.dialedFor(companyId, agentId)).toBeNull();
  const [listener, later] = [toId<NodeId>(newId()), toId<NodeId>(newId())];
  const leased = async (holder: NodeId, seconds: number) =>
    (await ctiConnections.leaseListening(holder, { now: after(seconds), until: after(seconds + 20) }, 10)).map(
      (one) => one.companyId,
    );
  expect(await leased(listener, 0)).toEqual([]);
  await ctiConnections.change(companyId, 'genesys', { listens: true });
  expect([
    await leased(listener, 0),
    await leased(later, 10),
    await leased(listener, 10),
    await leased(later, 31),
  ]).toEqual([[companyId], [], [companyId], [companyId]]);
  await ctiConnections.noteListening(companyId, 'genesys', listener, 'too late');
  await ctiConnections.noteListening(companyId, 'genesys', later, 'refused');
  expect(await ctiConnections.find(companyId, 'genesys')).toMatchObject({ listens: true, listenerError: 'refused' });
  await ctiConnections.releaseListening(later);
  expect(await leased(listener, 32)).toEqual([companyId]);
  await ctiConnections.change(companyId, 'genesys', { dialVia: 'platform', listens: false });
  expect(await platformAgents.setAccount(companyId, 'genesys', 'u-1', 'own')).toBe(true);
  expect(await platformAgents.setAccount(stranger.companyId, 'genesys', 'u-1', 'theirs')).toBe(false);
  const logIn = { companyId, connector: 'genesys', platformId: 'u-1', accountEncrypted: 'own' };
  const leaseId = newId();
  const claim = { leaseId, forMs: 20_000, version: 1 };
  expect(await agentTokens.find({ ...logIn, companyId: stranger.companyId })).toBeNull();
  expect(await agentTokens.find(logIn)).toEqual({ sealed: null, expiresAt: null, version: 1 });
  expect(await agentTokens.lease(logIn, { ...claim, version: 0 })).toBe(false);
  expect(await agentTokens.lease(logIn, claim)).toBe(true);
  expect(await agentTokens.lease(logIn, { ...claim, leaseId: newId() })).toBe(false);
  await agentTokens.release(logIn, leaseId);
  expect(await agentTokens.lease(logIn, claim)).toBe(true);
  expect(await agentTokens.save(logIn, newId(), { sealed: 'another', expiresAt: null })).toBe(false);
  expect(await agentTokens.save(logIn, leaseId, { sealed: 'token', expiresAt: after(60) })).toBe(true);
  expect(await agentTokens.find(logIn)).toEqual({ sealed: 'token', expiresAt: after(60), version: 2 });
  expect(await agentTokens.find({ ...logIn, accountEncrypted: 'before' })).toBeNull();
  expect(await platformAgents.setAccount(companyId, 'genesys', 'u-1', 'own')).toBe(true);
  expect(await agentTokens.find(logIn)).toEqual({ sealed: null, expiresAt: null, version: 3 });
  expect(await platformAgents.dialedFor(companyId, agentId)).toMatchObject({
    platformId: 'u-1',
    accountEncrypted: 'own',
    connection: { companyId, connector: 'genesys', accountEncrypted: 'sealed' },
  });
  expect(await platformAgents.dialedFor(stranger.companyId, agentId)).toBeNull();
  const ready = { state: 'ready', reason: null, at: after(1) } as const;
  expect(await platformAgents.noteState(companyId, 'genesys', 'u-1', ready)).toBe(true);
  expect(await platformAgents.noteState(companyId, 'genesys', 'u-1', { ...ready, state: 'offline', at: start })).toBe(
    false,
  );
  expect(await platformAgents.ofAgent(companyId, agentId)).toMatchObject([{ state: 'ready' }]);
  expect(await platformAgents.ofAgent(stranger.companyId, agentId)).toEqual([]);
  expect((await platformAgents.list(companyId, 'genesys', { cursor: null, limit: 5 })).items).toHaveLength(1);
  expect((await platformAgents.atWork(start, { cursor: null, limit: 5 })).items).toMatchObject([
    { companyId, platformId: 'u-1' },
  ]);
  expect(await ctiConnections.list(companyId)).toMatchObject([
    { connector: 'genesys', agents: { mapped: 1, unmapped: 0 } },
  ]);
  const [ours, theirs] = [company, stranger].map((one) => ({
    companyId: one.companyId,
    connector: 'genesys',
    callId: 'c-0',
  })) as [PlatformCallKey, PlatformCallKey];
  const nothing = { customer: null, dialedNumber: null, direction: null, queue: null, cause: null, endedAt: null };
  await heardCalls.hear(ours, { ...nothing, customer: '+1555', direction: 'inbound' }, null);
  await heardCalls.hear(
    ours,
    { ...nothing, dialedNumber: '+4930', queue: 'Support', cause: 'busy', endedAt: start },
    null,
  );
  await heardCalls.hear({ ...ours, connector: 'cisco' }, nothing, null);
  // What ended at another time is not forgotten.
  await heardCalls.hear(ours, nothing, after(1));
  expect(await heardCalls.recall(ours)).toEqual({
    customer: '+1555',
    dialedNumber: '+4930',
    direction: 'inbound',
    queue: 'Support',
    cause: 'busy',
    endedAt: start,
  });
  expect([await heardCalls.recall(theirs), await heardCalls.recall({ ...ours, connector: 'cisco' })]).toEqual([
    null,
    null,
  ]);
  await heardCalls.hear(ours, { ...nothing, customer: '+1556' }, start);
  expect(await heardCalls.recall(ours)).toEqual({ ...nothing, customer: '+1556' });
  expect([
    await heardCalls.prune(start, 5),
    await heardCalls.prune(after(1), 5),
    await heardCalls.recall(ours),
  ]).toEqual([0, 1, null]);
  const waiting = {
    companyId,
    id: newId(),
    connector: 'genesys',
    event: callEvent('answered', 'c-0', { customer: '+1555', at: 1 }),
    heardAt: start,
  };
  await waitingEvents.keep(waiting);
  await waitingEvents.keep({ ...waiting, id: newId(), connector: 'cisco' });
  expect([await waitingEvents.left(start, 5), await waitingEvents.left(after(1), 5)]).toEqual([[], [waiting]]);
  await waitingEvents.drop(stranger.companyId, waiting.id);
  expect(await waitingEvents.left(after(1), 5)).toHaveLength(1);
  await waitingEvents.drop(companyId, waiting.id);
  expect(await waitingEvents.left(after(1), 5)).toEqual([]);
  const platform = {
    source: 'genesys',
    callId: 'c-1',
    round: 0,
    at: start,
    rangAt: null,
    endedAt: null,
  };
  const ofPlatform = newCall(company, { platform, queue: 'Support', state: 'ringing' });
  expect(await calls.create(ofPlatform, [])).toBe('created');
  expect(await calls.create(newCall(company, { platform }), [])).toBe('known');
  expect(await calls.ofPlatform(companyId, 'genesys', 'c-1')).toMatchObject([
    { id: ofPlatform.id, queue: 'Support', platform },
  ]);
  expect(await calls.ofPlatform(stranger.companyId, 'genesys', 'c-1')).toEqual([]);
  // One that the agent makes meanwhile, under the same name.
  const rangAgain = newCall(company, { platform: { ...platform, round: 1, rangAt: after(1) }, state: 'ringing' });
  expect([
    await calls.create(rangAgain, []),
    await calls.create(newCall(company, { platform: rangAgain.platform, state: 'ringing' }), []),
  ]).toEqual(['created', 'known']);
  expect(
    await calls.commit(
      {
        ...rangAgain,
        state: 'ended',
        endedAt: start,
        version: 2,
        platform: { ...platform, round: 1, rangAt: after(1), endedAt: after(2) },
      },
      [],
    ),
  ).not.toBe('conflict');
  expect(await calls.ofPlatform(companyId, 'genesys', 'c-1')).toMatchObject([
    { id: ofPlatform.id },
    { id: rangAgain.id, platform: { round: 1, rangAt: after(1), endedAt: after(2) } },
  ]);
  expect(await calls.silent({ ringingSince: after(1), since: start, limit: 5 })).toMatchObject([{ id: ofPlatform.id }]);
  expect(
    await calls.commit(
      { ...ofPlatform, state: 'ended', endedAt: start, version: 2, platform: { ...platform, at: after(1) } },
      [],
    ),
  ).not.toBe('conflict');
  const begun = new Date();
  const unnamed = newCall(company, {
    platform: { ...platform, callId: null },
    state: 'dialing',
    createdAt: begun,
  });
  expect(await calls.create(unnamed, [])).toBe('created');
  expect(await calls.unnamedOfPlatform(companyId, agentId, 'genesys')).toMatchObject({
    id: unnamed.id,
    platform: { callId: null },
  });
  expect(await calls.unnamedOfPlatform(stranger.companyId, agentId, 'genesys')).toBeNull();
  expect(
    await calls.commit(
      { ...unnamed, state: 'ended', endedAt: start, version: 2, platform: { ...platform, callId: 'c-2' } },
      [],
    ),
  ).not.toBe('conflict');
  expect(await calls.ofPlatform(companyId, 'genesys', 'c-2')).toMatchObject([{ id: unnamed.id }]);
  const tags = [
    { code: 'price', label: 'Price' },
    { code: null, label: 'In a hurry' },
  ];
  const complaint = { code: 'complaint', label: 'Complaint' };
  const corrected = {
    id: newId(),
    by: agentId,
    before: null,
    after: { code: 'resolved', label: 'Resolved', notes: null, tags },
  };
  const disposition = { code: 'resolved', label: 'Resolved', notes: null, callbackAt: null, submittedAt: start };
  expect(
    await calls.commit(
      {
        ...unnamed,
        state: 'ended',
        endedAt: start,
        version: 3,
        disposition,
        platform: { ...platform, callId: 'c-2' },
      },
      [],
      { correction: corrected, tags },
    ),
  ).not.toBe('conflict');
  expect(await calls.corrections(companyId, unnamed.id)).toMatchObject([corrected]);
  expect(await calls.corrections(stranger.companyId, unnamed.id)).toEqual([]);
  const from = { agent_id: agentId, agent_code: 'a', name: 'Ada', extension: null, notes: null };
  const asked = newCall(company, {
    platform: { ...platform, callId: 'c-3' },
    parentCallId: unnamed.id,
    transferredFrom: from,
    state: 'ended',
  });
  expect(await calls.create(asked, [])).toBe('created');
  expect((await calls.conversation(companyId, asked.id)).map(({ id }) => id)).toEqual(
    [unnamed.id, asked.id].toSorted(),
  );
  expect(await calls.conversation(stranger.companyId, asked.id)).toEqual([]);
  expect(await calls.previous(companyId, phoneNumber(1), null, 5)).toMatchObject({
    calls: expect.arrayContaining([expect.objectContaining({ id: unnamed.id, agentName: 'Agent 100' })]),
  });
  expect(await calls.previous(stranger.companyId, phoneNumber(1), null, 5)).toMatchObject({ lastSpoken: null });
  expect(await calls.saveDraft(companyId, unnamed.id, { notesDraft: 'too late', draftAt: start })).toBe('gone');
  expect(await calls.saveDraft(stranger.companyId, ofPlatform.id, { notesDraft: 'not theirs', draftAt: start })).toBe(
    'gone',
  );
  expect(
    await calls.saveDraft(companyId, ofPlatform.id, {
      notesDraft: 'ours',
      codeDraft: 'resolved',
      callbackDraft: start,
      tags: [complaint],
      draftAt: after(2),
    }),
  ).toBe('saved');
  expect(await calls.saveDraft(companyId, ofPlatform.id, { notesDraft: 'of before', draftAt: after(1) })).toBe('older');
  expect(await calls.saveDraft(companyId, ofPlatform.id, { codeDraft: null, draftAt: after(2) })).toBe('saved');
  expect(await calls.find(companyId, ofPlatform.id)).toMatchObject({
    value: { notesDraft: 'ours', codeDraft: null, callbackDraft: start, tags: [complaint] },
  });
  expect(await calls.attachRecording(stranger.companyId, unnamed.id, 'https://pbx.example.com/1.mp3')).toBe(false);
  expect(await calls.attachRecording(companyId, unnamed.id, 'https://pbx.example.com/1.mp3')).toBe(true);
  for (const tag of ['price', 'in a hurry']) {
    expect((await calls.list(companyId, { tag }, { cursor: null, limit: 5 })).items).toMatchObject([
      { id: unnamed.id, tags },
    ]);
  }
  for (const one of [companyId, stranger.companyId])
    expect((await calls.list(one, { tag: 'Price' }, { cursor: null, limit: 5 })).items).toEqual([]);
  const filter = { dispositionCode: 'resolved', since: begun, until: new Date(begun.getTime() + 1) };
  expect((await calls.list(companyId, filter, { cursor: null, limit: 5 })).items).toMatchObject([
    { id: unnamed.id, recordingUrl: 'https://pbx.example.com/1.mp3' },
  ]);
  expect([
    await ctiConnections.remove(companyId, 'genesys'),
    await ctiConnections.remove(companyId, 'genesys'),
  ]).toEqual([true, false]);
  expect(await ctiConnections.list(stranger.companyId)).toHaveLength(1);
}

export async function driveDialing(
  { calls, contacts, doNotDial, softphoneKeep }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const at = after(1);
  const entry = (pattern: string, more: Partial<DoNotDialEntry> = {}): DoNotDialEntry => ({
    id: newId(),
    pattern: pattern as DialPattern,
    note: null,
    addedBy: agentId,
    createdAt: at,
    ...more,
  });
  const page = { cursor: null, limit: 5 };
  const [contact] = await contacts.findByPhone(companyId, 'all', phoneNumber(7));
  expect(await doNotDial.ban(companyId, phoneNumber(7), { id: contact!.id, scope: 'all' })).toBeNull();
  const first = await doNotDial.add(companyId, entry(phoneNumber(7), { note: 'asked us' }));
  // Twice is once, and the note stays where none comes.
  expect(await doNotDial.add(companyId, entry(phoneNumber(7)))).toEqual(first);
  expect(await doNotDial.add(stranger.companyId, entry(phoneNumber(8), { addedBy: null }))).toMatchObject({
    addedBy: null,
  });
  expect(await doNotDial.addMany(companyId, [entry('+1900*'), entry(phoneNumber(7)), entry('+49900*')])).toBe(2);
  expect(await doNotDial.count(companyId, 2)).toBe(2);
  expect(await doNotDial.ban(companyId, phoneNumber(7), null)).toEqual({ contactId: null, isListed: true });
  expect(await doNotDial.ban(companyId, '+19005551234' as PhoneNumber, null)).toEqual({
    contactId: null,
    isListed: true,
  });
  expect(await doNotDial.ban(companyId, phoneNumber(8), null)).toBeNull();
  const all = await doNotDial.list(companyId, null, page);
  expect(all?.items.map(({ pattern }) => pattern)).toEqual([phoneNumber(7), '+1900*', '+49900*']);
  const [one] = (await doNotDial.list(companyId, null, { ...page, limit: 1 }))!.items;
  expect(one).toEqual(first);
  const { nextCursor } = (await doNotDial.list(companyId, null, { ...page, limit: 1 }))!;
  expect((await doNotDial.list(companyId, null, { cursor: nextCursor, limit: 5 }))?.items).toHaveLength(2);
  expect(await doNotDial.list(companyId, null, { cursor: 'none', limit: 5 })).toBeNull();
  expect(
    (await doNotDial.list(companyId, { beginnings: ['+19'], patterns: ['+49900*' as DialPattern] }, page))?.items.map(
      ({ pattern }) => pattern,
    ),
  ).toEqual(['+1900*', '+49900*']);
  expect(await doNotDial.remove(stranger.companyId, first.id)).toBe(false);
  expect(await doNotDial.remove(companyId, first.id)).toBe(true);
  expect(await softphoneKeep.speedDials(companyId, agentId)).toEqual({ entries: [], version: 0 });
  const entries = [{ name: 'Grace', phone_number: phoneNumber(7) as string }];
  expect(await softphoneKeep.replaceSpeedDials(companyId, agentId, entries, 2)).toBe(false);
  expect(await softphoneKeep.missedSeenUntil(companyId, agentId)).toBeNull();
  expect(await softphoneKeep.seeMissed(companyId, agentId, after(5))).toEqual(after(5));
  // What was seen stays seen.
  expect(await softphoneKeep.seeMissed(companyId, agentId, after(3))).toEqual(after(5));
  expect(await softphoneKeep.missedSeenUntil(companyId, agentId)).toEqual(after(5));
  expect(await softphoneKeep.replaceSpeedDials(companyId, agentId, entries, 1)).toBe(true);
  expect(await softphoneKeep.replaceSpeedDials(companyId, agentId, [], 1)).toBe(false);
  expect(await softphoneKeep.speedDials(companyId, agentId)).toEqual({ entries, version: 1 });
  expect(await softphoneKeep.speedDials(stranger.companyId, stranger.agentId)).toEqual({ entries: [], version: 0 });
  const missed = {
    direction: 'inbound',
    trigger: 'inbound_ring',
    state: 'ended',
    endReason: 'missed',
    endedAt: after(9),
  } as const;
  const whose = { companyId, agentId };
  expect(await calls.create(newCall(whose, { ...missed, caller: 'Grace 100%' }), [])).toBe('created');
  expect(
    await calls.create(
      newCall(whose, { state: 'ended', answeredAt: after(2), endedAt: after(9), phone: phoneNumber(7) }),
      [],
    ),
  ).toBe('created');
  expect(await calls.countMissed(companyId, agentId, after(8), 5)).toBe(1);
  expect(await calls.countMissed(companyId, agentId, after(9), 5)).toBe(0);
  expect(await calls.countMissed(stranger.companyId, stranger.agentId, after(8), 5)).toBe(0);
  const found = async (filter: CallFilter) =>
    (await calls.list(companyId, { agentIds: [agentId], ...filter }, { cursor: null, limit: 50 })).items;
  expect(await found({ result: 'missed' })).toMatchObject([{ caller: 'Grace 100%' }]);
  expect((await found({ result: 'answered' })).every(({ answeredAt }) => answeredAt !== null)).toBe(true);
  expect(await found({ text: { words: 'grace 0%', numbers: null } })).toHaveLength(1);
  expect(await found({ text: { words: 'grace _', numbers: null } })).toEqual([]);
  const ofAll = { text: { words: 'grace 0%', numbers: null } };
  expect((await calls.list(companyId, ofAll, { cursor: null, limit: 50 })).items).toHaveLength(1);
  expect(await calls.list(stranger.companyId, ofAll, { cursor: null, limit: 50 })).toEqual({
    items: [],
    nextCursor: null,
  });
  expect(
    await found({ text: { words: 'x', numbers: { prefixes: [], elsewhere: [], reversedEnd: '7000001' } } }),
  ).toMatchObject([{ phone: phoneNumber(7) }]);
}

export async function driveWebhooks(
  { outbox, integrations }: Stores,
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
  const test = (): DeliveryId => toId<DeliveryId>(newId());
  const ping = (id: DeliveryId) => ({
    id,
    event: 'integration_test' as const,
    callId: null,
    sequence: null,
    body: '{}',
  });
  const own = await outbox.addOwn(companyId, ping(test()), leaseUntil);
  const foreign = await outbox.addOwn(stranger.companyId, ping(test()), leaseUntil);
  if (own === null || foreign === null) throw new Error('there are endpoints');
  const [first] = await outbox.lease(request);
  if (first === undefined) throw new Error('an event of the call is due');
  expect(await outbox.bodyOf(companyId, first.id)).toBe('{"sequence":1}');
  expect(await outbox.renew(holder, [companyId], leaseUntil)).toEqual([companyId]);
  expect(await Promise.all([outbox.settle(holder, delivered(own)), outbox.settle(holder, delivered(foreign))])).toEqual(
    [true, true],
  );
  await outbox.putOff(holder, first, now);
  await outbox.release(holder);
  expect(await outbox.lease(request)).toMatchObject([{ id: first.id }]);
  await outbox.releaseOthers(newId());
  expect(await outbox.find(companyId, own.id)).toMatchObject({ value: { state: 'delivered', log: [{ number: 1 }] } });
  expect(await outbox.find(companyId, foreign.id)).toEqual({ kind: 'wrong_company' });
  expect(await outbox.latest(companyId)).toMatchObject({ id: own.id });
  expect(
    (await outbox.list(companyId, { state: 'pending', since: start }, { cursor: null, limit: 5 })).items,
  ).toHaveLength(3);
  expect(await outbox.redeliver(companyId, first.id, after(2))).toEqual({ kind: 'found', value: true });
  expect(await outbox.changeHealth(companyId, url, (health) => ({ ...health, consecutiveFailures: 1 }))).toMatchObject({
    consecutiveFailures: 1,
  });
  expect(await outbox.backlog(after(3))).toMatchObject({ endpoints: { failing: 1 } });
  await integrations.update(companyId, () => ({ webhookUrl: null }));
  expect(await outbox.moveToDead(companyId, 1, after(3))).toBe(1);
  expect(await outbox.moveToDead('all', 10, after(3))).toBe(1);
  await integrations.update(companyId, () => ({ webhookUrl: url }));
  expect(await outbox.redeliverDeadSince(companyId, start, after(4))).toBe(2);
  expect(await outbox.prune(new Date(Date.now() + 60_000), 10)).toBe(3);
}
