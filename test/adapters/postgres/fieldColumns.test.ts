import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from '../../../src/adapters/postgres/generated/client.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { fieldColumns } from '../../../src/adapters/postgres/queries.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

/** The fields of a model, by their names. */
type Fields = Readonly<Record<string, string>>;

const fieldsOf = (model: string) => (Prisma as unknown as Record<string, Fields>)[`${model}ScalarFieldEnum`] ?? {};
const tableOf = (model: string) => model.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

describe('the columns of a table, by Prisma’s list of its fields', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof createPool>;

  beforeAll(async () => {
    database = await createDatabase();
    pool = createPool({ url: database.url, max: 1, applicationName: 'columns' });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it.each(Object.keys(Prisma.ModelName))('are those that the table of %s has', async (model) => {
    const all = Object.keys(fieldsOf(model));
    expect(all).not.toEqual([]);
    const { fields } = await pool.query(
      `SELECT ${fieldColumns(fieldsOf(model), { of: 't' })} FROM ${tableOf(model)} t`,
    );
    expect(fields.map(({ name }) => name)).toEqual(all);
  });

  it('leave out what is not wanted', () => {
    const columns = fieldColumns(Prisma.TeamMemberScalarFieldEnum, { but: ['companyId'] });
    expect(columns).toBe('team_id AS "teamId", agent_id AS "agentId"');
  });
});
