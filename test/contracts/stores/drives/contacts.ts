import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import { contactSorts } from '../../../../src/contract/contacts.ts';
import { organisationSorts } from '../../../../src/contract/organisations.ts';
import { taskSorts } from '../../../../src/contract/tasks.ts';
import {
  toId,
  type ContactId,
  type DealId,
  type OrganisationId,
  type PipelineId,
  type StageId,
  type TaskId,
} from '../../../../src/domain/ids.ts';
import type { Contact } from '../../../../src/domain/contacts.ts';
import { emptyContact } from '../../../../src/usecases/contacts/readContent.ts';
import type { Deal, Pipeline, Stage } from '../../../../src/domain/deals.ts';
import type { Task } from '../../../../src/domain/tasks.ts';
import { after, phoneNumber, type MadeCompany, type Stores } from '../openStores.ts';

// Each function here calls every method of some stores for one company,
// beside a stranger: the stores of the built-in CRM.

export async function driveContacts(
  { contacts, contactSearch, organisations }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const at = after(1);
  const organisation = {
    companyId,
    id: toId<OrganisationId>(newId()),
    name: 'Navy',
    website: null,
    notes: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  expect(await organisations.create(organisation)).toBe(true);
  expect(await organisations.find(companyId, organisation.id)).toMatchObject({ name: 'Navy' });
  for (const sort of organisationSorts) {
    for (const words of [undefined, ['nav'], ['na']])
      expect((await organisations.list(companyId, { words }, sort, { cursor: null, limit: 5 }))?.items).toHaveLength(1);
  }
  expect((await organisations.list(companyId, { words: ['army'] }, 'name', { cursor: null, limit: 5 }))?.items).toEqual(
    [],
  );
  expect(await organisations.list(companyId, {}, 'name', { cursor: newId(), limit: 5 })).toBeNull();
  expect(await organisations.update({ ...organisation, version: 2 })).toBe(true);
  const field = {
    key: 'plan',
    label: 'Plan',
    kind: 'text' as const,
    choices: null,
    position: 0,
    onPop: true,
    version: 1,
  };
  expect(await contacts.createField(companyId, field, 5)).toBe('created');
  expect(await contacts.createField(companyId, field, 5)).toBe('taken');
  expect(await contacts.updateField(companyId, 'plan', { label: 'Rate' }, null)).toMatchObject({
    label: 'Rate',
    version: 2,
  });
  expect(await contacts.updateField(companyId, 'plan', { label: 'Rate' }, 1)).toBeNull();
  expect(await contacts.updateField(companyId, 'plan', { label: 'Rate' }, 2)).toMatchObject({ version: 3 });
  expect(await contacts.fields(companyId)).toHaveLength(1);
  // `notes` could be defined once: every contact has that.
  const others = [
    { ...field, key: 'notes' },
    { ...field, key: 'hidden', onPop: false },
    { ...field, key: '2', position: 2 },
    { ...field, key: '10', position: 1 },
  ];
  for (const other of others) expect(await contacts.createField(companyId, other, 5)).toBe('created');
  expect(await contacts.popFields(companyId)).toEqual([
    { key: 'plan', label: 'Rate', kind: 'text' },
    ...['10', '2'].map((key) => ({ key, label: 'Plan', kind: 'text' })),
  ]);
  for (const { key } of others) expect(await contacts.removeField(companyId, key)).toBe(true);
  expect(await contacts.removeField(companyId, 'plan')).toBe(true);
  const phones = [{ phone: phoneNumber(7), label: 'work', isPrimary: true }];
  const emails = [{ email: 'grace@example.com', label: null, isPrimary: false }];
  const made = {
    companyId,
    id: toId<ContactId>(newId()),
    ...emptyContact,
    name: 'Grace',
    owner: { id: agentId, name: '' },
    organisation,
    phones,
    emails,
    externalId: 'C-1',
    tags: ['a'],
    tier: 'gold',
    language: 'en-GB',
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const entry = (kind: 'created' | 'edited' | 'note') => ({
    id: newId(),
    at,
    kind,
    by: agentId,
    text: null,
    edits: [],
  });
  expect(await contacts.create(made, entry('created'))).toEqual({ kind: 'written' });
  const second = { ...made, id: toId<ContactId>(newId()) };
  expect(await contacts.create({ ...second, externalId: null }, entry('created'))).toEqual({
    kind: 'taken',
    field: 'phones',
    value: phoneNumber(7),
    contactId: made.id,
  });
  expect(await contacts.create({ ...second, phones: [] }, entry('created'))).toEqual({
    kind: 'taken',
    field: 'external_id',
    value: 'C-1',
    contactId: made.id,
  });
  const nobody = { id: stranger.agentId, name: '' };
  expect(await contacts.create({ ...second, phones: [], externalId: null, owner: nobody }, entry('created'))).toEqual({
    kind: 'unknown',
    field: 'owner_id',
  });
  expect(await contacts.update({ ...made, version: 2, phones: [] }, entry('edited'))).toEqual({ kind: 'written' });
  expect(await contacts.update({ ...made, version: 2 }, entry('edited'))).toEqual({ kind: 'not_written' });
  expect(await contacts.update({ ...made, version: 3 }, entry('edited'))).toEqual({ kind: 'written' });
  expect(await contacts.find(companyId, 'all', made.id)).toMatchObject({
    owner: { id: agentId },
    organisation: { name: 'Navy' },
    phones,
    emails,
    version: 3,
  });
  expect(await contacts.find(companyId, { ownerId: stranger.agentId }, made.id)).toBeNull();
  expect(await contacts.find(stranger.companyId, 'all', made.id)).toBeNull();
  expect(await contacts.findByPhone(companyId, 'all', phoneNumber(7))).toMatchObject([{ id: made.id }]);
  expect(await contacts.findByPhone(companyId, { ownerId: stranger.agentId }, phoneNumber(7))).toEqual([]);
  const filters = [
    {},
    { phone: phoneNumber(7) },
    { email: 'grace@example.com' },
    { externalId: 'C-1' },
    { ownerId: agentId },
    { organisationId: organisation.id },
    { tag: 'a' },
    { tier: 'gold' },
    { language: 'en' },
    { doNotCall: false },
  ];
  for (const filter of filters) {
    expect((await contacts.list(companyId, 'all', filter, 'created', { cursor: null, limit: 5 }))?.items).toHaveLength(
      1,
    );
  }
  for (const filter of [{ tier: 'silver' }, { language: 'de' }, { doNotCall: true }])
    expect((await contacts.list(companyId, 'all', filter, 'created', { cursor: null, limit: 5 }))?.items).toEqual([]);
  for (const sort of contactSorts)
    expect((await contacts.list(companyId, 'all', {}, sort, { cursor: null, limit: 5 }))?.items).toHaveLength(1);
  for (const words of [['gr'], ['race'], ['grcae'], ['race', 'nvay', 'gr'], ['g']])
    expect(await contactSearch.byWords(companyId, 'all', words, 5)).toMatchObject([{ contact: { id: made.id } }]);
  expect(await contactSearch.byWords(companyId, { ownerId: stranger.agentId }, ['grace'], 5)).toEqual([]);
  expect(
    await contactSearch.byNumber(companyId, 'all', { prefixes: ['+1555'], elsewhere: [], reversedEnd: '7000' }, 5),
  ).toMatchObject([{ contact: { id: made.id } }]);
  for (const words of [['n'], ['avy']])
    expect(await contactSearch.organisations(companyId, words, 5)).toEqual([{ id: organisation.id, name: 'Navy' }]);
  expect(await contactSearch.findsParts()).toBe(true);
  const other = {
    ...made,
    id: toId<ContactId>(newId()),
    owner: null,
    organisation: null,
    phones: [],
    externalId: null,
  };
  await contacts.create(other, entry('created'));
  expect(await contacts.merge({ ...made, version: 9 }, other, entry('edited'))).toBe('not_written');
  expect(await contacts.merge({ ...made, version: 4 }, other, entry('edited'))).toBe('written');
  expect(await contacts.find(companyId, 'all', other.id)).toMatchObject({ id: made.id, version: 4 });
  expect(await contacts.find(stranger.companyId, 'all', other.id)).toBeNull();
  expect(await contacts.addNote(companyId, 'all', made.id, { ...entry('note'), text: 'A note' })).toBe('written');
  expect(await contacts.addNote(stranger.companyId, 'all', made.id, { ...entry('note'), text: 'A note' })).toBe(
    'unseen',
  );
  expect(
    (await contacts.activities(companyId, 'all', made.id, null, { cursor: null, limit: 10 }))?.items
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['created', 'created', 'edited', 'edited', 'edited', 'note']);
  expect(await contacts.recentCalls(companyId, made.id, 3)).toEqual([]);
  expect(await contacts.isOnCallWith(companyId, agentId, made.id)).toBe(false);
  const husband = { ...made, id: toId<ContactId>(newId()), name: 'Vincent', externalId: null };
  expect(await contacts.create(husband, entry('created'))).toEqual({ kind: 'written' });
  expect(await contacts.sharing(companyId, 'all', made)).toEqual(
    new Map([[phoneNumber(7), [{ id: husband.id, name: 'Vincent' }]]]),
  );
  expect(await contacts.sharing(companyId, { ownerId: stranger.agentId }, made)).toEqual(new Map());
  // Both have the number.
  expect(await contacts.merge({ ...made, version: 5 }, husband, entry('edited'))).toBe('written');
  expect(await contacts.find(companyId, 'all', husband.id)).toMatchObject({ id: made.id, phones, version: 5 });
}

export async function driveDeals(
  { contacts, deals, pipelines }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const at = after(1);
  const stage = (name: string): Stage => ({ id: toId<StageId>(newId()), name, outcome: 'open', probability: 10 });
  const pipeline: Pipeline = {
    companyId,
    id: toId<PipelineId>(newId()),
    name: 'Sales',
    position: 0,
    stages: [stage('New'), stage('Offer')],
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const [first, second] = [pipeline.stages[0]!, pipeline.stages[1]!];
  expect(await pipelines.create(pipeline, 1)).toBe('created');
  expect(await pipelines.create({ ...pipeline, id: toId<PipelineId>(newId()) }, 1)).toBe('too_many');
  expect(await pipelines.find(companyId, pipeline.id)).toEqual(pipeline);
  expect(await pipelines.find(stranger.companyId, pipeline.id)).toBeNull();
  expect(await pipelines.list(companyId)).toEqual([pipeline]);
  expect(await pipelines.findStage(companyId, second.id)).toEqual({ pipelineId: pipeline.id, stage: second });
  expect(await pipelines.findStage(stranger.companyId, second.id)).toBeNull();

  const contact = (await contacts.findByPhone(companyId, 'all', phoneNumber(7)))[0]!;
  const deal: Deal = {
    companyId,
    id: toId<DealId>(newId()),
    pipelineId: pipeline.id,
    stage: first,
    name: 'Licences',
    value: '12500.5',
    currency: 'EUR',
    owner: { id: agentId, name: 'a' },
    contactId: contact.id,
    organisation: null,
    expectedClose: '2026-12-18',
    version: 1,
    movedAt: at,
    createdAt: at,
    updatedAt: at,
  };
  const made = { move: { id: newId(), at, by: agentId, from: null, to: first }, entryId: newId(), events: [] };
  const again = () => ({ ...deal, id: toId<DealId>(newId()) });
  expect(await deals.create(deal, made)).toBe('written');
  expect(
    await deals.create({ ...again(), contactId: toId<ContactId>(newId()) }, { ...made, entryId: newId() }),
  ).toEqual({ kind: 'unknown', field: 'contact_id' });
  expect(
    await deals.create({ ...again(), pipelineId: toId<PipelineId>(newId()) }, { ...made, entryId: newId() }),
  ).toEqual({ kind: 'unknown', field: 'stage_id' });
  const moved = { ...deal, stage: second, version: 2 };
  const move = { move: { id: newId(), at, by: agentId, from: first, to: second }, entryId: newId(), events: [] };
  expect(await deals.update(moved, move)).toBe('written');
  expect(await deals.update(moved, { ...move, entryId: newId() })).toBe('not_written');
  expect(await deals.find(companyId, 'all', deal.id)).toMatchObject({
    value: '12500.5',
    stage: second,
    contact: { id: contact.id },
    version: 2,
  });
  expect(await deals.find(companyId, { ownerId: stranger.agentId }, deal.id)).toBeNull();
  expect(await deals.find(stranger.companyId, 'all', deal.id)).toBeNull();
  const filters = [
    { pipelineId: pipeline.id },
    { stageId: second.id },
    { state: 'open' as const },
    { ownerId: agentId },
    { contactId: contact.id },
    { closesFrom: '2026-12-18' },
    { closesUntil: '2026-12-18' },
  ];
  for (const filter of filters)
    expect((await deals.list(companyId, 'all', filter, '-moved', { cursor: null, limit: 5 }))?.items).toHaveLength(1);
  expect(
    (
      await deals.list(companyId, 'all', { organisationId: toId<OrganisationId>(newId()) }, 'value', {
        cursor: null,
        limit: 5,
      })
    )?.items,
  ).toEqual([]);
  expect(
    (await deals.board(companyId, 'all', pipeline.stages, { pipelineId: pipeline.id }, 5)).get(second.id)?.items,
  ).toHaveLength(1);
  expect(await deals.totals(companyId, 'all', { pipelineId: pipeline.id })).toEqual([
    { stageId: second.id, count: 1, sums: [{ currency: 'EUR', value: '12500.5' }] },
  ]);
  expect((await deals.moves(companyId, 'all', deal.id, { cursor: null, limit: 5 }))?.items).toMatchObject([
    { from: { name: 'New' }, to: { name: 'Offer' } },
    { from: null },
  ]);
  expect(await deals.moves(stranger.companyId, 'all', deal.id, { cursor: null, limit: 5 })).toBeNull();

  expect(await pipelines.update({ ...pipeline, stages: [first], version: 2 })).toEqual({
    kind: 'has_deals',
    stageId: second.id,
    count: 1,
  });
  expect(await pipelines.update({ ...pipeline, stages: [second, stage('Won')], version: 2 })).toBe('updated');
  expect(await pipelines.update({ ...pipeline, version: 2 })).toBe('not_updated');
  expect(await pipelines.remove(companyId, pipeline.id)).toBe('has_deals');
  expect(await pipelines.remove(stranger.companyId, pipeline.id)).toBe('missing');
}

export async function driveDuplicates(
  { contacts, duplicates }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const at = after(1);
  const make = async (name: string): Promise<Contact> => {
    const made = {
      ...emptyContact,
      companyId,
      id: toId<ContactId>(newId()),
      name,
      emails: [{ email: 'twice@example.com', label: null, isPrimary: false }],
      version: 1,
      createdAt: at,
      updatedAt: at,
    };
    expect(
      await contacts.create(made, { id: newId(), at, kind: 'created', by: agentId, text: null, edits: [] }),
    ).toEqual({ kind: 'written' });
    return made;
  };
  const [one, other] = [await make('Twice'), await make('Again')];
  expect(await duplicates.isComparing(companyId)).toBe(true);
  expect(await duplicates.nextToCompare(companyId)).not.toBeNull();
  expect(await duplicates.compare(companyId, 500)).toBeGreaterThan(1);
  expect(await duplicates.isComparing(companyId)).toBe(false);
  const [found, ...more] = (await duplicates.list(companyId, { cursor: null, limit: 5 })).items;
  expect([found, more]).toMatchObject([
    { score: 50, reasons: ['email'], contacts: [{ id: one.id }, { id: other.id }] },
    [],
  ]);
  expect((await duplicates.list(stranger.companyId, { cursor: null, limit: 5 })).items).toEqual([]);
  const id = found?.id ?? expect.fail();
  expect(await duplicates.dismiss(stranger.companyId, id, agentId, at)).toBe(false);
  expect(await duplicates.dismiss(companyId, id, agentId, at)).toBe(true);
  expect((await duplicates.list(companyId, { cursor: null, limit: 5 })).items).toEqual([]);
}

export async function driveTasks(
  { contacts, tasks }: Stores,
  { companyId, agentId }: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const at = after(1);
  const task: Task = {
    companyId,
    id: toId<TaskId>(newId()),
    kind: 'callback',
    title: 'Call Grace',
    notes: null,
    contactId: null,
    phone: phoneNumber(7),
    dueAt: at,
    timeZone: 'Europe/Berlin',
    assigneeId: agentId,
    state: 'open',
    callId: null,
    firedAt: null,
    createdBy: agentId,
    skips: [],
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const all = { agentIds: null, contacts: 'all' as const };
  expect(await tasks.create(task)).toBe('written');
  expect(await tasks.create({ ...task, id: toId<TaskId>(newId()), contactId: toId<ContactId>(newId()) })).toBe(
    'unknown',
  );
  expect(await tasks.update({ ...task, version: 2 })).toBe('written');
  expect(await tasks.update({ ...task, version: 2 })).toBe('not_written');
  expect(await tasks.find(companyId, all, task.id)).toMatchObject({ contact: { name: 'Grace' }, version: 2 });
  expect(await tasks.find(companyId, { ...all, agentIds: [stranger.agentId] }, task.id)).toBeNull();
  expect(await tasks.find(stranger.companyId, all, task.id)).toBeNull();
  const [contact] = await contacts.findByPhone(companyId, 'all', phoneNumber(7));
  for (const filter of [
    {},
    { assigneeId: agentId },
    { contactId: contact!.id },
    { kind: 'callback' as const },
    { calls: phoneNumber(7) },
    { dueFrom: at },
    { dueUntil: after(2) },
  ]) {
    for (const sort of taskSorts) {
      expect(
        (await tasks.list(companyId, all, { state: 'open', ...filter }, sort, { cursor: null, limit: 5 })).items,
      ).toHaveLength(1);
    }
    expect(await tasks.count(companyId, all, { state: 'open', ...filter }, 5)).toBe(1);
  }
  expect(await tasks.count(companyId, all, { state: 'open', assigneeId: null }, 5)).toBe(0);
  // Due again, as changed; then held, told, and seen to.
  expect(await tasks.nextDue()).toEqual(at);
  const until = after(60);
  expect(await tasks.lease(after(0), until, 5)).toEqual([]);
  expect(await tasks.lease(after(2), until, 5)).toEqual([{ companyId, id: task.id, leasedUntil: until }]);
  expect(await tasks.lease(after(2), until, 5)).toEqual([]);
  const held = { companyId, id: task.id, leasedUntil: until };
  expect(await tasks.fire({ ...held, leasedUntil: after(59) }, after(2))).toBe('changed');
  expect(await tasks.fire(held, after(2))).toBe('fired');
  expect(await tasks.fire(held, after(2))).toBe('fired_before');
  await tasks.reminded(held);
  expect(await tasks.nextDue()).toBeNull();
  const skips = [
    { at: at.toISOString(), by: { id: agentId, name: 'Ada' }, code: 'not_now', label: 'Not now', notes: null },
  ];
  expect(
    await tasks.update(
      { ...task, skips, version: 3 },
      { contactId: contact!.id, entryId: newId(), by: agentId, text: 'Not now' },
    ),
  ).toBe('written');
  expect(await tasks.find(companyId, all, task.id)).toMatchObject({ skips });
  expect(
    (await contacts.activities(companyId, 'all', contact!.id, null, { cursor: null, limit: 1 }))?.items,
  ).toMatchObject([{ kind: 'dial_skipped', text: 'Not now', by: agentId }]);
}
