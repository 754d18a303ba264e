/** The embedded PostgreSQL cannot work here. The message is for the operator and ends with the way out. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';

  constructor(reason: string, cause?: unknown) {
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    super(`embedded PostgreSQL: ${reason}${detail}. Set DATABASE_URL to use a PostgreSQL server of your own.`, { cause });
  }
}
