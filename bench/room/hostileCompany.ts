import type { Attack, HostileRequest } from '../load/hostile.ts';
import type { Plan } from '../plan.ts';
import { fillCalls } from './calls.ts';
import type { BenchCompany } from './company.ts';
import type { CaseRoom } from './room.ts';

/** Contacts with many long addresses, each of which a search has to look through. */
const contacts = 500;
/** Of them by one statement, which may take ten seconds. */
const contactsAtOnce = 50;
const addressesEach = 20;
const longWords = [
  'antidisestablishment',
  'incomprehensibilities',
  'uncharacteristically',
  'counterrevolutionary',
  'electroencephalogram',
  'internationalization',
];
const [first = '', ...others] = longWords;
/** With two letters changed over. */
const misspelled = `${first.slice(0, -3)}${first.at(-2)}${first.at(-3)}${first.at(-1)}`;

const fields = 100;
const choicesEach = 200;
const choiceOf = (choice: number): string => `${choice} `.padEnd(190, 'x');
const mib = 1_048_576;

/**
 * Two companies whose admins ask for as much as a request may, at the gateway of that address: their attacks,
 * each ready to be sent.
 */
export async function prepareAttacks(room: CaseRoom, url: string, plan: Plan): Promise<Attack[]> {
  const company = await room.company({ customers: 0, agents: 20, role: 'admin' });
  await room.pool.query("UPDATE integration SET mode = 'builtin' WHERE company_id = $1", [company.id]);
  const token = `Bearer ${company.agents[0]?.token ?? ''}`;
  const asAdmin = { authorization: token };
  const asJson = { ...asAdmin, 'content-type': 'application/json' };
  const withKey = { 'x-service-api-key': company.apiKey };

  async function ask<T>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = asJson,
  ): Promise<T> {
    const answer = await fetch(url + path, {
      method,
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  room.say('  making what the hostile company has');
  const [contactId, phone] = await fillLongContacts(room, company);
  await fillCalls(room.pool, company, plan.reports.calls);
  await room.pool.query('ANALYZE call');
  for (let n = 0; n < fields; n += 1) {
    const choices = Array.from({ length: choicesEach }, (_, choice) => choiceOf(choice));
    await ask('POST', '/api/crm/fields', {
      key: `field_${n}`,
      label: `Field ${n}`,
      kind: 'choice',
      choices,
      on_pop: true,
    });
  }
  // A contact's own fields are read where it has one.
  await ask('PATCH', `/api/crm/contacts/${contactId}`, { fields: { field_0: choiceOf(0) } });
  const { url: events } = await ask<{ url: string }>('POST', '/api/integrations/cti/connections', {
    connector: 'push',
  });
  const eventsPath = new URL(events, url).pathname;
  const cells = ['Heavy', '+493012345678 '.repeat(1_300), 'somebody@example.com '.repeat(800), 'tag '.repeat(5_000)];
  const heavy = `name,phone,email,tags\n${`${cells.join(',')}\n`.repeat(200)}`;
  const upload = await ask<{ id: string }>('POST', '/api/crm/imports', heavy, {
    ...asAdmin,
    'content-type': 'text/csv',
  });
  const event = JSON.stringify({
    event: 'newCall',
    callId: 'equal',
    direction: 'in',
    from: '+15551230001',
    to: 'sales',
    user: 'nobody',
  });
  const yearAgo = encodeURIComponent(new Date(Date.now() - 398 * 86_400_000).toISOString());

  const get = (path: string, headers: Record<string, string> = asAdmin): HostileRequest => ({
    method: 'GET',
    path,
    headers,
  });
  const post = (path: string, headers: Record<string, string>, body: HostileRequest['body']): HostileRequest => ({
    method: 'POST',
    path,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return [
    {
      name: 'forms of 131,000 fields',
      atOnce: 10,
      requests: [post(eventsPath, form, { again: 'a&', times: 131_000 })],
    },
    {
      name: 'equal events of a platform',
      atOnce: 50,
      requests: [post(eventsPath, { 'content-type': 'application/json' }, event)],
    },
    {
      name: 'files of 60 MiB of commas',
      atOnce: 4,
      requests: [post('/api/crm/imports', { ...asAdmin, 'content-type': 'text/csv' }, { again: ',', times: 60 * mib })],
    },
    {
      name: 'a file whose cells hold thousands of numbers',
      atOnce: 4,
      requests: [post(`/api/crm/imports/${upload.id}/runs`, asJson, '{"dry_run":true}')],
    },
    {
      name: 'six long words, one misspelled',
      atOnce: 10,
      requests: [get(`/api/crm/search?limit=50&q=${encodeURIComponent([misspelled, ...others].join(' '))}`)],
    },
    { name: 'reports of a year', atOnce: 20, requests: [get(`/api/reports/calls?group_by=agent&since=${yearAgo}`)] },
    { name: 'lists of calls', atOnce: 60, requests: [get('/api/calls?limit=100')] },
    {
      name: 'look-ups with 100 fields of 200 choices',
      atOnce: 20,
      requests: [get(`/api/integrations/lookup?phone=${encodeURIComponent(phone)}`, withKey)],
    },
    {
      name: 'changes of one contact',
      atOnce: 60,
      requests: ['Ada', 'Grace'].map((name) => ({
        method: 'PATCH',
        path: `/api/crm/contacts/${contactId}`,
        headers: asJson,
        body: JSON.stringify({ name }),
      })),
    },
    {
      name: 'customers in 60 MiB of empty lines',
      atOnce: 2,
      requests: [
        post(
          '/api/integrations/inbound/bulk',
          { ...withKey, 'content-type': 'application/x-ndjson' },
          { again: '\n', times: 60 * mib },
        ),
      ],
    },
    {
      name: 'log-ins with wrong passwords',
      atOnce: 60,
      requests: Array.from({ length: 1_000 }, (_, n) =>
        post(
          '/api/auth/login',
          { 'content-type': 'application/json' },
          JSON.stringify({ agent_code: `guessed-${n}`, password: 'a guess' }),
        ),
      ),
    },
    { name: 'a CRM that answers with 1 MiB', atOnce: 20, requests: await pullingLookUps(room, url) },
  ];
}

/** @returns the id and the number of one of them */
async function fillLongContacts({ pool }: CaseRoom, { id }: BenchCompany): Promise<[contactId: string, phone: string]> {
  for (let made = 0; made < contacts; made += contactsAtOnce) {
    await pool.query(
      `WITH made AS (
        INSERT INTO contact (company_id, id, name, created_at, updated_at)
        SELECT $1, gen_random_uuid(), $2 || ' ' || n, now(), now() FROM generate_series(1, $3::int) n RETURNING id
      ), numbered AS (SELECT id, $5::int + row_number() OVER () AS n FROM made), phones AS (
        INSERT INTO contact_phone (company_id, phone, contact_id, position)
        SELECT $1, '+4930' || (20000000 + n), id, 1 FROM numbered
      )
      INSERT INTO contact_email (company_id, contact_id, email, position)
      SELECT $1, id, repeat('long.address.', 4) || n || '.' || k || repeat('.of.somebody', 6) || '@example.com', k
      FROM numbered, generate_series(1, $4::int) k`,
      [id, longWords.join(' '), contactsAtOnce, addressesEach, made],
    );
  }
  await pool.query('ANALYZE contact, contact_phone, contact_email, contact_search');
  const { rows } = await pool.query<{ id: string; phone: string }>(
    'SELECT contact_id AS id, phone FROM contact_phone WHERE company_id = $1 LIMIT 1',
    [id],
  );
  const [one] = rows;
  if (one === undefined) throw new Error('there are contacts');
  return [one.id, one.phone];
}

/** Look-ups of a company whose CRM is asked for each of them. */
async function pullingLookUps(room: CaseRoom, url: string): Promise<HostileRequest[]> {
  const company = await room.company({ customers: 0, agents: 1, role: 'admin' });
  const headers = { authorization: `Bearer ${company.agents[0]?.token ?? ''}`, 'content-type': 'application/json' };
  const body = JSON.stringify({
    provider: 'custom',
    credentials: { lookup_url: 'https://erp.example.com/customers?phone={phone}' },
  });
  const answer = await fetch(`${url}/api/integrations/crm`, { method: 'PUT', headers, body });
  if (!answer.ok) throw new Error(`the CRM was not connected: ${answer.status} ${await answer.text()}`);
  return Array.from({ length: 5_000 }, (_, n) => ({
    method: 'GET',
    path: `/api/integrations/lookup?phone=${encodeURIComponent(`+4930${10_000_000 + n}`)}`,
    headers: { 'x-service-api-key': company.apiKey },
  }));
}
