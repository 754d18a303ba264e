import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import { contactObject } from '../../../../src/contract/callRules.ts';
import { JsonText } from '../../../../src/contract/jsonText.ts';
import { pushed } from '../../../../src/domain/screenPop.ts';
import {
  toId,
  type AgentId,
  type CallId,
  type CompanyId,
  type ContactId,
  type ImportId,
  type OrganisationId,
} from '../../../../src/domain/ids.ts';
import { behindAll, type Import, type JudgedRow, noCounts } from '../../../../src/domain/imports.ts';
import { emptyContact } from '../../../../src/usecases/contacts/readContent.ts';
import { after, newCall, phoneNumber, type MadeCompany, type Stores } from '../openStores.ts';

// Each function here calls every method of some stores for one company, beside a stranger: the stores of imports,
// and what erases a person.

function newImport(companyId: CompanyId, agentId: AgentId): Import {
  const at = after(1);
  return {
    companyId,
    id: toId<ImportId>(newId()),
    state: 'uploading',
    source: 'file',
    fileName: 'a.csv',
    agentId,
    delimiter: ',',
    encoding: 'utf-8',
    samples: null,
    hasHeader: false,
    firstRowNumber: 1,
    firstRow: ['a'],
    mapping: [],
    defaultCountry: null,
    rowCount: 0,
    position: 0,
    pass: 1,
    counts: noCounts,
    version: 1,
    failures: 0,
    createdAt: at,
    updatedAt: at,
    finishedAt: null,
  };
}

