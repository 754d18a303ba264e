import type { AgentState } from '../../../contract/vocabulary.ts';
import { foldName } from '../../../domain/company.ts';
import { type AgentId, type CompanyId, firstId } from '../../../domain/ids.ts';
import type { MatchedBy, PlatformAgent, PlatformAgentStore } from '../../../ports/cti.ts';
import { type PlatformAgent as StoredPlatformAgent, Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { fieldColumns, run } from '../queries.ts';
import { connectionColumns, connectionOf, type ConnectionRow } from './ctiConnectionStore.ts';
import { isStorableText, textFor } from '../storableValues.ts';
import { noLease } from './tokenStores.ts';

/** So many of a platform's agents are remembered of a company. */
const most = 10_000;
/** An agent seen since is found without being written again. Milliseconds. */
const freshMs = 60_000;

/** Agents as telephony platforms name them, in PostgreSQL. */
export function createPlatformAgentStore({
  pool,
  prisma,
  clock,
}: Pick<StoreParts, 'pool' | 'prisma' | 'clock'>): PlatformAgentStore {
  return {
    async meet(companyId, connector, { platformId, email, name, isByName = false }) {
      const now = clock.now();
      const id = textFor('platform_id', platformId);
      const known = await prisma.platformAgent.findFirst({
        where: {
          companyId,
          connector,
          platformId: id,
          seenAt: { gt: new Date(now - freshMs) },
          agent: { active: true },
        },
        omit: { tokenEncrypted: true },
      });
      if (known !== null) return agentOf(known);
      const told = [textFor('email', email === null ? null : foldName(email)), textFor('name', name)];
      const [row] = await run<StoredPlatformAgent>(pool, meetPlatformAgent, [
        companyId,
        connector,
        id,
        ...told,
        foldName(platformId),
        new Date(now),
        most,
        isByName && name !== null ? foldName(name) : null,
      ]);
      return row === undefined ? null : agentOf(row);
    },

    async join(companyId, connector, { platformId, name }) {
      await run(pool, joinPlatformAgents, [
        companyId,
        connector,
        textFor('name', name),
        textFor('platform_id', platformId),
      ]);
    },

    async idOfName(companyId, connector, name) {
      const [only, another] = await prisma.platformAgent.findMany({
        where: { companyId, connector, name: textFor('name', name) },
        select: { platformId: true },
        take: 2,
      });
      return another === undefined ? (only?.platformId ?? null) : null;
    },

    async noteState(companyId, connector, platformId, { state, reason, at }) {
      const { count } = await prisma.platformAgent.updateMany({
        where: { companyId, connector, platformId, OR: [{ stateAt: null }, { stateAt: { lte: at } }] },
        data: { state, reason: textFor('reason', reason), stateAt: at },
      });
      return count > 0;
    },

    async find(companyId, connector, platformId) {
      if (!isStorableText(platformId)) return null;
      const row = await prisma.platformAgent.findUnique({
        where: { companyId_connector_platformId: { companyId, connector, platformId } },
      });
      return row === null ? null : agentOf(row);
    },

    async map(companyId, connector, platformId, agentId, isByName = false) {
      if (!isStorableText(platformId)) return null;
      if (agentId !== null)
        await run(pool, addPlatformAgent, [companyId, connector, platformId, new Date(clock.now()), most]);
      const [row] = await run<StoredPlatformAgent>(pool, mapPlatformAgent, [
        companyId,
        connector,
        platformId,
        agentId,
        foldName(platformId),
        isByName,
      ]);
      return row === undefined ? null : agentOf(row);
    },

    async setAccount(companyId, connector, platformId, accountEncrypted) {
      if (!isStorableText(platformId)) return false;
      return (
        (
          await prisma.platformAgent.updateMany({
            where: { companyId, connector, platformId },
            data: {
              accountEncrypted,
              tokenEncrypted: null,
              tokenExpiresAt: null,
              // The version goes on, so that no gateway takes its token of before for the new one's.
              tokenVersion: { increment: 1 },
              ...noLease,
            },
          })
        ).count > 0
      );
    },

    async list(companyId, connector, { cursor, limit }) {
      const rows = await prisma.platformAgent.findMany({
        where: { companyId, connector, platformId: { gt: cursor ?? '' } },
        orderBy: { platformId: 'asc' },
        take: limit + 1,
      });
      const items = rows.slice(0, limit).map(agentOf);
      return { items, nextCursor: rows.length > limit ? (items.at(-1)?.platformId ?? null) : null };
    },

    async ofAgent(companyId, agentId) {
      const rows = await prisma.platformAgent.findMany({
        where: { companyId, agentId, state: { not: null } },
        orderBy: { stateAt: 'desc' },
        take: 20,
      });
      return rows.map(agentOf);
    },

    async dialedFor(companyId, agentId) {
      const [row] = await run<ConnectionRow & { platformId: string; agentAccount: string | null }>(
        pool,
        platformDialsFor,
        [companyId, agentId],
      );
      return row === undefined
        ? null
        : { connection: connectionOf(row), platformId: row.platformId, accountEncrypted: row.agentAccount };
    },

    async atWork(since, { cursor, limit }) {
      const [companyId, connector, platformId] =
        cursor === null ? [firstId, '', ''] : (JSON.parse(cursor) as [string, string, string]);
      const rows = await run<StoredPlatformAgent>(pool, platformAgentsAtWork, [
        since,
        companyId,
        connector,
        platformId,
        limit + 1,
      ]);
      const items = rows.slice(0, limit).map(agentOf);
      const last = items.at(-1);
      return {
        items,
        nextCursor:
          rows.length > limit && last !== undefined
            ? JSON.stringify([last.companyId, last.connector, last.platformId])
            : null,
      };
    },
  };
}

/** Of a platform's agent, by the alias `p`. Its token is read where it is needed alone. */
const columns = fieldColumns(Prisma.PlatformAgentScalarFieldEnum, {
  of: 'p',
  but: ['tokenEncrypted', 'tokenExpiresAt', 'tokenVersion', 'tokenLeaseId', 'tokenLeaseUntil'],
});

/** Whom of the company that is: $1 company id, and what the platform tells; null fits nobody. An index look-up each. */
const matchOf = (email: string, foldedId: string, foldedName: string) => `
    SELECT a.id, 'email' AS matched_by, 1 AS place FROM agent a WHERE a.company_id = $1 AND a.active
      AND a.email = ${email}
    UNION ALL
    SELECT a.id, 'code', 2 FROM agent a WHERE a.company_id = $1 AND a.active
      AND lower(btrim(a.agent_code)) = lower(${foldedId})
    UNION ALL
    SELECT a.id, 'code', 3 FROM agent a WHERE a.company_id = $1 AND a.active
      AND lower(btrim(a.agent_code)) = lower(${foldedName})
    ORDER BY place LIMIT 1`;

/**
 * $1 company id, $2 connector, $3 platform's id, $4 e-mail address, folded, $5 name, $6 platform's id, folded,
 * $7 now, $8 how many at most, $9 the name, folded, where it may be a code. What an admin said stays, as long
 * as that agent is active.
 */
export const meetPlatformAgent = {
  name: 'meet_platform_agent',
  text: `WITH known AS (
    SELECT email FROM platform_agent WHERE company_id = $1 AND connector = $2 AND platform_id = $3
  ), found AS (${matchOf('coalesce($4, (SELECT email FROM known))', '$6', '$9::text')}
  )
  INSERT INTO platform_agent AS p (company_id, connector, platform_id, email, name, agent_id, matched_by, seen_at)
  SELECT c.company_id, c.connector, $3, $4, $5, (SELECT id FROM found), (SELECT matched_by FROM found), $7
  FROM cti_connection c WHERE c.company_id = $1 AND c.connector = $2
    AND (EXISTS (SELECT FROM known) OR (SELECT count(*) FROM platform_agent
      WHERE company_id = $1 AND connector = $2) < $8)
  ON CONFLICT (company_id, connector, platform_id) DO UPDATE SET
    email = coalesce(excluded.email, p.email), name = coalesce(excluded.name, p.name),
    seen_at = greatest(p.seen_at, excluded.seen_at),
    agent_id = CASE WHEN p.matched_by = 'table'
      AND EXISTS (SELECT FROM agent a WHERE a.company_id = $1 AND a.id = p.agent_id AND a.active)
      THEN p.agent_id ELSE excluded.agent_id END,
    matched_by = CASE WHEN p.matched_by = 'table'
      AND EXISTS (SELECT FROM agent a WHERE a.company_id = $1 AND a.id = p.agent_id AND a.active)
      THEN p.matched_by ELSE excluded.matched_by END
  RETURNING ${columns}`,
};

/**
 * $1 company id, $2 connector, $3 platform's id, $4 now, $5 how many at most.
 * Nothing where it is known, or there is no such connection.
 */
export const addPlatformAgent = {
  name: 'add_platform_agent',
  text: `INSERT INTO platform_agent (company_id, connector, platform_id, seen_at)
  SELECT c.company_id, c.connector, $3, $4 FROM cti_connection c WHERE c.company_id = $1 AND c.connector = $2
    AND (SELECT count(*) FROM platform_agent WHERE company_id = $1 AND connector = $2) < $5
  ON CONFLICT DO NOTHING`,
};

/**
 * $1 company id, $2 connector, $3 platform's id, $4 agent id or null, $5 platform's id, folded,
 * $6 whether the name may be a code.
 */
export const mapPlatformAgent = {
  name: 'map_platform_agent',
  text: `WITH known AS (
    SELECT email, CASE WHEN $6 THEN btrim(name) END AS code FROM platform_agent
    WHERE company_id = $1 AND connector = $2 AND platform_id = $3
  ), found AS (${matchOf('(SELECT email FROM known)', '$5', '(SELECT code FROM known)')}
  )
  UPDATE platform_agent p SET agent_id = coalesce($4::uuid, (SELECT id FROM found)),
    matched_by = CASE WHEN $4::uuid IS NOT NULL THEN 'table' ELSE (SELECT matched_by FROM found) END
  WHERE p.company_id = $1 AND p.connector = $2 AND p.platform_id = $3
  RETURNING ${columns}`,
};

/**
 * $1 company id, $2 connector, $3 name, $4 platform's id. Where both are known, the one by the name goes,
 * and what an admin said of it holds unless something was said of the other. Nothing where nobody is known by the name.
 */
export const joinPlatformAgents = {
  name: 'join_platform_agents',
  text: `WITH former AS (
    DELETE FROM platform_agent WHERE company_id = $1 AND connector = $2 AND platform_id = $3 RETURNING *
  )
  INSERT INTO platform_agent AS p (company_id, connector, platform_id, email, name, agent_id, matched_by, state, reason,
    state_at, account_encrypted, seen_at)
  SELECT company_id, connector, $4, email, $3, agent_id, matched_by, state, reason, state_at, account_encrypted, seen_at
  FROM former
  ON CONFLICT (company_id, connector, platform_id) DO UPDATE SET name = excluded.name,
    agent_id = CASE WHEN excluded.matched_by = 'table' AND p.matched_by IS DISTINCT FROM 'table' THEN excluded.agent_id
      ELSE coalesce(p.agent_id, excluded.agent_id) END,
    matched_by = CASE WHEN excluded.matched_by = 'table' AND p.matched_by IS DISTINCT FROM 'table' THEN 'table'
      ELSE coalesce(p.matched_by, excluded.matched_by) END`,
};

/** $1 company id, $2 agent id. */
export const platformDialsFor = {
  name: 'platform_dials_for',
  text: `SELECT ${connectionColumns}, p.platform_id AS "platformId", p.account_encrypted AS "agentAccount"
  FROM platform_agent p JOIN cti_connection c ON c.company_id = p.company_id AND c.connector = p.connector
  WHERE p.company_id = $1 AND p.agent_id = $2 AND c.dial_via = 'platform'
  ORDER BY p.state_at DESC NULLS LAST, p.seen_at DESC LIMIT 1`,
};

/** $1 since when, $2 to $4 the key of the last of the page before, $5 how many. */
export const platformAgentsAtWork = {
  name: 'platform_agents_at_work',
  text: `SELECT ${columns} FROM platform_agent p
  WHERE (p.company_id, p.connector, p.platform_id) > ($2, $3, $4) AND p.agent_id IS NOT NULL AND p.state <> 'offline'
    AND p.state_at > $1
  ORDER BY p.company_id, p.connector, p.platform_id LIMIT $5`,
};

function agentOf(row: Omit<StoredPlatformAgent, 'tokenEncrypted'>): PlatformAgent {
  return {
    ...row,
    companyId: row.companyId as CompanyId,
    agentId: row.agentId as AgentId | null,
    matchedBy: row.matchedBy as MatchedBy | null,
    state: row.state as AgentState | null,
  };
}
