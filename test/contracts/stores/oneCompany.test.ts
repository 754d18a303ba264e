import { readdirSync } from 'node:fs';
import type { PoolClient, QueryConfig } from 'pg';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/contract/jsonText.ts';
import type { Statement } from '../../../src/adapters/postgres/queries.ts';
import { contactSorts } from '../../../src/contract/contacts.ts';
import { ok } from '../../../src/domain/outcome.ts';
import { pushed } from '../../../src/domain/screenPop.ts';
import { toId, type AgentId, type CallId, type CompanyId, type ContactId, type DeliveryId, type DealId, type ImportId, type NodeId, type OrganisationId, type PipelineId, type StageId, type TaskId, type TeamId } from '../../../src/domain/ids.ts';
import { behindAll, type Import, type JudgedRow, noCounts } from '../../../src/domain/imports.ts';
import type { Contact } from '../../../src/domain/contacts.ts';
import { emptyContact } from '../../../src/usecases/contacts/readContent.ts';
import type { Deal, Pipeline, Stage } from '../../../src/domain/deals.ts';
import type { Task } from '../../../src/domain/tasks.ts';
import type { Team } from '../../../src/ports/teams.ts';
import { partOf } from './spreadTables.ts';
import { after, eventOf, makeCompany, newAgent, newCall, openStores, phoneNumber, start, type MadeCompany, type Stores } from './openStores.ts';
import { delivered, url } from './outboxRoom.ts';

/** Statements that look at all companies, and why they may. docs/scaling.md has the same list. */
const overAllCompanies: Record<string, string> = {
  // Before it is known which company a request is of, or after its own was found to have no such id.
  find_logins_by_email: 'a log-in that gives no company',
  find_logins_by_code: 'a log-in that gives no company',
  find_api_key: 'the key tells the company',
  find_inbound_address: 'the token in the address tells the company',
  find_cti_address: 'the token in the address tells the company',
  find_silent_calls: 'for the reaper, which ends the calls of all companies',
  platform_agents_at_work: 'at start, for all companies',
  lease_listening: 'a gateway takes connections at which nobody listens',
  release_listening: 'a gateway that ends gives back what it holds',
  find_agent_elsewhere: 'tells an id of another company (403) from an unknown one (404)',
  find_call_elsewhere: 'likewise',
  find_delivery_elsewhere: 'likewise',
  // What gateways do of themselves, for all companies.
  lease_deliveries: 'the dispatcher takes what is due, fairly',
  renew_leases: 'the dispatcher keeps what it holds',
  release_some: 'the dispatcher gives back what it did not send',
  release_held: 'a gateway that ends, or has died, gives back what it holds',
  release_held_by_others: 'an embedded gateway that starts takes over',
  settle_deliveries: 'attempts that end together are written down together',
  find_stopped_companies: 'finds whose deliveries nobody will send; each is then given up by its own statement',
  measure_backlog: 'metrics',
  list_active_calls: 'finds calls that nobody is on any more',
  find_active_calls_of: 'brings back what Redis has lost',
  add_state_changes: 'timelines are written some seconds later, together',
  add_clicks: 'clicks are counted some seconds later, together',
  end_states: 'an embedded gateway that starts or ends',
  lease_call_logs: 'the dispatcher takes the calls that CRM systems are to log, fairly',
  renew_call_logs: 'the dispatcher keeps what it holds',
  release_some_call_logs: 'the dispatcher gives back what it did not send',
  release_held_call_logs: 'a gateway that ends, or has died, gives back what it holds',
  release_call_logs_of_others: 'an embedded gateway that starts takes over',
  lease_import: 'the importer takes what has waited longest',
  release_imports: 'a gateway that ends gives back what it holds',
  lease_notices: 'the reader takes the records that CRM systems told of, fairly',
  release_all_notices: 'an embedded gateway that starts takes over',
  measure_notices: 'metrics',
  find_company_to_compare: 'whose contacts are to be compared next; they are by statements of that company',
  lease_reminders: 'whichever gateway announces the tasks that are due',
  find_next_reminder: 'when to look for them next',
  prune_deliveries: 'forgets what is old',
  prune_notices: 'likewise, of what could not be read',
  prune_call_logs: 'likewise',
  prune_screen_pops: 'likewise, of what was looked up',
  prune_idempotency: 'likewise',
  prune_decided_calls: 'likewise',
  prune_state_changes: 'likewise',
  prune_clicks: 'likewise',
  prune_imports: 'likewise',
};

const folder = new URL('../../../src/adapters/postgres/', import.meta.url);

describe('the statements, over tables that are spread by company', () => {
  let stores: Stores;
  let sent: QueryConfig[];
  let driven: Set<string>;
  let statements: Statement[];

  beforeAll(async () => {
    // A folder per resource; what Prisma generates and what starts a server hold no statements of ours.
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /^(?!generated|embedded).*\.ts$/.test(file));
    const modules = await Promise.all(files.map((file) => import(new URL(file, folder).pathname)));
    statements = modules.flatMap((exported) => Object.values(exported as object)).filter(isStatement);
    stores = await openStores({ spread: true });
    sent = [];
    stores.pool.on('connect', (client) => listen(client, sent));
    driven = new Set();
    await driveAll(watched(stores, driven));
  }, 60_000);
  afterAll(() => stores.close());

  it('were all sent: every method of every store was called', () => {
    expect([...driven].toSorted()).toEqual(methodsOf(stores).toSorted());
    // A statement that is planned each time is sent without its name.
    const known = new Set(sent.flatMap(({ name, text }) => [name, text]));
    expect(statements.filter(({ name, text }) => !known.has(name) && !known.has(text)).map(({ name }) => name)).toEqual([]);
  });

  it('read one company each, but for those that have a reason not to', async () => {
    const several: string[] = [];
    const seen = new Set<string>();
    for (const { name, text, values = [] } of sent) {
      if (seen.has(text) || (name !== undefined && name in overAllCompanies)) continue;
      seen.add(text);
      const parts = await partsRead(stores, text, values);
      if (parts.size > 1) several.push(name ?? text);
    }
    expect(several).toEqual([]);
    // Prisma's are among them.
    expect([...seen].filter((text) => text.includes('"public"."')).length).toBeGreaterThan(15);
  });

  it('have no reason that none of them needs', async () => {
    const needed = new Set<string>();
    for (const { name, text, values = [] } of sent) {
      if (name !== undefined && name in overAllCompanies && (await partsRead(stores, text, values)).size > 1) needed.add(name);
    }
    // Written by arrays of rows, each with its company: no plan shows where they go.
    for (const name of ['add_clicks']) needed.add(name);
    expect([...needed].toSorted()).toEqual(Object.keys(overAllCompanies).toSorted());
  });

  it('name the company of every row that they change, those over all companies too', () => {
    const unnamed = statements.flatMap(({ name, text }) => changesOf(text).filter((change) => !namesCompany(change)).map(() => name));
    expect(unnamed).toEqual([]);
    expect(changesOf('WITH a AS (UPDATE call c SET n = 1 WHERE c.id = $1) SELECT 1').map(namesCompany)).toEqual([false]);
  });
});

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'name' in value && 'text' in value;
}

/** Keeps what a connection is told. */
function listen(client: PoolClient, sent: QueryConfig[]): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => {
    const [config, values] = given;
    const { name, text, values: own } = (typeof config === 'string' ? { text: config, values } : config) as QueryConfig;
    if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|\()/i.test(text)) sent.push({ ...(name === undefined ? {} : { name }), text, values: own ?? [] });
    return query(...given);
  }) as typeof client.query;
}

type PlanNode = { 'Relation Name'?: string; Plans?: PlanNode[] };

