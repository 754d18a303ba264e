import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import type { Clock } from '../../ports/clock.ts';
import { Prisma, PrismaClient } from './generated/client.ts';
import { indexName } from './postgresErrors.ts';

/** What the stores are made of: one pool for the hot statements and Prisma alike. Each takes what it needs. */
export type StoreParts = {
  pool: Pool;
  prisma: PrismaClient;
  /** For times that the dispatcher compares with its own clock, and for changes by admins. */
  clock: Clock;
};

/**
 * Prisma over the shared pool. Its sessions must have `TimeZone` UTC: the adapter reads every timestamp as UTC.
 * `$disconnect` leaves the pool open; whoever made the pool ends it.
 */
export function createPrisma(pool: Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool) });
}

/** Waiting for rows that others hold and for a connection, and the whole transaction, in milliseconds. */
export const transactionPatience = { maxWait: 5_000, timeout: 10_000 };

/** Whether the error says that a row to change does not exist. */
export function isMissingRow(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025';
}

/** The name of the unique index that a write ran against, e.g. `company_slug_key`; null for any other error. */
export function violatedIndex(error: unknown): string | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') return null;
  const found = /"index":"([^"]+)"/.exec(JSON.stringify(error.meta ?? {}));
  return found?.[1] === undefined ? null : indexName(found[1]);
}
