import type { Pool, PoolClient } from 'pg';
import { isDependencyFailure } from '../../ports/storeErrors.ts';

type How<T> = {
  /** Missing: READ COMMITTED. */
  level?: 'READ COMMITTED' | 'REPEATABLE READ READ ONLY';
  /** Whether what came of it is undone as well, such as a change that came too late. Missing: it is not. */
  isUndone?: (result: T) => boolean;
};

/** Does it in one transaction of SQL, which is undone where it fails. */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  { level = 'READ COMMITTED', isUndone = () => false }: How<T> = {},
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    await client.query(`BEGIN ISOLATION LEVEL ${level}`);
    const result = await work(client);
    await client.query(isUndone(result) ? 'ROLLBACK' : 'COMMIT');
    return result;
  } catch (error) {
    isBroken = isDependencyFailure(error);
    if (!isBroken) await client.query('ROLLBACK').catch(() => void (isBroken = true));
    throw error;
  } finally {
    // A connection that does not answer, or cannot even take back what it did, is of no use to anybody.
    client.release(isBroken);
  }
}