/** Which parts of tables PostgreSQL would look at for the statement. */
async function partsRead({ pool }: Stores, text: string, values: unknown[]): Promise<Set<number>> {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error('there is no plan');
  const read = nodesOf(plan).map((node) => partOf(node['Relation Name'] ?? ''));
  return new Set(read.filter((part) => part !== null));
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Each UPDATE and DELETE of a statement, to its end, with the alias of what it changes. */
function changesOf(text: string): { alias: string; change: string }[] {
  return [...text.matchAll(/\b(?:UPDATE|DELETE FROM) (\w+)(?: (?!SET\b)(\w+))? (?:SET|USING|WHERE)\b/g)].map((found) => {
    const rest = text.slice(found.index);
    return { alias: found[2] ?? '', change: rest.slice(0, endOf(rest)) };
  });
}

/** Where the parenthesis that a change stands in is closed. */
function endOf(text: string): number {
  let depth = 0;
  for (const [at, character] of [...text].entries()) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth < 0) return at;
  }
  return text.length;
}

function namesCompany({ alias, change }: { alias: string; change: string }): boolean {
  return new RegExp(`(?:WHERE|AND) ${alias === '' ? '' : `${alias}\\.`}company_id = `).test(change);
}

const portNames = [
  'agents', 'companies', 'integrations', 'screenPops', 'calls', 'idempotency', 'outbox', 'telephony', 'agentHistory', 'clickTallies', 'crmInbound', 'ctiConnections', 'platformAgents',
  'callLog', 'crmConnections', 'crmTokens', 'crmLogins', 'crmNotices', 'contacts', 'contactSearch', 'audit', 'duplicates', 'organisations', 'imports', 'tasks', 'deals', 'pipelines', 'teams', 'reports',
] as const;

function methodsOf(stores: Stores): string[] {
  return portNames.flatMap((port) => Object.keys(stores[port]).map((method) => `${port}.${method}`));
}

/** The stores, which note what is called. */
function watched(stores: Stores, driven: Set<string>): Stores {
  const noting = portNames.map((port) => [
    port,
    new Proxy(stores[port], {
      get(store, method) {
        driven.add(`${port}.${String(method)}`);
        return Reflect.get(store, method);
      },
    }),
  ]);
  return { ...stores, ...Object.fromEntries(noting) };
}

/** A company whose rows lie in another part than those of the first. */
async function makeStranger(stores: Stores, { companyId }: MadeCompany): Promise<MadeCompany> {
  const partOfCompany = async (id: string) => {
    const { rows } = await stores.pool.query('SELECT tableoid::regclass::text AS part FROM integration WHERE company_id = $1', [id]);
    return rows[0]?.part;
  };
  for (;;) {
    const made = await makeCompany(stores, url);
    if ((await partOfCompany(made.companyId)) !== (await partOfCompany(companyId))) return made;
  }
}

/** Calls every method of every store, of one company beside another. */
async function driveAll(stores: Stores): Promise<void> {
  const company = await makeCompany(stores, url);
  const stranger = await makeStranger(stores, company);
  await driveAgents(stores, company, stranger);
  await driveTeams(stores, company, stranger);
  await driveSettings(stores, company);
  await driveCrm(stores, company, stranger);
  await driveCalls(stores, company, stranger);
  await driveCallLog(stores, company, stranger);
  await driveWebhooks(stores, company, stranger);
  await drivePlatforms(stores, company, stranger);
  await driveLive(stores, company, stranger);
  await driveReports(stores, company, stranger);
  await driveContacts(stores, company, stranger);
  await driveDuplicates(stores, company, stranger);
  await driveTasks(stores, company, stranger);
  await driveImports(stores, company);
  await driveDeals(stores, company, stranger);
  await driveErasure(stores, company, stranger);
}