export async function driveErasure(
  { audit, calls, contacts, imports }: Stores,
  company: MadeCompany,
  stranger: MadeCompany,
): Promise<void> {
  const { companyId, agentId } = company;
  const at = after(1);
  const phone = phoneNumber(77);
  const whose = {
    ...emptyContact,
    name: 'Grace',
    phones: [{ phone, label: null, isPrimary: false }],
    emails: [{ email: 'erased@example.com', label: null, isPrimary: false }],
    externalId: '=C-77',
  };
  const erased = { ...whose, companyId, id: toId<ContactId>(newId()), version: 1, createdAt: at, updatedAt: at };
  const others = { ...erased, companyId: stranger.companyId, id: toId<ContactId>(newId()) };
  for (const each of [erased, others]) {
    expect(await contacts.create(each, { id: newId(), at, kind: 'created', by: null, text: null, edits: [] })).toEqual({
      kind: 'written',
    });
  }
  const one = {
    ...newImport(companyId, agentId),
    mapping: [{ column: 1, field: 'external_id', mode: 'fill' as const }],
  };
  expect(await imports.create(one, 9)).toBe(true);
  const rows = [[phone], ['Grace', " '=C-77 "], ['Grace', "'=C-77 "], ['=C-77', 'Ada'], [erased.id, '']];
  expect(
    await imports.addRows(
      companyId,
      one.id,
      rows.map((cells, index) => ({ row: index + 1, cells })),
    ),
  ).toBe(true);
  const erasure = { id: newId(), hashOf: (of: CompanyId, key: string) => `${of} ${key}`, by: agentId, at, events: [] };
  const hash = erasure.hashOf(companyId, phone);
  expect(await contacts.erase({ ...erased, version: 2 }, erasure)).toBe('not_written');
  expect(await contacts.erasedAmong(companyId, [hash])).toEqual([]);
  expect(await contacts.erase(erased, erasure)).toMatchObject({
    counts: { calls: 0, import_rows: 3, timeline_entries: 1 },
    remembered: { phones: 1, emails: 1, externalIds: 1 },
  });
  const batchOf = async (more: { rows?: number; characters?: number }) =>
    (await imports.batch(companyId, one.id, 0, { rows: 9, characters: 1_000, ...more })).map(({ row }) => row);
  expect(await Promise.all([batchOf({}), batchOf({ rows: 2 }), batchOf({ characters: 1 })])).toEqual([
    [1, 2, 3, 4, 5],
    [1, 2],
    [1],
  ]);
  expect(await imports.batch(stranger.companyId, one.id, 0, { rows: 9, characters: 1_000 })).toEqual([]);
  expect(
    (await imports.rows(companyId, one.id, 0, 9)).map(({ row, cells }) => (cells.length === 0 ? null : row)),
  ).toEqual([null, 2, null, 4, null]);
  expect(await contacts.find(companyId, 'all', erased.id)).toBeNull();
  expect((await imports.find(companyId, one.id))?.firstRow).toEqual(['']);
  expect(await contacts.find(stranger.companyId, 'all', others.id)).toMatchObject({ name: 'Grace' });
  expect(await contacts.erasedAmong(companyId, [hash, 'another'])).toEqual([hash]);
  expect(await contacts.erasedAmong(stranger.companyId, [hash])).toEqual([]);
  // A batch whose rows were read before.
  expect(await imports.update({ ...one, state: 'running', rowCount: 1, version: 2 }, at)).toBe(true);
  const holder = newId();
  expect(await imports.lease(holder, after(2), after(3))).toMatchObject({ id: one.id });
  const made: JudgedRow = {
    row: 1,
    sameAs: null,
    name: 'grace',
    outcome: 'created',
    reason: null,
    remarks: [],
    contactId: erased.id,
    before: null,
    after: whose,
    keys: [],
    externalId: null,
  };
  const batch = {
    import: { ...one, state: 'running' as const, position: 1 },
    holder,
    from: 0,
    rows: [made],
    writes: true,
    organisations: [],
    judgedBy: { contacts: [], from: newId() },
    at,
    leaseUntil: after(3),
    newId,
  };
  expect(await imports.write({ ...batch, hashes: ['another', hash] })).toBe('conflict');
  expect(await contacts.find(companyId, 'all', erased.id)).toBeNull();
  const any = { kind: undefined, since: undefined, until: undefined };
  const page = { cursor: null, limit: 5 };
  expect((await audit.list(companyId, { ...any, kind: 'contact_erased', since: at }, page)).items).toMatchObject([
    { contactId: erased.id, by: agentId, counts: { import_rows: 3 } },
  ]);
  expect((await audit.list(companyId, { ...any, until: at }, page)).items).toEqual([]);
  expect((await audit.list(companyId, { ...any, kind: 'contact_merged' }, page)).items).not.toEqual([]);
  expect((await audit.list(stranger.companyId, any, page)).items).toEqual([]);
  // Two who share a number, and a call that offered both.
  const couple = ['Ada', 'Bob'].map((name) => ({
    ...emptyContact,
    name,
    phones: whose.phones,
    companyId,
    id: toId<ContactId>(newId()),
    version: 1,
    createdAt: at,
    updatedAt: at,
  }));
  for (const each of couple) {
    expect(await contacts.create(each, { id: newId(), at, kind: 'created', by: null, text: null, edits: [] })).toEqual({
      kind: 'written',
    });
  }
  const [ada, bob] = [couple[0]!, couple[1]!];
  const candidates = couple.map(({ id, name }) => ({
    object: contactObject,
    id,
    name,
    email: null,
    account_number: null,
    vip_tier: null,
    record_url: null,
  }));
  const call = newCall(company, { phone, state: 'ended', endedAt: at, screenPop: { name: 'Ada', candidates } });
  expect(await calls.create(call, [])).toBe('created');
  expect(await contacts.erase(ada, { ...erasure, id: newId() })).toMatchObject({
    counts: { calls: 0 },
    remembered: { phones: 0 },
  });
  expect(await calls.find(companyId, call.id)).toMatchObject({
    value: { phone, screenPop: { name: 'Ada', candidates: [{ id: bob.id }] }, version: call.version + 1 },
  });
  expect(await contacts.erasedAmong(companyId, [`${companyId} n:${phone} ada`, `${companyId} n:${phone} bob`])).toEqual(
    [`${companyId} n:${phone} ada`],
  );
  const callId = toId<CallId>(newId());
  await audit.addListening(companyId, { id: newId(), callId, agentId, mode: 'whisper', by: agentId, at: after(2) });
  // Another company's agent of that id has no name here.
  await audit.addListening(stranger.companyId, {
    id: newId(),
    callId,
    agentId,
    mode: 'barge',
    by: agentId,
    at: after(2),
  });
  expect((await audit.list(companyId, { ...any, kind: 'call_listened' }, page)).items).toMatchObject([
    {
      callId,
      agentId,
      by: agentId,
      mode: 'whisper',
      contactId: null,
      name: expect.any(String),
      agentName: expect.any(String),
    },
  ]);
  expect((await audit.list(stranger.companyId, any, page)).items).toMatchObject([
    { callId, mode: 'barge', name: null, agentName: null },
  ]);
}

