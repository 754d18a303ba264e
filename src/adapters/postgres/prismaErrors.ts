import { Prisma } from './generated/client.ts';
import { indexName } from './postgresErrors.ts';

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
