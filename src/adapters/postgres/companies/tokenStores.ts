import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { AgentLogin } from '../../../ports/cti.ts';
import type { StoredToken, TokenStore } from '../../../ports/tokens.ts';
import type { StoreParts } from '../pool.ts';
import { run, type Statement } from '../queries.ts';

/** Nobody asks for a token. */
export const noLease = { tokenLeaseId: null, tokenLeaseUntil: null };

/** Tokens of CRM systems. */
export function createCrmTokenStore({ pool }: Pick<StoreParts, 'pool'>): TokenStore<CompanyId> {
  return createTokenStore(pool, 'crm_connection', ['company_id'], (companyId) => [companyId]);
}

/** Tokens of agents at telephony platforms, for what they log in with. */
export function createAgentTokenStore({ pool }: Pick<StoreParts, 'pool'>): TokenStore<AgentLogin> {
  const key = ['company_id', 'connector', 'platform_id', 'account_encrypted'];
  return createTokenStore(pool, 'platform_agent', key, ({ accountEncrypted, companyId, connector, platformId }) => [
    companyId,
    connector,
    platformId,
    accountEncrypted,
  ]);
}

/**
 * Tokens in columns of a table. Leases run by the database's clock.
 * @param key the columns that name an account; their values come first
 */
function createTokenStore<Account>(
  pool: Pool,
  table: string,
  key: string[],
  valuesOf: (account: Account) => unknown[],
): TokenStore<Account> {
  const same = key.map((column, at) => `${column} = $${at + 1}`).join(' AND ');
  const [first, second, third] = [1, 2, 3].map((place) => `$${key.length + place}`);
  const statement = (verb: string, text: string) => ({ name: `${verb}_token_of_${table}`, text });
  const update = (verb: string, set: string, where: string) =>
    statement(verb, `UPDATE ${table} SET ${set} WHERE ${same} AND ${where} RETURNING true`);
  const isHeld = `token_lease_id = ${first}::uuid`;
  const free = 'token_lease_id = NULL, token_lease_until = NULL';
  const columns = 'token_encrypted AS sealed, token_expires_at AS "expiresAt", token_version AS version';
  const find = statement('find', `SELECT ${columns} FROM ${table} WHERE ${same}`);
  const lease = update(
    'lease',
    `${isHeld}, token_lease_until = clock_timestamp() + ${second}::float8 * interval '1 millisecond'`,
    `token_version = ${third} AND (token_lease_until IS NULL OR token_lease_until < clock_timestamp())`,
  );
  const kept = `token_encrypted = ${second}, token_expires_at = ${third}, token_version = token_version + 1`;
  const save = update('save', `${kept}, ${free}`, isHeld);
  const release = update('release', free, isHeld);
  const isDone = async (...of: [Statement, unknown[]]) => (await run(pool, ...of)).length > 0;
  return {
    find: async (account) => (await run<StoredToken>(pool, find, valuesOf(account)))[0] ?? null,
    lease: (account, { forMs, leaseId, version }) => isDone(lease, [...valuesOf(account), leaseId, forMs, version]),
    save: (account, leaseId, { expiresAt, sealed }) => isDone(save, [...valuesOf(account), leaseId, sealed, expiresAt]),
    async release(account, leaseId) {
      await isDone(release, [...valuesOf(account), leaseId]);
    },
  };
}