async function driveTeams({ teams }: Stores, { companyId, agentId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  const at = after(1);
  const team: Team = { companyId, id: toId<TeamId>(newId()), code: 'Sales', name: 'Sales', agentIds: [agentId], version: 1, createdAt: at, updatedAt: at };
  const another = () => ({ ...team, id: toId<TeamId>(newId()), code: 'other' });
  expect(await teams.create(team, 2)).toBe('created');
  expect(await teams.create({ ...another(), code: ' SALES ' }, 2)).toEqual({ kind: 'taken' });
  expect(await teams.create({ ...another(), agentIds: [agentId, stranger.agentId] }, 2)).toEqual({ kind: 'unknown_agent', place: 1 });
  expect(await teams.create(another(), 1)).toBe('too_many');
  expect(await teams.list(companyId)).toEqual([team]);
  expect(await teams.find(companyId, team.id)).toEqual(team);
  expect(await teams.find(stranger.companyId, team.id)).toBeNull();
  expect(await teams.membersOf(companyId, ' sALES')).toEqual([agentId]);
  expect(await teams.membersOf(stranger.companyId, 'sales')).toBeNull();
  expect(await teams.update({ ...team, version: 2, agentIds: [stranger.agentId] }, true)).toEqual({ kind: 'unknown_agent', place: 0 });
  expect(await teams.update({ ...team, version: 2, name: 'Nobody', agentIds: [] }, true)).toBe('updated');
  expect(await teams.update({ ...team, version: 2 }, true)).toBe('not_updated');
  expect(await teams.membersOf(companyId, 'sales')).toEqual([]);
  expect(await teams.remove(stranger.companyId, team.id)).toBe(false);
  expect(await teams.remove(companyId, team.id)).toBe(true);
}

async function driveAgents({ agents }: Stores, { companyId, agentId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  const second = newAgent('Second', { email: 'second@example.com', sipUser: 's', sipSecretEncrypted: 'sealed' });
  expect(await agents.create(companyId, second)).toMatchObject({ kind: 'created' });
  expect(await agents.create(companyId, newAgent('second '))).toEqual({ kind: 'taken', field: 'agent_code' });
  expect(await agents.create(companyId, newAgent('third', { email: 'Second@example.com' }))).toEqual({ kind: 'taken', field: 'email' });
  expect(await agents.create(stranger.companyId, { ...second, id: toId<AgentId>(newId()) })).toMatchObject({ kind: 'created' });
  expect(await agents.update(companyId, second.id, { name: 'Ada' })).toMatchObject({ value: { name: 'Ada' } });
  expect(await agents.update(companyId, stranger.agentId, { name: 'Ada' })).toEqual({ kind: 'wrong_company' });
  expect(await agents.replacePassword(companyId, agentId, 1, 'another hash')).toMatchObject({ tokenVersion: 2 });
  expect(await agents.find(companyId, agentId)).toMatchObject({ kind: 'found' });
  expect(await agents.find(companyId, toId<AgentId>(newId()))).toEqual({ kind: 'unknown' });
  expect(await agents.cards(companyId, [agentId, stranger.agentId])).toHaveLength(1);
  expect((await agents.search(companyId, [], 50)).map(({ id }) => id)).toEqual(expect.arrayContaining([agentId, second.id]));
  expect(await agents.search(companyId, ['% second %'], 50)).toMatchObject([{ id: second.id }]);
  expect((await agents.search(companyId, [], 50)).map(({ id }) => id)).not.toContain(stranger.agentId);
  expect(await agents.findByCode(companyId, 'SECOND')).toMatchObject({ id: second.id });
  expect(await agents.findSipAccount(companyId, second.id)).toMatchObject({ user: 's' });
  const page = await agents.list(companyId, { cursor: null, limit: 1 });
  expect((await agents.list(companyId, { cursor: page.nextCursor, limit: 5 })).items).toHaveLength(1);
  const companySlug = `company-${companyId}`;
  for (const login of [{ agentCode: 'second' }, { email: 'second@example.com' }]) {
    expect(await agents.findForLogin(login)).toHaveLength(2);
    expect(await agents.findForLogin({ ...login, companySlug })).toMatchObject([{ agent: { id: second.id }, companySlug }]);
  }
}

function newImport(companyId: CompanyId, agentId: AgentId): Import {
  const at = after(1);
  return {
    companyId, id: toId<ImportId>(newId()), state: 'uploading', source: 'file', fileName: 'a.csv', agentId, delimiter: ',', encoding: 'utf-8', hasHeader: false, firstRow: ['a'], mapping: [],
    defaultCountry: null, rowCount: 0, position: 0, pass: 1, counts: noCounts, version: 1, createdAt: at, updatedAt: at, finishedAt: null,
  };
}

async function driveErasure({ audit, contacts, imports }: Stores, { companyId, agentId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  const at = after(1);
  const phone = phoneNumber(77);
  const whose = { ...emptyContact, name: 'Grace', phones: [{ phone, label: null, isPrimary: false }], emails: [{ email: 'erased@example.com', label: null, isPrimary: false }] };
  const erased = { ...whose, companyId, id: toId<ContactId>(newId()), version: 1, createdAt: at, updatedAt: at };
  const others = { ...erased, companyId: stranger.companyId, id: toId<ContactId>(newId()) };
  for (const each of [erased, others]) expect(await contacts.create(each, { id: newId(), at, kind: 'created', by: null, text: null, edits: [] })).toEqual({ kind: 'written' });
  const one = newImport(companyId, agentId);
  expect(await imports.create(one, 9)).toBe(true);
  expect(await imports.addRows(companyId, one.id, [{ row: 1, cells: [phone] }])).toBe(true);
  const erasure = { id: newId(), hashes: ['a hash'], by: agentId, at, events: [] };
  expect(await contacts.erase({ ...erased, version: 2 }, erasure)).toBe('not_written');
  expect(await contacts.erasedAmong(companyId, ['a hash'])).toEqual([]);
  expect(await contacts.erase(erased, erasure)).toMatchObject({ calls: 0, import_rows: 1, timeline_entries: 1 });
  expect(await contacts.find(companyId, 'all', erased.id)).toBeNull();
  expect((await imports.find(companyId, one.id))?.firstRow).toEqual(['']);
  expect(await contacts.find(stranger.companyId, 'all', others.id)).toMatchObject({ name: 'Grace' });
  expect(await contacts.erasedAmong(companyId, ['a hash', 'another'])).toEqual(['a hash']);
  expect(await contacts.erasedAmong(stranger.companyId, ['a hash'])).toEqual([]);
  // A batch whose rows were read before.
  expect(await imports.update({ ...one, state: 'running', rowCount: 1, version: 2 }, at)).toBe(true);
  const claimId = newId();
  expect(await imports.lease(claimId, after(2), after(3))).toMatchObject({ id: one.id });
  const made: JudgedRow = { row: 1, outcome: 'created', reason: null, contactId: erased.id, before: null, after: whose, keys: [], externalId: null };
  const batch = { import: { ...one, state: 'running' as const, position: 1 }, claimId, from: 0, rows: [made], writes: true, organisations: [], at, leaseUntil: after(3), newId };
  expect(await imports.write({ ...batch, hashes: ['another', 'a hash'] })).toBe('conflict');
  expect(await contacts.find(companyId, 'all', erased.id)).toBeNull();
  const any = { kind: undefined, since: undefined, until: undefined };
  const page = { cursor: null, limit: 5 };
  expect((await audit.list(companyId, { ...any, kind: 'contact_erased', since: at }, page)).items).toMatchObject([{ contactId: erased.id, by: agentId, counts: { import_rows: 1 } }]);
  expect((await audit.list(companyId, { ...any, until: at }, page)).items).toEqual([]);
  expect((await audit.list(companyId, { ...any, kind: 'contact_merged' }, page)).items).not.toEqual([]);
  expect((await audit.list(stranger.companyId, any, page)).items).toEqual([]);
}

async function driveImports({ imports, screenPops, contacts }: Stores, { companyId, agentId }: MadeCompany): Promise<void> {
  const at = after(1);
  const one = newImport(companyId, agentId);
  const { id } = one;
  expect(await imports.create(one, 1)).toBe(true);
  expect(await imports.create({ ...one, id: toId<ImportId>(newId()) }, 1)).toBe(false);
  expect(await imports.addRows(companyId, id, [{ row: 1, cells: ['Navy'] }, { row: 2, cells: ['Lost'] }])).toBe(true);
  expect(await imports.find(companyId, id)).toMatchObject({ rowCount: 2 });
  expect(await imports.update({ ...one, state: 'running', rowCount: 2, version: 2 }, at)).toBe(true);
  expect((await imports.list(companyId, { cursor: null, limit: 5 })).items).toHaveLength(1);
  const claimId = newId();
  expect(await imports.lease(claimId, after(2), after(3))).toMatchObject({ id, state: 'running', position: 0 });
  expect(await imports.lease(newId(), after(2), after(3))).toBeNull();
  expect(await imports.organisationsNamed(companyId, ['NAVY'])).toHaveLength(1);
  expect(await imports.known(companyId, { ids: [newId()], externalIds: ['none'], phones: [phoneNumber(8)], emails: ['none@example.com'] })).toEqual([]);
  const contactId = toId<ContactId>(newId());
  const organisation = { id: toId<OrganisationId>(newId()), name: 'Made' };
  const content = { ...emptyContact, name: 'Imported', organisation, phones: [{ phone: phoneNumber(8), label: null, isPrimary: false }], emails: [{ email: 'i@example.com', label: null, isPrimary: false }] };
  const judged: JudgedRow = { row: 1, outcome: 'created', reason: null, contactId, before: null, after: content, keys: [`c:${contactId}`], externalId: null };
  const batch = { import: { ...one, state: 'running' as const, position: 1 }, claimId, from: 0, rows: [judged], writes: true, organisations: [organisation], hashes: ['none'], at, leaseUntil: after(3), newId };
  expect(await imports.write(batch)).toBe('written');
  expect(await imports.write(batch)).toBe('lost');
  const before = await contacts.find(companyId, 'all', contactId);
  const again: JudgedRow = { ...judged, row: 2, outcome: 'updated', before, after: { ...content, tier: 'gold' } };
  expect(await imports.write({ ...batch, import: { ...batch.import, position: 2 }, from: 1, rows: [again], organisations: [] })).toBe('written');
  expect(await imports.claims(companyId, id, 1, [`c:${contactId}`])).toMatchObject([{ row: 1 }]);
  expect(await imports.rows(companyId, id, 0, 5)).toHaveLength(2);
  expect(await imports.rows(companyId, id, 0, 5, 'updated')).toMatchObject([{ row: 2, contactId }]);
  await imports.release(claimId, after(2));
  expect(await imports.cancel(companyId, id, at)).toMatchObject({ state: 'canceled', position: 2 });
  expect(await imports.update({ ...one, state: 'undoing', rowCount: 2, version: 4 }, at)).toBe(true);
  expect(await imports.lease(claimId, after(2), after(3))).toMatchObject({ state: 'undoing' });
  const [first, second] = await imports.written(companyId, id, 0, 5);
  expect([first, second]).toMatchObject([{ row: 1, before: null }, { row: 2, before: { name: 'Imported', tier: null } }]);
  const undoing = { import: { ...one, state: 'undoing' as const }, claimId, at, leaseUntil: after(3), newId };
  expect(await imports.undo({ ...undoing, import: { ...undoing.import, position: 1 }, from: 0, rows: [second!] })).toBe('written');
  expect(await imports.undo({ ...undoing, import: { ...undoing.import, position: behindAll }, from: 1, rows: [{ ...first!, version: 3 }] })).toBe('written');
  expect(await contacts.find(companyId, 'all', contactId)).toBeNull();
  expect(await imports.widest(companyId)).toEqual({ phones: 1, emails: 1 });
  expect(await imports.failuresOf(companyId, id)).toBe(0);
  await imports.fail(companyId, id, claimId, null, at);
  await screenPops.upsert(companyId, { phone: phoneNumber(9), data: new JsonText('{"name":"Pushed"}'), externalSystem: null, externalId: null, tier: null, ...pushed });
  const cached = toId<ImportId>(newId());
  expect(await imports.create({ ...one, id: cached }, 5)).toBe(true);
  expect(await imports.addPushed(companyId, cached, 5)).toBeGreaterThan(0);
  const over = { ...one, id: cached, state: 'running' as const, version: 2 };
  expect(await imports.update(over, at)).toBe(true);
  const other = newId();
  expect(await imports.lease(other, after(2), after(3))).toMatchObject({ id: cached });
  expect(await imports.write({ ...batch, import: { ...over, position: behindAll }, claimId: other, rows: [], organisations: [] })).toBe('written');
  expect(await imports.remove(companyId, cached)).toBe(true);
  expect(await imports.remove(companyId, id)).toBe(true);
  expect(await imports.prune(after(-100), after(-100), 5)).toBe(0);
}

async function driveContacts({ contacts, contactSearch, organisations }: Stores, { companyId, agentId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  const at = after(1);
  const organisation = { companyId, id: toId<OrganisationId>(newId()), name: 'Navy', website: null, notes: null, version: 1, createdAt: at, updatedAt: at };
  await organisations.create(organisation);
  expect(await organisations.find(companyId, organisation.id)).toMatchObject({ name: 'Navy' });
  expect((await organisations.list(companyId, { cursor: null, limit: 5 })).items).toHaveLength(1);
  expect(await organisations.update({ ...organisation, version: 2 })).toBe(true);
  const field = { key: 'plan', label: 'Plan', kind: 'text' as const, choices: null, position: 0, onPop: true };
  expect(await contacts.createField(companyId, field, 5)).toBe('created');
  expect(await contacts.createField(companyId, field, 5)).toBe('taken');
  expect(await contacts.updateField(companyId, 'plan', { label: 'Rate' })).toMatchObject({ label: 'Rate' });
  expect(await contacts.fields(companyId)).toHaveLength(1);
  expect(await contacts.removeField(companyId, 'plan')).toBe(true);
  const phones = [{ phone: phoneNumber(7), label: 'work', isPrimary: true }];
  const emails = [{ email: 'grace@example.com', label: null, isPrimary: false }];
  const made = { companyId, id: toId<ContactId>(newId()), ...emptyContact, name: 'Grace', owner: { id: agentId, name: '' }, organisation, phones, emails, externalId: 'C-1', tags: ['a'], version: 1, createdAt: at, updatedAt: at };
  const entry = (kind: 'created' | 'edited' | 'note') => ({ id: newId(), at, kind, by: agentId, text: null, edits: [] });
  expect(await contacts.create(made, entry('created'))).toEqual({ kind: 'written' });
  const second = { ...made, id: toId<ContactId>(newId()) };
  expect(await contacts.create({ ...second, externalId: null }, entry('created'))).toEqual({ kind: 'taken', field: 'phones', value: phoneNumber(7), contactId: made.id });
  expect(await contacts.create({ ...second, phones: [] }, entry('created'))).toEqual({ kind: 'taken', field: 'external_id', value: 'C-1', contactId: made.id });
  const nobody = { id: stranger.agentId, name: '' };
  expect(await contacts.create({ ...second, phones: [], externalId: null, owner: nobody }, entry('created'))).toEqual({ kind: 'unknown', field: 'owner_id' });
  expect(await contacts.update({ ...made, version: 2, phones: [] }, entry('edited'))).toEqual({ kind: 'written' });
  expect(await contacts.update({ ...made, version: 2 }, entry('edited'))).toEqual({ kind: 'not_written' });
  expect(await contacts.update({ ...made, version: 3 }, entry('edited'))).toEqual({ kind: 'written' });
  expect(await contacts.find(companyId, 'all', made.id)).toMatchObject({ owner: { id: agentId }, organisation: { name: 'Navy' }, phones, emails, version: 3 });
  expect(await contacts.find(companyId, { ownerId: stranger.agentId }, made.id)).toBeNull();
  expect(await contacts.find(stranger.companyId, 'all', made.id)).toBeNull();
  expect(await contacts.findByPhone(companyId, phoneNumber(7))).toMatchObject({ id: made.id });
  const filters = [{}, { phone: phoneNumber(7) }, { email: 'grace@example.com' }, { externalId: 'C-1' }, { ownerId: agentId }, { organisationId: organisation.id }, { tag: 'a' }];
  for (const filter of filters) expect((await contacts.list(companyId, 'all', filter, 'created', { cursor: null, limit: 5 }))?.items).toHaveLength(1);
  for (const sort of contactSorts) expect((await contacts.list(companyId, 'all', {}, sort, { cursor: null, limit: 5 }))?.items).toHaveLength(1);
  for (const words of [['gr'], ['race'], ['grcae'], ['race', 'nvay', 'gr'], ['g']]) expect(await contactSearch.byWords(companyId, 'all', words, 5)).toMatchObject([{ contact: { id: made.id } }]);
  expect(await contactSearch.byWords(companyId, { ownerId: stranger.agentId }, ['grace'], 5)).toEqual([]);
  expect(await contactSearch.byNumber(companyId, 'all', { prefixes: ['+1555'], reversedEnd: '7000' }, 5)).toMatchObject([{ contact: { id: made.id } }]);
  for (const words of [['n'], ['avy']]) expect(await contactSearch.organisations(companyId, words, 5)).toEqual([{ id: organisation.id, name: 'Navy' }]);
  expect(await contactSearch.findsParts()).toBe(true);
  const other = { ...made, id: toId<ContactId>(newId()), owner: null, organisation: null, phones: [], externalId: null };
  await contacts.create(other, entry('created'));
  expect(await contacts.merge({ ...made, version: 9 }, other, entry('edited'))).toBe('not_written');
  expect(await contacts.merge({ ...made, version: 4 }, other, entry('edited'))).toBe('written');
  expect(await contacts.find(companyId, 'all', other.id)).toMatchObject({ id: made.id, version: 4 });
  expect(await contacts.find(stranger.companyId, 'all', other.id)).toBeNull();
  expect(await contacts.addNote(companyId, 'all', made.id, { ...entry('note'), text: 'A note' })).toBe(true);
  expect((await contacts.activities(companyId, 'all', made.id, { cursor: null, limit: 10 }))?.items.map(({ kind }) => kind).toSorted()).toEqual(['created', 'created', 'edited', 'edited', 'edited', 'note']);
  expect(await contacts.recentCalls(companyId, made.id, 3)).toEqual([]);
  expect(await contacts.isOnCallWith(companyId, agentId, made.id)).toBe(false);
}

async function driveDeals({ contacts, deals, pipelines }: Stores, { companyId, agentId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  const at = after(1);
  const stage = (name: string): Stage => ({ id: toId<StageId>(newId()), name, outcome: 'open', probability: 10 });
  const pipeline: Pipeline = { companyId, id: toId<PipelineId>(newId()), name: 'Sales', position: 0, stages: [stage('New'), stage('Offer')], version: 1, createdAt: at, updatedAt: at };
  const [first, second] = [pipeline.stages[0]!, pipeline.stages[1]!];
  expect(await pipelines.create(pipeline, 1)).toBe('created');
  expect(await pipelines.create({ ...pipeline, id: toId<PipelineId>(newId()) }, 1)).toBe('too_many');
  expect(await pipelines.find(companyId, pipeline.id)).toEqual(pipeline);
  expect(await pipelines.find(stranger.companyId, pipeline.id)).toBeNull();
  expect(await pipelines.list(companyId)).toEqual([pipeline]);
  expect(await pipelines.findStage(companyId, second.id)).toEqual({ pipelineId: pipeline.id, stage: second });
  expect(await pipelines.findStage(stranger.companyId, second.id)).toBeNull();

  const contact = (await contacts.findByPhone(companyId, phoneNumber(7)))!;
  const deal: Deal = {
    companyId, id: toId<DealId>(newId()), pipelineId: pipeline.id, stage: first, name: 'Licences', value: '12500.5', currency: 'EUR', owner: { id: agentId, name: 'a' }, contactId: contact.id,
    organisation: null, expectedClose: '2026-12-18', version: 1, movedAt: at, createdAt: at, updatedAt: at,
  };
  const made = { move: { id: newId(), at, by: agentId, from: null, to: first }, entryId: newId(), events: [] };
  const again = () => ({ ...deal, id: toId<DealId>(newId()) });
  expect(await deals.create(deal, made)).toBe('written');
  expect(await deals.create({ ...again(), contactId: toId<ContactId>(newId()) }, { ...made, entryId: newId() })).toEqual({ kind: 'unknown', field: 'contact_id' });
  expect(await deals.create({ ...again(), pipelineId: toId<PipelineId>(newId()) }, { ...made, entryId: newId() })).toEqual({ kind: 'unknown', field: 'stage_id' });
  const moved = { ...deal, stage: second, version: 2 };
  const move = { move: { id: newId(), at, by: agentId, from: first, to: second }, entryId: newId(), events: [] };
  expect(await deals.update(moved, move)).toBe('written');
  expect(await deals.update(moved, { ...move, entryId: newId() })).toBe('not_written');
  expect(await deals.find(companyId, 'all', deal.id)).toMatchObject({ value: '12500.5', stage: second, contact: { id: contact.id }, version: 2 });
  expect(await deals.find(companyId, { ownerId: stranger.agentId }, deal.id)).toBeNull();
  expect(await deals.find(stranger.companyId, 'all', deal.id)).toBeNull();
  const filters = [{ pipelineId: pipeline.id }, { stageId: second.id }, { state: 'open' as const }, { ownerId: agentId }, { contactId: contact.id }, { closesFrom: '2026-12-18' }, { closesUntil: '2026-12-18' }];
  for (const filter of filters) expect((await deals.list(companyId, 'all', filter, '-moved', { cursor: null, limit: 5 }))?.items).toHaveLength(1);
  expect((await deals.list(companyId, 'all', { organisationId: toId<OrganisationId>(newId()) }, 'value', { cursor: null, limit: 5 }))?.items).toEqual([]);
  expect((await deals.board(companyId, 'all', pipeline.stages, { pipelineId: pipeline.id }, 5)).get(second.id)?.items).toHaveLength(1);
  expect(await deals.totals(companyId, 'all', { pipelineId: pipeline.id })).toEqual([{ stageId: second.id, count: 1, sums: [{ currency: 'EUR', value: '12500.5' }] }]);
  expect((await deals.moves(companyId, 'all', deal.id, { cursor: null, limit: 5 }))?.items).toMatchObject([{ from: { name: 'New' }, to: { name: 'Offer' } }, { from: null }]);
  expect(await deals.moves(stranger.companyId, 'all', deal.id, { cursor: null, limit: 5 })).toBeNull();

  expect(await pipelines.update({ ...pipeline, stages: [first], version: 2 })).toEqual({ kind: 'has_deals', stageId: second.id, count: 1 });
  expect(await pipelines.update({ ...pipeline, stages: [second, stage('Won')], version: 2 })).toBe('updated');
  expect(await pipelines.update({ ...pipeline, version: 2 })).toBe('not_updated');
  expect(await pipelines.remove(companyId, pipeline.id)).toBe('has_deals');
  expect(await pipelines.remove(stranger.companyId, pipeline.id)).toBe('missing');
}

async function driveDuplicates({ contacts, duplicates }: Stores, { companyId, agentId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  const at = after(1);
  const make = async (name: string): Promise<Contact> => {
    const made = { ...emptyContact, companyId, id: toId<ContactId>(newId()), name, emails: [{ email: 'twice@example.com', label: null, isPrimary: false }], version: 1, createdAt: at, updatedAt: at };
    expect(await contacts.create(made, { id: newId(), at, kind: 'created', by: agentId, text: null, edits: [] })).toEqual({ kind: 'written' });
    return made;
  };
  const [one, other] = [await make('Twice'), await make('Again')];
  expect(await duplicates.isComparing(companyId)).toBe(true);
  expect(await duplicates.nextToCompare(companyId)).not.toBeNull();
  expect(await duplicates.compare(companyId, 500)).toBeGreaterThan(1);
  expect(await duplicates.isComparing(companyId)).toBe(false);
  const [found, ...more] = (await duplicates.list(companyId, { cursor: null, limit: 5 })).items;
  expect([found, more]).toMatchObject([{ score: 50, reasons: ['email'], contacts: [{ id: one.id }, { id: other.id }] }, []]);
  expect((await duplicates.list(stranger.companyId, { cursor: null, limit: 5 })).items).toEqual([]);
  const id = found?.id ?? expect.fail();
  expect(await duplicates.dismiss(stranger.companyId, id, agentId, at)).toBe(false);
  expect(await duplicates.dismiss(companyId, id, agentId, at)).toBe(true);
  expect((await duplicates.list(companyId, { cursor: null, limit: 5 })).items).toEqual([]);
}

async function driveTasks({ contacts, tasks }: Stores, { companyId, agentId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  const at = after(1);
  const task: Task = {
    companyId, id: toId<TaskId>(newId()), kind: 'callback', title: 'Call Grace', notes: null, contactId: null, phone: phoneNumber(7), dueAt: at, timeZone: 'Europe/Berlin',
    assigneeId: agentId, state: 'open', callId: null, firedAt: null, createdBy: agentId, version: 1, createdAt: at, updatedAt: at,
  };
  const all = { agentId: null, contacts: 'all' as const };
  expect(await tasks.create(task)).toBe('written');
  expect(await tasks.create({ ...task, id: toId<TaskId>(newId()), contactId: toId<ContactId>(newId()) })).toBe('unknown');
  expect(await tasks.update({ ...task, version: 2 })).toBe('written');
  expect(await tasks.update({ ...task, version: 2 })).toBe('not_written');
  expect(await tasks.find(companyId, all, task.id)).toMatchObject({ contact: { name: 'Grace' }, version: 2 });
  expect(await tasks.find(companyId, { ...all, agentId: stranger.agentId }, task.id)).toBeNull();
  expect(await tasks.find(stranger.companyId, all, task.id)).toBeNull();
  const contact = await contacts.findByPhone(companyId, phoneNumber(7));
  for (const filter of [{}, { assigneeId: agentId }, { contactId: contact!.id }, { kind: 'callback' as const }, { dueFrom: at }, { dueUntil: after(2) }]) {
    expect((await tasks.list(companyId, all, { state: 'open', ...filter }, { cursor: null, limit: 5 })).items).toHaveLength(1);
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
  await tasks.settle(held);
  expect(await tasks.nextDue()).toBeNull();
  expect(await contacts.doNotCall(companyId, phoneNumber(7), contact!.id)).toBeNull();
}

async function driveSettings({ companies, integrations, telephony, screenPops, idempotency, crmInbound, crmLogins }: Stores, { companyId }: MadeCompany): Promise<void> {
  expect(await companies.find(companyId)).toMatchObject({ id: companyId });
  expect(await companies.update(companyId, { name: 'Acme & Sons' })).toMatchObject({ name: 'Acme & Sons' });
  expect([(await companies.list()).length > 1, await companies.any()]).toEqual([true, true]);
  await integrations.update(companyId, () => ({ apiKey: { hash: 'hash', prefix: 'p' }, webhookMaxInFlight: 4, defaultCountry: 'DE' }));
  expect(await companies.settings(companyId)).toMatchObject({ apiKeyPrefix: 'p' });
  expect(await integrations.find(companyId)).toMatchObject({ apiKeyPrefix: 'p', defaultCountry: 'DE' });
  expect(await integrations.findByApiKeyHash('hash')).toEqual({ companyId, prefix: 'p' });
  for (const mode of ['sip', 'none'] as const) await telephony.save(companyId, () => ok({ mode }));
  expect(await telephony.find(companyId)).toMatchObject({ mode: 'none' });
  const entry = (n: number) => ({
    phone: phoneNumber(n), data: new JsonText('{}'), externalSystem: null, externalId: null, tier: null, ...pushed,
  });
  await screenPops.upsert(companyId, entry(1));
  await screenPops.upsertMany(companyId, [entry(1), entry(2)]);
  await screenPops.keepLookedUp(companyId, entry(3), after(10));
  expect(await screenPops.prune(after(11), 10)).toBe(1);
  expect(await screenPops.find(companyId, phoneNumber(2))).toMatchObject({ phone: phoneNumber(2) });
  const ofCrm = (n: number) => ({ ...entry(n), externalSystem: 'hubspot', externalId: '501', externalObject: 'contact' });
  await screenPops.upsertMany(companyId, [ofCrm(4), ofCrm(5)]);
  expect(await screenPops.forgetRecord(companyId, { externalSystem: 'hubspot', object: 'contact', id: '501' }, [phoneNumber(5)])).toBe(1);
  expect(await crmLogins.save(companyId, { provider: 'hubspot', credentialsEncrypted: 'sealed', settings: { keep_seconds: 5 } })).toMatchObject({ provider: 'hubspot' });
  expect(await crmLogins.find(companyId)).toMatchObject({ settings: { keep_seconds: 5 } });
  await crmLogins.remove(companyId);
  expect(await crmInbound.issue(companyId, 'hubspot', { tokenHash: 'hash of a token', secretEncrypted: null })).toMatchObject({ provider: 'hubspot' });
  expect(await crmInbound.saveSigningSecret(companyId, 'hubspot', 'sealed')).toBe(true);
  await crmInbound.noteReceived(companyId, 'hubspot');
  expect(await crmInbound.findByTokenHash('hash of a token')).toMatchObject({ companyId, signingSecretEncrypted: 'sealed', lastReceivedAt: start });
  expect(await crmInbound.list(companyId)).toHaveLength(1);
  expect([await crmInbound.remove(companyId, 'hubspot'), await crmInbound.remove(companyId, 'hubspot')]).toEqual([true, false]);
  expect([await screenPops.forget(companyId, phoneNumber(2)), await screenPops.forget(companyId, phoneNumber(2))]).toEqual([true, false]);
  expect(await idempotency.begin(companyId, 'left', 'hash', start, after(10))).toEqual({ kind: 'fresh' });
  expect(await idempotency.hold(companyId, { key: 'left', heldUntil: after(10) }, after(20))).toBe(true);
  await idempotency.abandon(companyId, { key: 'left', heldUntil: after(20) });
  expect(await idempotency.begin(companyId, 'old', 'hash', start, after(10))).toEqual({ kind: 'fresh' });
  expect(await idempotency.prune(after(11), 10)).toBe(1);
}

const connection = {
  provider: 'hubspot', credentialsEncrypted: 'sealed', options: {}, facts: {}, account: 'HubSpot 1', keepSeconds: 600, logCalls: 'all' as const, dispositions: {},
};

async function driveCrm({ crmConnections, crmTokens, crmNotices, screenPops }: Stores, { companyId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  await crmConnections.connect(stranger.companyId, connection, null);
  await crmConnections.connect(companyId, connection, null);
  expect(await crmConnections.disconnect(companyId)).toBe(true);
  const made = await crmConnections.connect(companyId, connection, null);
  expect(await crmConnections.find(companyId)).toMatchObject({ provider: 'hubspot', logCalls: 'all' });
  expect(await crmConnections.change(companyId, made, { ...connection, keepSeconds: 60 })).toMatchObject({ keepSeconds: 60 });
  await crmConnections.noteAttention(companyId, made, 'The token has expired.');
  await crmConnections.noteCheck(companyId, made, { account: 'HubSpot 2', facts: {} });
  expect(await crmConnections.changeHealth(companyId, (health) => ({ ...health, consecutiveFailures: 0 }))).toMatchObject({ attention: null });
  const references = ['1', '2', '3'].map((id) => ({ object: 'contact', id }));
  for (const of of [companyId, stranger.companyId]) expect(await crmNotices.add(of, 'hubspot', references)).toEqual(['added', 'added', 'added']);
  const lease = async () => {
    const id = newId();
    const leased = await crmNotices.lease({ id, limit: 10, now: after(1), until: after(60) });
    const own = leased.find((one) => one.companyId === companyId);
    if (own === undefined) throw new Error('a record of each is to be read');
    return { id, own, count: leased.length };
  };
  const first = await lease();
  expect(first.count).toBe(2);
  expect(await crmNotices.stateOf(first.id, first.own)).toBe('waiting');
  await crmNotices.putOff(first.id, first.own, after(1));
  await crmNotices.releaseAll();
  const second = await lease();
  await crmNotices.release(second.id, companyId);
  await crmNotices.releaseAll();
  const third = await lease();
  expect(await crmNotices.finish(third.id, third.own)).toBe(true);
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
async function driveCallLog({ callLog, outbox }: Stores, { companyId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  const [holder, now, leaseUntil] = [newId(), after(1), after(60)];
  const request = { holder, limit: 10, now, leaseUntil, holdings: [{ companyId, held: 0, atMost: 4 }], newcomersAtMost: 4 };
  const leased = await callLog.lease(request);
  const [own, foreign] = [leased.find((one) => one.companyId === companyId), leased.find((one) => one.companyId === stranger.companyId)];
  if (own === undefined || foreign === undefined) throw new Error('a call of each is to be logged');
  expect(await callLog.renew(holder, [own, foreign], leaseUntil)).toHaveLength(2);
  await callLog.release(holder, [own], now);
  await callLog.lease(request);
  await callLog.release(holder, 'all', now);
  await callLog.lease(request);
  await callLog.releaseOthers(newId(), now);
  await callLog.lease(request);
  const progress = { prepared: null, sentAt: now, notFoundAt: null, entryId: 'T1' };
  expect(await callLog.note(holder, own, progress)).toBe(true);
  const settlement = { attempt: null, attempts: 1, outcome: { state: 'delivered' as const }, progress };
  for (const { companyId: of, id } of [own, foreign]) expect(await callLog.settle(holder, { companyId: of, id, ...settlement })).toBe(true);
  expect(await callLog.earlier(companyId, own.callId, own.sequence + 1, 'hubspot')).toEqual({ entryId: null, maySent: false });
  expect(await outbox.find(companyId, own.id)).toMatchObject({ value: { target: 'crm', state: 'delivered' } });
  expect(await outbox.find(companyId, foreign.id)).toEqual({ kind: 'wrong_company' });
  expect(await outbox.redeliver(companyId, own.id, after(2))).toEqual({ kind: 'found', value: true });
}

async function drivePlatforms({ calls, ctiConnections, platformAgents }: Stores, company: MadeCompany, stranger: MadeCompany): Promise<void> {
  const { companyId, agentId } = company;
  expect(await platformAgents.meet(companyId, 'genesys', { platformId: 'u-1', email: null, name: null })).toBeNull();
  for (const one of [company, stranger]) await ctiConnections.issue(one.companyId, 'genesys', { tokenHash: `hash of ${one.companyId}`, secretEncrypted: null });
  expect(await ctiConnections.findByTokenHash(`hash of ${companyId}`)).toMatchObject({ companyId, dialVia: 'nobody' });
  expect(await ctiConnections.change(companyId, 'genesys', { dialVia: 'softphone', accountEncrypted: 'sealed' })).toBe(true);
  expect(await ctiConnections.change(companyId, 'genesys', {})).toBe(true);
  await ctiConnections.noteReceived(companyId, 'genesys');
  expect(await ctiConnections.find(companyId, 'genesys')).toMatchObject({ dialVia: 'softphone', accountEncrypted: 'sealed', lastReceivedAt: start });
  expect(await ctiConnections.find(stranger.companyId, 'genesys')).toMatchObject({ dialVia: 'nobody', accountEncrypted: null, lastReceivedAt: null });
  const met = { platformId: 'u-1', email: null, name: 'Ada' };
  expect(await platformAgents.meet(companyId, 'genesys', met)).toMatchObject({ agentId: null, matchedBy: null });
  expect(await platformAgents.map(companyId, 'genesys', 'u-1', agentId)).toMatchObject({ agentId, matchedBy: 'table' });
  expect(await platformAgents.map(companyId, 'genesys', 'u-2', agentId)).toBeNull();
  expect(await platformAgents.meet(companyId, 'genesys', met)).toMatchObject({ agentId });
  expect(await platformAgents.find(companyId, 'genesys', 'u-1')).toMatchObject({ agentId });
  expect(await platformAgents.find(stranger.companyId, 'genesys', 'u-1')).toBeNull();
  expect(await platformAgents.dialedFor(companyId, agentId)).toBeNull();
  const [listener, later] = [toId<NodeId>(newId()), toId<NodeId>(newId())];
  const leased = async (holder: NodeId, seconds: number) => (await ctiConnections.leaseListening(holder, { now: after(seconds), until: after(seconds + 20) }, 10)).map((one) => one.companyId);
  expect(await leased(listener, 0)).toEqual([]);
  await ctiConnections.change(companyId, 'genesys', { listens: true });
  expect([await leased(listener, 0), await leased(later, 10), await leased(listener, 10), await leased(later, 31)]).toEqual([[companyId], [], [companyId], [companyId]]);
  await ctiConnections.noteListening(companyId, 'genesys', listener, 'too late');
  await ctiConnections.noteListening(companyId, 'genesys', later, 'refused');
  expect(await ctiConnections.find(companyId, 'genesys')).toMatchObject({ listens: true, listenerError: 'refused' });
  await ctiConnections.releaseListening(later);
  expect(await leased(listener, 32)).toEqual([companyId]);
  await ctiConnections.change(companyId, 'genesys', { dialVia: 'platform', listens: false });
  expect(await platformAgents.setAccount(companyId, 'genesys', 'u-1', 'own')).toBe(true);
  expect(await platformAgents.setAccount(stranger.companyId, 'genesys', 'u-1', 'theirs')).toBe(false);
  expect(await platformAgents.dialedFor(companyId, agentId)).toMatchObject({ platformId: 'u-1', accountEncrypted: 'own', connection: { companyId, connector: 'genesys', accountEncrypted: 'sealed' } });
  expect(await platformAgents.dialedFor(stranger.companyId, agentId)).toBeNull();
  const ready = { state: 'ready', reason: null, at: after(1) } as const;
  expect(await platformAgents.noteState(companyId, 'genesys', 'u-1', ready)).toBe(true);
  expect(await platformAgents.noteState(companyId, 'genesys', 'u-1', { ...ready, state: 'offline', at: start })).toBe(false);
  expect(await platformAgents.ofAgent(companyId, agentId)).toMatchObject([{ state: 'ready' }]);
  expect(await platformAgents.ofAgent(stranger.companyId, agentId)).toEqual([]);
  expect((await platformAgents.list(companyId, 'genesys', { cursor: null, limit: 5 })).items).toHaveLength(1);
  expect((await platformAgents.atWork(start, { cursor: null, limit: 5 })).items).toMatchObject([{ companyId, platformId: 'u-1' }]);
  expect(await ctiConnections.list(companyId)).toMatchObject([{ connector: 'genesys', agents: { mapped: 1, unmapped: 0 } }]);
  const platform = { source: 'genesys', callId: 'c-1', queue: 'Support', at: start };
  const ofPlatform = newCall(company, { platform, state: 'ringing' });
  expect(await calls.create(ofPlatform, [])).toBe('created');
  expect(await calls.create(newCall(company, { platform }), [])).toBe('known');
  expect(await calls.ofPlatform(companyId, 'genesys', 'c-1')).toMatchObject([{ id: ofPlatform.id, platform }]);
  expect(await calls.ofPlatform(stranger.companyId, 'genesys', 'c-1')).toEqual([]);
  expect(await calls.silent({ ringingSince: after(1), since: start, limit: 5 })).toMatchObject([{ id: ofPlatform.id }]);
  expect(await calls.commit({ ...ofPlatform, state: 'ended', version: 2, platform: { ...platform, at: after(1) } }, [])).toBe('committed');
  const begun = new Date();
  const unnamed = newCall(company, { platform: { ...platform, callId: null, queue: null }, state: 'dialing', createdAt: begun });
  expect(await calls.create(unnamed, [])).toBe('created');
  expect(await calls.unnamedOfPlatform(companyId, agentId, 'genesys')).toMatchObject({ id: unnamed.id, platform: { callId: null } });
  expect(await calls.unnamedOfPlatform(stranger.companyId, agentId, 'genesys')).toBeNull();
  expect(await calls.commit({ ...unnamed, state: 'ended', version: 2, platform: { ...platform, callId: 'c-2', queue: null } }, [])).toBe('committed');
  expect(await calls.ofPlatform(companyId, 'genesys', 'c-2')).toMatchObject([{ id: unnamed.id }]);
  const corrected = { id: newId(), by: agentId, before: null, after: { code: 'resolved', label: 'Resolved', notes: null } };
  const disposition = { code: 'resolved', label: 'Resolved', notes: null, callbackAt: null, submittedAt: start };
  expect(await calls.commit({ ...unnamed, state: 'ended', version: 3, disposition, platform: { ...platform, callId: 'c-2', queue: null } }, [], { correction: corrected })).toBe('committed');
  expect(await calls.corrections(companyId, unnamed.id)).toMatchObject([corrected]);
  expect(await calls.corrections(stranger.companyId, unnamed.id)).toEqual([]);
  expect(await calls.saveNotes(companyId, unnamed.id, 'too late')).toBe(false);
  expect(await calls.saveNotes(stranger.companyId, ofPlatform.id, 'not theirs')).toBe(false);
  expect(await calls.saveNotes(companyId, ofPlatform.id, 'ours')).toBe(true);
  expect(await calls.find(companyId, ofPlatform.id)).toMatchObject({ value: { notesDraft: 'ours' } });
  expect(await calls.attachRecording(stranger.companyId, unnamed.id, 'https://pbx.example.com/1.mp3')).toBe(false);
  expect(await calls.attachRecording(companyId, unnamed.id, 'https://pbx.example.com/1.mp3')).toBe(true);
  const filter = { dispositionCode: 'resolved', since: begun, until: new Date(begun.getTime() + 1) };
  expect((await calls.list(companyId, filter, { cursor: null, limit: 5 })).items).toMatchObject([{ id: unnamed.id, recordingUrl: 'https://pbx.example.com/1.mp3' }]);
  expect([await ctiConnections.remove(companyId, 'genesys'), await ctiConnections.remove(companyId, 'genesys')]).toEqual([true, false]);
  expect(await ctiConnections.list(stranger.companyId)).toHaveLength(1);
}

async function driveCalls({ calls, pool }: Stores, company: MadeCompany, stranger: MadeCompany): Promise<void> {
  const { companyId, agentId } = company;
  const call = newCall(company, { sequence: 1 });
  expect(await calls.create(call, [eventOf(call, 1)])).toBe('created');
  expect(await calls.create(newCall(company), [])).toBe('agent_has_call');
  const foreign = newCall(stranger);
  await calls.create(foreign, []);
  expect(await calls.ruleOut(companyId, call.id)).toBe('recorded');
  expect(await calls.ruleOut(companyId, toId<CallId>(newId()))).toBe('ruled_out');
  expect(await calls.fate(companyId, call.id)).toMatchObject({ kind: 'recorded' });
  expect(await calls.find(companyId, call.id)).toMatchObject({ kind: 'found' });
  expect(await calls.find(companyId, foreign.id)).toEqual({ kind: 'wrong_company' });
  expect(await calls.findActive(companyId, agentId)).toMatchObject({ id: call.id });
  expect(await calls.findActiveOf([company, stranger])).toEqual(new Map([[agentId, call.id], [stranger.agentId, foreign.id]]));
  expect(await calls.listInProgress(companyId)).toHaveLength(1);
  expect((await calls.listActive(after(1), { cursor: null, limit: 10 })).items).toHaveLength(2);
  const ended = { ...call, state: 'ended' as const, sequence: 2, version: 2 };
  const toLog = () => ({ id: toId<DeliveryId>(newId()), dueAt: start });
  expect(await calls.commit(ended, [eventOf(call, 2)], { log: toLog() })).toBe('committed');
  expect(await calls.commitScreenPop({ ...ended, screenPop: {}, version: 3 })).toBe('committed');
  expect(await calls.commit({ ...foreign, state: 'ended', version: 2 }, [], { log: toLog() })).toBe('committed');
  expect((await calls.list(companyId, { agentId }, { cursor: null, limit: 10 })).items).toMatchObject([{ id: call.id }]);
  expect((await calls.list(companyId, { agentIds: [stranger.agentId] }, { cursor: null, limit: 10 })).items).toEqual([]);
  // A call of a gateway that kept no names in lists.
  await pool.query('UPDATE call SET customer_name = NULL WHERE company_id = $1', [companyId]);
  expect((await calls.list(companyId, {}, { cursor: newId(), limit: 10 })).items).toHaveLength(1);
  expect(await calls.pruneDecided(new Date(Date.now() + 60_000), 10)).toBe(3);
}

async function driveWebhooks({ outbox, integrations }: Stores, { companyId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  const [holder, now, leaseUntil] = [newId(), after(1), after(60)];
  const request = { holder, limit: 10, now, leaseUntil, holdings: [{ companyId, held: 0, atMost: 4 }], newcomersAtMost: 4 };
  const test = (): DeliveryId => toId<DeliveryId>(newId());
  const ping = (id: DeliveryId) => ({ id, event: 'integration_test' as const, callId: null, sequence: null, body: '{}' });
  const own = await outbox.addLeased(companyId, ping(test()), { holder, leaseUntil });
  const foreign = await outbox.addLeased(stranger.companyId, ping(test()), { holder, leaseUntil });
  if (own === null || foreign === null) throw new Error('there are endpoints');
  const [first] = await outbox.lease(request);
  if (first === undefined) throw new Error('an event of the call is due');
  expect(await outbox.bodyOf(companyId, first.id)).toBe('{"sequence":1}');
  expect(await outbox.renew(holder, [first, foreign], leaseUntil)).toHaveLength(2);
  expect(await Promise.all([outbox.settle(holder, delivered(own)), outbox.settle(holder, delivered(foreign))])).toEqual([true, true]);
  await outbox.release(holder, [first], now);
  expect(await outbox.lease(request)).toMatchObject([{ id: first.id }]);
  await outbox.release(holder, 'all', now);
  await outbox.lease(request);
  await outbox.releaseOthers(newId(), now);
  expect(await outbox.find(companyId, own.id)).toMatchObject({ value: { state: 'delivered', log: [{ number: 1 }] } });
  expect(await outbox.find(companyId, foreign.id)).toEqual({ kind: 'wrong_company' });
  expect(await outbox.latest(companyId)).toMatchObject({ id: own.id });
  expect((await outbox.list(companyId, { state: 'pending', since: start }, { cursor: null, limit: 5 })).items).toHaveLength(3);
  expect(await outbox.redeliver(companyId, first.id, after(2))).toEqual({ kind: 'found', value: true });
  expect(await outbox.changeHealth(companyId, url, (health) => ({ ...health, consecutiveFailures: 1 }))).toMatchObject({ consecutiveFailures: 1 });
  expect(await outbox.backlog(after(3))).toMatchObject({ endpoints: { failing: 1 } });
  await integrations.update(companyId, () => ({ webhookUrl: null }));
  expect(await outbox.moveToDead(companyId, 1, after(3))).toBe(1);
  expect(await outbox.moveToDead('all', 10, after(3))).toBe(1);
  await integrations.update(companyId, () => ({ webhookUrl: url }));
  expect(await outbox.redeliverDeadSince(companyId, start, after(4))).toBe(2);
  expect(await outbox.prune(new Date(Date.now() + 60_000), 10)).toBe(3);
}

async function driveReports({ agentHistory, reports }: Stores, { companyId, agentId }: MadeCompany, stranger: MadeCompany): Promise<void> {
  // Ids are of now, whatever the stores' clock says.
  const which = { since: new Date(start.getTime() - 86_400_000), until: new Date(Math.max(start.getTime(), Date.now()) + 86_400_000), agentIds: null };
  for (const by of ['day', 'hour', 'agent', 'disposition'] as const) {
    const rows = await reports.calls(companyId, which, by, 'Europe/Berlin');
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(0);
    expect(await reports.calls(companyId, { ...which, agentIds: [stranger.agentId] }, by, 'UTC')).toEqual([]);
  }
  await agentHistory.add([{ companyId, agentId, since: start, version: 99, state: 'ready', reason: null, callId: null }]);
  expect((await reports.times(companyId, which, which.until)).map((times) => times.agentId)).toContain(agentId);
  expect(await reports.clicksRefused(companyId, which.since, which.until)).toBeGreaterThanOrEqual(0);
}

async function driveLive({ agentHistory, clickTallies }: Stores, company: MadeCompany, stranger: MadeCompany): Promise<void> {
  const change = { since: start, version: 1, state: 'ready' as const, reason: null, callId: null };
  await agentHistory.add([company, stranger].map(({ companyId, agentId }) => ({ ...change, companyId, agentId })));
  await agentHistory.endAll(after(1));
  const window = { since: start, until: after(10) };
  expect(await agentHistory.list(company.companyId, company.agentId, window, 5)).toHaveLength(2);
  expect(await agentHistory.prune(after(10), 10)).toBe(4);
  const counts = { dialed: 1, noReadyAgent: 0, agentNotReady: 0, failed: 0 };
  const companies: CompanyId[] = [company.companyId, stranger.companyId];
  expect(await clickTallies.add(companies.map((companyId) => ({ companyId, at: start, counts })))).toHaveLength(2);
  expect(await clickTallies.list(company.companyId, start)).toHaveLength(1);
  expect(await clickTallies.prune(after(1), 10)).toBe(2);
}
