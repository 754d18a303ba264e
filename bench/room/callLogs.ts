import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { createSecretCipher } from '../../src/adapters/crypto/secretCipher.ts';
import { type AgentId, type CompanyId, toId } from '../../src/domain/ids.ts';
import { sealCredentials } from '../../src/usecases/crm/crmAccount.ts';
import type { CaseRoom } from './room.ts';

/** A company whose calls are logged in a CRM, and the agent who had them. */
export type LoggingCompany = { companyId: CompanyId; agentId: AgentId; provider: string };
type ConnectionNeeds = {
  count: number;
  provider: string;
  credentials: Record<string, string>;
  /** Under which the gateway seals credentials. 64 hex digits. */
  encryptionKey: string;
};

const lookEveryMs = 50;

/** Writes companies that are connected to a CRM straight into the database; the CRM is not asked. */
export async function createLoggingCompanies(
  { pool }: Pick<CaseRoom, 'pool'>,
  { count, provider, credentials, encryptionKey }: ConnectionNeeds,
): Promise<LoggingCompany[]> {
  const cipher = createSecretCipher(Buffer.from(encryptionKey, 'hex'));
  const companies = Array.from({ length: count }, () => ({
    companyId: toId<CompanyId>(randomUUID()),
    agentId: toId<AgentId>(randomUUID()),
    provider,
  }));
  const ids = companies.map(({ companyId }) => companyId);
  await pool.query(
    `INSERT INTO company (id, slug, name, settings, updated_at)
    SELECT id, 'bench-' || id, 'Bench', '{"wrap_up_seconds": 0}', now() FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  await pool.query(
    `INSERT INTO integration (company_id, crm_provider, api_key_prefix, mode, connected_at, updated_at)
    SELECT id, $2, 'bench', 'pull', now(), now() FROM unnest($1::uuid[]) AS id`,
    [ids, provider],
  );
  await pool.query(
    `INSERT INTO agent (id, company_id, agent_code, name, role, password_hash, updated_at)
    SELECT id, company_id, 'a1', 'Agent', 'agent', 'none', now()
    FROM unnest($1::uuid[], $2::uuid[]) AS a (id, company_id)`,
    [companies.map(({ agentId }) => agentId), ids],
  );
  await pool.query(
    `INSERT INTO crm_connection (company_id, provider, credentials_encrypted, options, facts, account, keep_seconds,
      log_calls, updated_at)
    SELECT id, $3, credentials, '{}', '{}', 'Bench', 600, 'all', now()
    FROM unnest($1::uuid[], $2::text[]) AS c (id, credentials)`,
    [ids, ids.map((id) => sealCredentials(cipher, id, credentials)), provider],
  );
  await pool.query('ANALYZE company, integration, agent, crm_connection');
  return companies;
}

/**
 * Writes so many calls that have ended, dealt out among the companies, each popped with a record of its CRM; they
 * fall due to be logged one after the other within so many seconds from now, or all at this moment. `created_at`
 * says when each falls due.
 */
export async function addCallLogs(
  { pool }: Pick<CaseRoom, 'pool'>,
  companies: readonly LoggingCompany[],
  count: number,
  withinSeconds = 0,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const company = companies[index % companies.length];
    if (company === undefined) throw new Error('there is no company');
    const pop = {
      name: `Customer ${index}`,
      external_system: company.provider,
      external_id: String(index + 1),
      external_object: 'contact',
    };
    return {
      ...company,
      callId: uuidv7(),
      id: uuidv7(),
      phone: `+1555${1_000_000 + index}`,
      pop: JSON.stringify(pop),
      dueAfter: (withinSeconds * index) / count,
    };
  });
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO call (company_id, id, agent_id, direction, trigger, state, phone, screen_pop_text, end_reason,
        created_at, answered_at, ended_at, version)
      SELECT company_id, id, agent_id, 'inbound', 'inbound', 'ended', phone, pop, 'completed',
        now() - interval '3 minutes', now() - interval '2 minutes', now(), 3
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[])
        AS c (company_id, id, agent_id, phone, pop)`,
      [
        rows.map(({ companyId }) => companyId),
        rows.map(({ callId }) => callId),
        rows.map(({ agentId }) => agentId),
        rows.map(({ phone }) => phone),
        rows.map(({ pop }) => pop),
      ],
    );
    await client.query('ANALYZE call');
    await client.query(
      `INSERT INTO crm_delivery (company_id, id, call_id, sequence, due_at, created_at)
      SELECT company_id, id, call_id, 3, due_at, due_at
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::float8[]) AS d (company_id, id, call_id, due_after)
      CROSS JOIN LATERAL (SELECT clock_timestamp() + due_after * interval '1 second' AS due_at) AS due`,
      [
        rows.map(({ companyId }) => companyId),
        rows.map(({ id }) => id),
        rows.map(({ callId }) => callId),
        rows.map(({ dueAfter }) => dueAfter),
      ],
    );
    await client.query('ANALYZE crm_delivery');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/**
 * Resolves when all calls of the companies have been logged.
 * @returns of each, when it fell due and when it was logged. Unix time, ms
 */
export async function allLogged(
  { pool }: Pick<CaseRoom, 'pool'>,
  companies: readonly LoggingCompany[],
  patienceMs: number,
): Promise<{ dueAt: number; loggedAt: number }[]> {
  const ids = companies.map(({ companyId }) => companyId);
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; await delay(lookEveryMs)) {
    const { rows } = await pool.query<{ waits: boolean }>(
      "SELECT EXISTS (SELECT FROM crm_delivery WHERE company_id = ANY($1) AND state = 'pending') AS waits",
      [ids],
    );
    if (rows[0]?.waits !== false) continue;
    const { rows: logs } = await pool.query<{ dueAt: Date; loggedAt: Date; state: string; attempts: number }>(
      `SELECT created_at AS "dueAt", finished_at AS "loggedAt", state, attempts FROM crm_delivery
        WHERE company_id = ANY($1)`,
      [ids],
    );
    const amiss = logs.find(({ state, attempts }) => state !== 'delivered' || attempts !== 1);
    if (amiss !== undefined) throw new Error(`a call is ${amiss.state} after ${amiss.attempts} attempts`);
    return logs.map(({ dueAt, loggedAt }) => ({ dueAt: dueAt.getTime(), loggedAt: loggedAt.getTime() }));
  }
  throw new Error('some calls were not logged');
}
