// For Prisma's own commands, such as `prisma migrate deploy` (docs/runbook.md);
// the gateway migrates by itself when it starts.
import { defineConfig } from 'prisma/config';
import { variables } from './src/environment.ts';

// Empty is unset, as it is to the gateway. Where it names a schema of its own,
// the gateway would not find there what Prisma makes.
const { data: url, error } = variables.shape.DATABASE_URL.safeParse(process.env['DATABASE_URL'] || undefined);
if (error !== undefined) throw new Error(`DATABASE_URL ${error.issues[0]?.message}`);

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url !== undefined && { datasource: { url } }),
});
