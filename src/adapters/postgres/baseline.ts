import type { PoolClient } from 'pg';
import { MigrationError } from './migrationError.ts';
import { noteMigration, readHistory, someOf, type Migration } from './migrationHistory.ts';

/**
 * Takes a database that has all the migrations which a baseline stands for as being at that baseline: notes it in their
 * place, in one transaction, and changes nothing else. A database that has none of them is left alone. Which they are
 * stands in the baseline's `former.txt`; another baseline would stand for this one and what came after it.
 *
 * @param migrations of this version
 * @throws MigrationError when the database has some of them only,
 * or others under their names: nothing here could bring it up to date.
 */
export async function takeAsBaseline(client: PoolClient, migrations: readonly Migration[]): Promise<void> {
  const applied = await readHistory(client);
  for (const baseline of migrations) {
    const former = [...baseline.former.keys()];
    if (applied.has(baseline.name) || !former.some((name) => applied.has(name))) continue;
    const lacking = former.filter((name) => {
      const one = applied.get(name);
      return one?.finished !== true || one.checksum !== baseline.former.get(name);
    });
    if (lacking.length > 0) {
      throw new MigrationError(
        `the database is of a version before ${baseline.name} and lacks ${someOf(lacking)} of the ${former.length} ` +
          'migrations that it stands for. ' +
          'Nothing was changed. Start the last version before it once, which adds them, and then this one',
      );
    }
    await client.query('BEGIN');
    await client.query('DELETE FROM "_prisma_migrations" WHERE migration_name = ANY ($1)', [former]);
    await noteMigration(client, baseline);
    await client.query('COMMIT');
  }
}
