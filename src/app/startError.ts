import { SecretFileError } from '../adapters/crypto/secretFile.ts';
import { DataDirLockedError } from '../adapters/postgres/embedded/dataDirLock.ts';
import { EmbeddedPostgresError } from '../adapters/postgres/embedded/programs.ts';
import { DatabaseRefusedError } from '../adapters/postgres/firstConnection.ts';
import { MigrationError } from '../adapters/postgres/migrationError.ts';

/** The gateway cannot start because of something around it. The message is one line for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Errors whose messages are written for the operator. */
const tellThemselves = [DataDirLockedError, EmbeddedPostgresError, MigrationError, SecretFileError];

/**
 * Runs a step of the start that needs files or a database. Throws StartError for what the operator can fix.
 * @param variable the environment variable that such faults are about
 */
export async function startStep<T>(variable: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = reasonOf(error, variable);
    if (reason === null) throw error;
    throw new StartError(reason.replace(/\s+/g, ' '), { cause: error });
  }
}

/** Null: a bug of the gateway, which needs its stack trace. */
function reasonOf(error: unknown, variable: string): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof DatabaseRefusedError) return `${variable} cannot be used: ${error.message}`;
  if (tellThemselves.some((type) => error instanceof type)) return error.message;
  // Files, sockets, PostgreSQL: no permission, refused, unknown host, wrong password. Some have no message.
  if ('code' in error && typeof error.code === 'string')
    return `${variable} cannot be used: ${error.message || error.code}`;
  // Of the pool: no connection or no answer in time.
  const inTime = /^(timeout exceeded|Connection terminated|Query read timeout)/.test(error.message);
  return inTime ? `${variable} cannot be used: ${error.message}` : null;
}
