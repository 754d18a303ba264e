// What a gateway does with its data directory, as a process that the tests can kill. Argument: the directory.
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../../src/adapters/postgres/embedded/embeddedPostgres.ts';

const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: () => undefined });
const client = new pg.Client({ connectionString: server.url });
await client.connect();
await client.query("CREATE TABLE gateway_was_here AS SELECT 'committed' AS note");
process.once(
  'SIGINT',
  () =>
    void client
      .end()
      .then(server.stop)
      .then(() => process.exit(0)),
);
console.log('started');
