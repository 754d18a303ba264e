import type { DialVia } from '../../../contract/ctiConnections.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import type { CtiConnection, CtiConnectionStore } from '../../../ports/cti.ts';
import { type CtiConnection as StoredConnection, Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { fieldColumns, run } from '../queries.ts';
import { textFor } from '../storableValues.ts';

/** How often the time of the latest event is written down. Milliseconds. */
const noteEveryMs = 10_000;

const unread = ['tokenHash', 'listenerId', 'listenerUntil'] as const;
export type ConnectionRow = Omit<StoredConnection, (typeof unread)[number]>;

/** Connections with telephony platforms in PostgreSQL. */
export function createCtiConnectionStore({
  pool,
  prisma,
  clock,
}: Pick<StoreParts, 'pool' | 'prisma' | 'clock'>): CtiConnectionStore {
  return {
    async list(companyId) {
      const rows = await run<ConnectionRow & { mapped: number; unmapped: number }>(pool, listCtiConnections, [
        companyId,
      ]);
      return rows.map((row) => ({ ...connectionOf(row), agents: { mapped: row.mapped, unmapped: row.unmapped } }));
    },

    async find(companyId, connector) {
      const row = await prisma.ctiConnection.findUnique({
        where: { companyId_connector: { companyId, connector } },
        omit: { tokenHash: true, listenerId: true, listenerUntil: true },
      });
      return row === null ? null : connectionOf(row);
    },

    async findByTokenHash(tokenHash) {
      const [row] = await run<ConnectionRow>(pool, findCtiAddress, [tokenHash]);
      return row === undefined ? null : connectionOf(row);
    },

    async issue(companyId, connector, { tokenHash, secretEncrypted }) {
      const issued = { tokenHash, secretEncrypted, issuedAt: new Date(clock.now()), lastReceivedAt: null };
      await prisma.ctiConnection.upsert({
        where: { companyId_connector: { companyId, connector } },
        create: { companyId, connector, ...issued },
        update: issued,
      });
    },

    async change(companyId, connector, { accountEncrypted, dialVia, listens }) {
      const data = {
        ...(accountEncrypted === undefined ? {} : { accountEncrypted }),
        ...(dialVia === undefined ? {} : { dialVia }),
        ...(listens === undefined ? {} : { listens }),
      };
      return (await prisma.ctiConnection.updateMany({ where: { companyId, connector }, data })).count > 0;
    },

    async leaseListening(holder, { now, until }, limit) {
      return (await run<ConnectionRow>(pool, leaseListening, [holder, now, until, limit])).map(connectionOf);
    },

    async releaseListening(holder) {
      await run(pool, releaseListening, [holder]);
    },

    async noteListening(companyId, connector, listenerId, error) {
      await prisma.ctiConnection.updateMany({
        where: { companyId, connector, listenerId },
        data: { listenerError: textFor('listener_error', error) },
      });
    },

    async remove(companyId, connector) {
      return (await prisma.ctiConnection.deleteMany({ where: { companyId, connector } })).count > 0;
    },

    async noteReceived(companyId, connector) {
      const now = clock.now();
      const stale = [{ lastReceivedAt: null }, { lastReceivedAt: { lt: new Date(now - noteEveryMs) } }];
      await prisma.ctiConnection.updateMany({
        where: { companyId, connector, OR: stale },
        data: { lastReceivedAt: new Date(now) },
      });
    },
  };
}

/** Of a connection, by the alias `c`. */
export const connectionColumns = fieldColumns(Prisma.CtiConnectionScalarFieldEnum, { but: unread, of: 'c' });

/** $1 company id. */
export const listCtiConnections = {
  name: 'list_cti_connections',
  text: `SELECT ${connectionColumns}, count(a.agent_id)::int AS mapped,
    (count(a.platform_id) - count(a.agent_id))::int AS unmapped
  FROM cti_connection c LEFT JOIN platform_agent a ON a.company_id = c.company_id AND a.connector = c.connector
  WHERE c.company_id = $1 GROUP BY c.company_id, c.connector ORDER BY c.connector`,
};

/** $1 gateway, $2 now, $3 until when, $4 how many at most. Of any company. */
export const leaseListening = {
  name: 'lease_listening',
  text: `UPDATE cti_connection c SET listener_id = $1, listener_until = $3
  FROM (
    SELECT company_id, connector FROM cti_connection
    WHERE listens AND (listener_id = $1 OR listener_until IS NULL OR listener_until < $2)
    ORDER BY company_id, connector LIMIT $4 FOR UPDATE SKIP LOCKED
  ) free WHERE c.company_id = free.company_id AND c.connector = free.connector
  RETURNING ${connectionColumns}`,
};

/** $1 gateway. */
export const releaseListening = {
  name: 'release_listening',
  text: `UPDATE cti_connection c SET listener_id = NULL, listener_until = NULL
  FROM (SELECT company_id, connector FROM cti_connection WHERE listens AND listener_id = $1) held
  WHERE c.company_id = held.company_id AND c.connector = held.connector`,
};

/** $1 SHA-256 of the token, hex. */
export const findCtiAddress = {
  name: 'find_cti_address',
  text: `SELECT ${connectionColumns} FROM cti_connection c WHERE c.token_hash = $1`,
};

export function connectionOf(row: ConnectionRow): CtiConnection {
  const {
    accountEncrypted,
    companyId,
    connector,
    dialVia,
    issuedAt,
    lastReceivedAt,
    listenerError,
    listens,
    secretEncrypted,
  } = row;
  return {
    companyId: companyId as CompanyId,
    connector,
    secretEncrypted,
    dialVia: dialVia as DialVia,
    accountEncrypted,
    listens,
    listenerError,
    issuedAt,
    lastReceivedAt,
  };
}
