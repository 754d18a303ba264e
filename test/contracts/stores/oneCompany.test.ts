import { readdirSync } from 'node:fs';
import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../../src/adapters/postgres/queries.ts';
import { keepSent } from './sentStatements.ts';
import { partOf } from './spreadTables.ts';
import { makeCompany, openStores, type MadeCompany, type Stores } from './openStores.ts';
import { url } from './outboxRoom.ts';
import { driveAgents, driveMessages, driveSettings, driveTeams } from './drives/people.ts';
import { driveContacts, driveDeals, driveDuplicates, driveTasks } from './drives/contacts.ts';
import { driveErasure, driveImports } from './drives/imports.ts';
import { driveCallLog, driveCrm } from './drives/crm.ts';
import { driveCalls, driveDialing, drivePlatforms, driveWebhooks } from './drives/calls.ts';
import { driveLive, driveReports, driveRollUps, driveViews } from './drives/reports.ts';

/** Statements that look at all companies, and why they may. */
const overAllCompanies: Record<string, string> = {
  // Before it is known which company a request is of, or after its own was found to have no such id.
  find_logins_by_email: 'a log-in that gives no company',
  find_logins_by_code: 'a log-in that gives no company',
  find_api_key: 'the key tells the company',
  find_inbound_address: 'the token in the address tells the company',
  find_cti_address: 'the token in the address tells the company',
  find_silent_calls: 'for the reaper, which ends the calls of all companies',
  platform_agents_at_work: 'at start, for all companies',
  find_left_events: 'for the reaper, which takes what gateways left that are gone',
  lease_listening: 'a gateway takes connections at which nobody listens',
  release_listening: 'a gateway that ends gives back what it holds',
  find_agent_elsewhere: 'tells an id of another company (403) from an unknown one (404)',
  find_call_elsewhere: 'likewise',
  find_delivery_elsewhere: 'likewise',
  list_companies: 'for the platform’s operator',
  // What gateways do of themselves, for all companies.
  lease_endpoints: 'the dispatcher serves the endpoints at which something is due, fairly',
  read_due_deliveries: 'the dispatcher reads what is due at all the endpoints that it has leased, together',
  renew_endpoints: 'the dispatcher keeps what it serves',
  release_endpoints: 'a gateway that ends, or has died, gives back what it serves',
  release_endpoints_of_others: 'an embedded gateway that starts takes over',
  lease_connections: 'the same of CRM systems that are to log calls',
  read_due_call_logs: 'likewise',
  renew_connections: 'likewise',
  release_connections: 'likewise',
  release_connections_of_others: 'likewise',
  settle_deliveries: 'attempts that end together are written down together',
  find_stopped_companies: 'finds whose deliveries nobody will send; each is then given up by its own statement',
  measure_backlog: 'metrics',
  list_active_calls: 'finds calls that nobody is on any more',
  find_agents_by_ids:
    'each with its own company: the tokens of a gateway’s softphones are checked together, and their agents’ names read',
  find_unread_messages: 'likewise: who sign in together are shown what they have to read',
  find_active_calls_of: 'brings back what Redis has lost',
  add_state_changes: 'timelines are written some seconds later, together',
  add_clicks: 'clicks are counted some seconds later, together',
  end_states: 'an embedded gateway that starts or ends',
  lease_import: 'the importer takes what has waited longest',
  release_imports: 'a gateway that ends gives back what it holds',
  lease_notices: 'the reader takes the records that CRM systems told of, fairly',
  release_all_notices: 'an embedded gateway that starts takes over',
  measure_notices: 'metrics',
  find_company_to_compare: 'whose contacts are to be compared next; they are by statements of that company',
  find_to_roll_up: 'whose timelines are to be rolled up; each is by statements of that company',
  find_calls_to_roll_up: 'likewise, of calls',
  find_stale_call_days: 'likewise, of days that were changed',
  lease_report_runs: 'whichever gateway sends the reports that are due',
  find_next_report_run: 'when to look for them next',
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
  prune_agent_times: 'likewise',
  prune_imports: 'likewise',
  prune_heard_calls: 'likewise, of calls that platforms told of',
  prune_messages: 'likewise',
  // For softphones of several companies at once.
  find_changed_messages: 'a gateway looks what its softphones are to show',
};

const folder = new URL('../../../src/adapters/postgres/', import.meta.url);