export async function driveImports(
  { imports, screenPops, contacts }: Stores,
  { companyId, agentId }: MadeCompany,
): Promise<void> {
  const at = after(1);
  const one = newImport(companyId, agentId);
  const { id } = one;
  expect(await imports.create(one, 1)).toBe(true);
  expect(await imports.create({ ...one, id: toId<ImportId>(newId()) }, 1)).toBe(false);
  expect(
    await imports.addRows(companyId, id, [
      { row: 1, cells: ['Navy'] },
      { row: 2, cells: ['Lost'] },
    ]),
  ).toBe(true);
  expect(await imports.find(companyId, id)).toMatchObject({ rowCount: 2 });
  expect(await imports.update({ ...one, state: 'running', rowCount: 2, version: 2 }, at)).toBe(true);
  expect((await imports.list(companyId, { cursor: null, limit: 5 })).items).toHaveLength(1);
  const holder = newId();
  expect(await imports.lease(holder, after(2), after(3))).toMatchObject({ id, state: 'running', position: 0 });
  expect(await imports.lease(newId(), after(2), after(3))).toBeNull();
  expect(await imports.organisationsNamed(companyId, ['NAVY'])).toHaveLength(1);
  expect(
    await imports.known(companyId, {
      ids: [newId()],
      externalIds: ['none'],
      phones: [{ phone: phoneNumber(8), name: null }],
      emails: ['none@example.com'],
    }),
  ).toEqual([]);
  const contactId = toId<ContactId>(newId());
  const organisation = { id: toId<OrganisationId>(newId()), name: 'Made' };
  const content = {
    ...emptyContact,
    name: 'Imported',
    organisation,
    phones: [{ phone: phoneNumber(8), label: null, isPrimary: false }],
    emails: [{ email: 'i@example.com', label: null, isPrimary: false }],
  };
  const judged: JudgedRow = {
    row: 1,
    sameAs: null,
    name: 'imported',
    outcome: 'created',
    reason: null,
    remarks: [],
    contactId,
    before: null,
    after: content,
    keys: [{ key: `c:${contactId}`, also: '' }],
    externalId: null,
  };
  const batch = {
    import: { ...one, state: 'running' as const, position: 1 },
    holder,
    from: 0,
    rows: [judged],
    writes: true,
    organisations: [organisation],
    hashes: ['none'],
    judgedBy: { contacts: [], from: newId() },
    at,
    leaseUntil: after(3),
    newId,
  };
  expect(await imports.write(batch)).toBe('written');
  expect(await imports.write(batch)).toBe('lost');
  const before = await contacts.find(companyId, 'all', contactId);
  // A row of the same customer: the one that wrote the contact first counts for it.
  const again: JudgedRow = {
    ...judged,
    row: 2,
    sameAs: 1,
    outcome: 'updated',
    remarks: [{ message: 'is no language', column: 1, code: 'not_a_language' }],
    before,
    after: { ...content, tier: 'gold' },
  };
  expect(
    await imports.write({
      ...batch,
      import: { ...batch.import, position: 2 },
      from: 1,
      rows: [again],
      organisations: [],
    }),
  ).toBe('written');
  expect(await imports.customers(companyId, id, 1, [`c:${contactId}`])).toMatchObject([{ row: 1, name: 'imported' }]);
  expect(await imports.reached(companyId, id, [1])).toMatchObject([{ row: 1, id: contactId, tier: 'gold' }]);
  expect(
    await imports.known(companyId, {
      ids: [],
      externalIds: [],
      phones: [{ phone: phoneNumber(8), name: 'Imported' }],
      emails: [],
    }),
  ).toMatchObject([{ id: contactId }]);
  expect(await imports.rows(companyId, id, 0, 5)).toHaveLength(2);
  expect(await imports.rows(companyId, id, 0, 5, 'updated')).toMatchObject([{ row: 2, contactId }]);
  expect(await imports.rows(companyId, id, 0, 5, 'with_remarks')).toMatchObject([
    { row: 2, remarks: [{ code: 'not_a_language' }] },
  ]);
  await imports.release(holder, after(2));
  expect(await imports.cancel(companyId, id, at)).toMatchObject({ state: 'canceled', position: 2 });
  expect(await imports.update({ ...one, state: 'undoing', rowCount: 2, version: 4 }, at)).toBe(true);
  expect(await imports.lease(holder, after(2), after(3))).toMatchObject({ state: 'undoing' });
  const wrote = await imports.written(companyId, id, 0, 5);
  expect(wrote).toMatchObject([{ row: 1, before: null, version: 2 }]);
  const undoing = { import: { ...one, state: 'undoing' as const }, holder, at, leaseUntil: after(3), newId };
  expect(
    await imports.undo({ ...undoing, import: { ...undoing.import, position: behindAll }, from: 0, rows: wrote }),
  ).toBe('written');
  expect(await imports.find(companyId, id)).toMatchObject({ counts: { undone: 2, left: 0 } });
  expect(await imports.rows(companyId, id, 0, 5, 'undone')).toHaveLength(2);
  expect(await contacts.find(companyId, 'all', contactId)).toBeNull();
  expect(await imports.widest(companyId)).toEqual({ phones: 1, emails: 1 });
  expect(await imports.failuresOf(companyId, id)).toBe(0);
  await imports.fail(companyId, id, holder, null, at);
  await screenPops.upsert(companyId, {
    phone: phoneNumber(9),
    data: new JsonText('{"name":"Pushed"}'),
    externalSystem: null,
    externalId: null,
    tier: null,
    ...pushed,
  });
  const cached = toId<ImportId>(newId());
  expect(await imports.create({ ...one, id: cached }, 5)).toBe(true);
  expect(await imports.addPushed(companyId, cached, 5)).toBeGreaterThan(0);
  const over = { ...one, id: cached, state: 'running' as const, version: 2 };
  expect(await imports.update(over, at)).toBe(true);
  const other = newId();
  expect(await imports.lease(other, after(2), after(3))).toMatchObject({ id: cached });
  expect(
    await imports.write({
      ...batch,
      import: { ...over, position: behindAll },
      holder: other,
      rows: [],
      organisations: [],
    }),
  ).toBe('written');
  expect(await imports.remove(companyId, cached)).toBe(true);
  expect(await imports.remove(companyId, id)).toBe(true);
  expect(await imports.prune(after(-100), after(-100), 5)).toBe(0);
}
