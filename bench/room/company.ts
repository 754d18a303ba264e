import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { newApiKey } from '../../src/adapters/crypto/issuedSecrets.ts';
import { createTokenIssuer } from '../../src/adapters/crypto/tokenIssuer.ts';
import type { Role } from '../../src/contract/vocabulary.ts';
import { toId, type AgentId, type CompanyId } from '../../src/domain/ids.ts';

export type BenchAgent = { id: AgentId; token: string };
/** A company with customers and agents, written straight into the database. */
export type BenchCompany = { id: CompanyId; apiKey: string; agents: BenchAgent[]; phones: string[] };

export type CompanyNeeds = { pool: pg.Pool; jwtSecret: string };

/** `role`: of all its agents. */
export type CompanySize = { customers: number; agents: number; role?: Role };

const tokenSeconds = 86_400;

/** Phone number of a customer, from 0. Every company has the same ones. */
export const phoneOf = (index: number): string => `+1555${1_000_000 + index}`;

/**
 * Creates a company with so many customers and agents. Nobody could log in to it: argon2 would take minutes for so
 * many passwords, so the tokens are issued here. After a call its agents are Ready again at once.
 */
export async function createCompany(
  { pool, jwtSecret }: CompanyNeeds,
  { customers, agents, role = 'agent' }: CompanySize,
): Promise<BenchCompany> {
  const id = toId<CompanyId>(randomUUID());
  const { key, prefix, hash } = newApiKey();
  await pool.query(
    `INSERT INTO company (id, slug, name, settings, updated_at)
    VALUES ($1, $2, 'Bench', '{"wrap_up_seconds": 0}', now())`,
    [id, `bench-${id}`],
  );
  await pool.query(
    `INSERT INTO integration (company_id, crm_provider, api_key_hash, api_key_prefix, api_key_issued_at,
      connected_at, updated_at)
    VALUES ($1, 'custom', $2, $3, now(), now(), now())`,
    [id, hash, prefix],
  );
  await pool.query(
    `INSERT INTO screen_pop_entry (company_id, phone, data, external_system, external_id, tier)
    SELECT $1, '+1555' || (1000000 + n), jsonb_build_object('name', 'Customer ' || n, 'email',
      'customer' || n || '@example.com',
      'account_number', 'A-' || n, 'open_tickets', n % 7), 'crm', 'C-' || n, 'gold'
    FROM generate_series(0, $2::int - 1) AS n`,
    [id, customers],
  );
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO agent (id, company_id, agent_code, name, role, password_hash, updated_at)
    SELECT gen_random_uuid(), $1, 'a' || n, 'Agent ' || n, $3, 'none', now() FROM generate_series(1, $2::int) AS n
    RETURNING id`,
    [id, agents, role],
  );
  // The planner must not take the tables for empty ones.
  await pool.query('ANALYZE company, integration, screen_pop_entry, agent');
  const tokens = createTokenIssuer({ secret: Buffer.from(jwtSecret, 'utf8'), clock: { now: () => Date.now() } });
  return {
    id,
    apiKey: key,
    phones: Array.from({ length: customers }, (_, index) => phoneOf(index)),
    agents: rows.map((row) => {
      const agentId = toId<AgentId>(row.id);
      const claims = { sub: agentId, company_id: id, role, ver: 1 } as const;
      return { id: agentId, token: tokens.issue(claims, tokenSeconds).token };
    }),
  };
}