describe('the statements, over tables that are spread by company', () => {
  let stores: Stores;
  let sent: QueryConfig[];
  let driven: Set<string>;
  let statements: Statement[];

  beforeAll(async () => {
    // A folder per resource; what Prisma generates and what starts a server hold no statements of ours.
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^(?!generated|embedded).*\.ts$/.test(file),
    );
    const modules = await Promise.all(files.map((file) => import(new URL(file, folder).pathname)));
    statements = modules.flatMap((exported) => Object.values(exported as object)).filter(isStatement);
    stores = await openStores({ spread: true });
    sent = keepSent(stores.pool);
    driven = new Set();
    await driveAll(watched(stores, driven));
  });
  afterAll(() => stores.close());

  it('were all sent: every method of every store was called', () => {
    expect([...driven].toSorted()).toEqual(methodsOf(stores).toSorted());
    // A statement that is planned each time is sent without its name.
    const known = new Set(sent.flatMap(({ name, text }) => [name, text]));
    expect(statements.filter(({ name, text }) => !known.has(name) && !known.has(text)).map(({ name }) => name)).toEqual(
      [],
    );
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
      if (name !== undefined && name in overAllCompanies && (await partsRead(stores, text, values)).size > 1)
        needed.add(name);
    }
    // Written by arrays of rows, each with its company: no plan shows where they go.
    for (const name of ['add_clicks']) needed.add(name);
    expect([...needed].toSorted()).toEqual(Object.keys(overAllCompanies).toSorted());
  });

  it('name the company of every row that they change, those over all companies too', () => {
    const unnamed = statements.flatMap(({ name, text }) =>
      changesOf(text)
        .filter((change) => !namesCompany(change))
        .map(() => name),
    );
    expect(unnamed).toEqual([]);
    expect(changesOf('WITH a AS (UPDATE call c SET n = 1 WHERE c.id = $1) SELECT 1').map(namesCompany)).toEqual([
      false,
    ]);
  });
});

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'name' in value && 'text' in value;
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
  return [...text.matchAll(/\b(?:UPDATE|DELETE FROM) (\w+)(?: (?!SET\b)(\w+))? (?:SET|USING|WHERE)\b/g)].map(
    (found) => {
      const rest = text.slice(found.index);
      return { alias: found[2] ?? '', change: rest.slice(0, endOf(rest)) };
    },
  );
}

/** Where the parenthesis that a change stands in is closed. */
function endOf(text: string): number {
  let depth = 0;
  for (const [at, character] of [...text].entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return at;
  }
  return text.length;
}

function namesCompany({ alias, change }: { alias: string; change: string }): boolean {
  // Its own id is the company's.
  if (change.startsWith('UPDATE company SET')) return /WHERE id = /.test(change);
  return new RegExp(`(?:WHERE|AND) ${alias === '' ? '' : `${alias}\\.`}company_id = `).test(change);
}

const portNames = [
  'agents',
  'companies',
  'integrations',
  'screenPops',
  'calls',
  'idempotency',
  'outbox',
  'telephony',
  'agentHistory',
  'clickTallies',
  'crmInbound',
  'ctiConnections',
  'platformAgents',
  'heardCalls',
  'waitingEvents',
  'callLog',
  'crmConnections',
  'agentTokens',
  'crmTokens',
  'crmLogins',
  'crmNotices',
  'contacts',
  'contactSearch',
  'audit',
  'duplicates',
  'organisations',
  'imports',
  'tasks',
  'deals',
  'pipelines',
  'teams',
  'reports',
  'popLayouts',
  'messages',
  'doNotDial',
  'softphoneKeep',
  'agentTimes',
  'callRollUps',
  'reportViews',
  'reportSchedules',
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
    const { rows } = await stores.pool.query(
      'SELECT tableoid::regclass::text AS part FROM integration WHERE company_id = $1',
      [id],
    );
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
  await driveRollUps(stores, company, stranger);
  await driveViews(stores, company, stranger);
  await driveContacts(stores, company, stranger);
  await driveDuplicates(stores, company, stranger);
  await driveTasks(stores, company, stranger);
  await driveDialing(stores, company, stranger);
  await driveMessages(stores, company, stranger);
  await driveImports(stores, company);
  await driveDeals(stores, company, stranger);
  await driveErasure(stores, company, stranger);
}
