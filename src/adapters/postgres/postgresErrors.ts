import pg from 'pg';
import { Prisma } from './generated/client.ts';

/**
 * SQLSTATE classes that blame the values of a statement: 22 data exception, 23 integrity constraint violation,
 * 54 program limit exceeded. See PostgreSQL's appendix A.
 */
const dataErrorClasses = ['22', '23', '54'];

/** Whether a statement failed because of what it was to write, not because of the server or the connection. */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && dataErrorClasses.includes(error.code?.slice(0, 2) ?? '');
}

/**
 * The name of an index as the migration gave it: in a distributed table,
 * a shard's index has the shard's number appended.
 */
function indexName(reported: string): string {
  return reported.replace(/_\d+$/, '');
}

/** The index of which another row has what it allows once, e.g. `company_slug_key`; null for any other error. */
export function takenIndex(error: unknown): string | null {
  return brokenKey(error, '23505', 'P2002');
}

/** The foreign key that would have led nowhere, e.g. `deal_company_id_owner_id_fkey`; null for any other error. */
export function brokenReference(error: unknown): string | null {
  return brokenKey(error, '23503', 'P2003');
}

/** The name of the key that a write ran against, be it SQL's or Prisma's. */
function brokenKey(error: unknown, sqlState: string, code: string): string | null {
  if (error instanceof pg.DatabaseError) return error.code === sqlState ? indexName(error.constraint ?? '') : null;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== code) return null;
  const [, found = ''] = /"index":"([^"]+)"/.exec(JSON.stringify(error.meta ?? {})) ?? [];
  return indexName(found);
}

/** Whether a statement failed because it waited for a lock for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/** Whether PostgreSQL ended a statement because it and others were waiting for each other. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01';
}

/** Whether a transaction was refused at its commit, because the call that it records was to be recorded earlier. */
export function isTooLate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === 'RL001';
}

/** Whether the error says that a row to change does not exist. */
export function isMissingRow(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025';
}
