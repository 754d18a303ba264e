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

/** Whether a statement failed because another row has what this index allows only once. */
export function violatesUnique(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && indexName(error.constraint ?? '') === index;
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

/** The name of the unique index that a write ran against, e.g. `company_slug_key`; null for any other error. */
export function violatedIndex(error: unknown): string | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2002') return null;
  const found = /"index":"([^"]+)"/.exec(JSON.stringify(error.meta ?? {}));
  return found?.[1] === undefined ? null : indexName(found[1]);
}
