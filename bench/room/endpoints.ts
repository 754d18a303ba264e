import { randomUUID } from 'node:crypto';
import { newWebhookSecret } from '../../src/adapters/crypto/issuedSecrets.ts';
import { createSecretCipher } from '../../src/adapters/crypto/secretCipher.ts';
import { createTokenIssuer } from '../../src/adapters/crypto/tokenIssuer.ts';
import { type AgentId, type CompanyId, toId } from '../../src/domain/ids.ts';
import type { CaseRoom } from './room.ts';

/** A company with a webhook endpoint and one agent, whose token lets a softphone in. */
export type BenchEndpoint = { companyId: CompanyId; origin: string; path: string; secret: string; token: string };
export type EndpointNeeds = {
  /** Under which the gateway seals secrets. 64 hex digits. */
  encryptionKey: string;
  /** One per endpoint. */
  origins: readonly string[];
  /** Each one's path begins so, and ends in its company's id. */
  path: string;
  /** Attempts under way at once. */
  maxInFlight?: number;
};

const tokenSeconds = 86_400;

/** Writes companies with their endpoints straight into the database, the secrets sealed as the gateway does. */
export async function createEndpoints(
  { pool, jwtSecret }: Pick<CaseRoom, 'pool' | 'jwtSecret'>,
  { encryptionKey, origins, path, maxInFlight = 4 }: EndpointNeeds,
): Promise<BenchEndpoint[]> {
  const cipher = createSecretCipher(Buffer.from(encryptionKey, 'hex'));
  const tokens = createTokenIssuer({ secret: Buffer.from(jwtSecret, 'utf8'), clock: { now: () => Date.now() } });
  const rows = origins.map((origin) => {
    const companyId = toId<CompanyId>(randomUUID());
    const agentId = toId<AgentId>(randomUUID());
    const secret = newWebhookSecret();
    const { token } = tokens.issue({ sub: agentId, company_id: companyId, role: 'agent', ver: 1 }, tokenSeconds);
    return { companyId, agentId, origin, path: `${path}/${companyId}`, secret, token };
  });
  const companyIds = rows.map(({ companyId }) => companyId);
  await pool.query(
    `INSERT INTO company (id, slug, name, settings, updated_at)
    SELECT id, 'bench-' || id, 'Bench', '{"wrap_up_seconds": 0}', now() FROM unnest($1::uuid[]) AS id`,
    [companyIds],
  );
  await pool.query(
    `INSERT INTO integration (company_id, crm_provider, api_key_prefix, connected_at, updated_at)
    SELECT id, 'custom', 'bench', now(), now() FROM unnest($1::uuid[]) AS id`,
    [companyIds],
  );
  await pool.query(
    `INSERT INTO agent (id, company_id, agent_code, name, role, password_hash, updated_at)
    SELECT id, company_id, 'a1', 'Agent', 'agent', 'none', now()
    FROM unnest($1::uuid[], $2::uuid[]) AS a (id, company_id)`,
    [rows.map(({ agentId }) => agentId), companyIds],
  );
  await pool.query(
    `INSERT INTO webhook_endpoint (company_id, url, secret_encrypted, max_in_flight, updated_at)
    SELECT e.*, $4, now() FROM unnest($1::uuid[], $2::text[], $3::text[]) AS e (company_id, url, secret)`,
    [
      companyIds,
      rows.map(({ origin, path: own }) => origin + own),
      rows.map(({ companyId, secret }) => cipher.encrypt(secret, companyId)),
      maxInFlight,
    ],
  );
  await pool.query('ANALYZE company, integration, agent, webhook_endpoint');
  return rows;
}
