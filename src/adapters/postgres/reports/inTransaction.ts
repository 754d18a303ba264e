import type { Pool, PoolClient } from 'pg';

/** Does it in one transaction, which is undone where it fails. */
export async function inTransaction<T>(
  pool: Pool,
  level: 'READ COMMITTED' | 'REPEATABLE READ READ ONLY',
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    await client.query(`BEGIN ISOLATION LEVEL ${level}`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => void (isBroken = true));
    throw error;
  } finally {
    // A connection that cannot even take back what it did is of no use to anybody.
    client.release(isBroken);
  }
}
