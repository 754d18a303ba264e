import './nodeVersion.mjs';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ensureInstalled } from './install.mjs';
import { fromRoot, isProgram, mustRun, say } from './project.mjs';

const stampFile = fromRoot('src/adapters/postgres/generated/.stamp');

/** Makes Prisma's client from schema.prisma unless the one that is there was made from it. */
export function ensureGenerated() {
  const stamp = createHash('sha256')
    .update(readFileSync(fromRoot('prisma/schema.prisma')))
    .update(readFileSync(fromRoot('node_modules/prisma/package.json')))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('generating the database client');
  mustRun(process.execPath, [fromRoot('node_modules/prisma/build/index.js'), 'generate', '--no-hints'], {
    // Generating does not use the engine, but Prisma downloads it unless this names a file that exists.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    // Nor does it need a database: what is wrong with this one is for the gateway to say.
    DATABASE_URL: '',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
  writeFileSync(stampFile, stamp);
}

if (isProgram(import.meta.url)) {
  ensureInstalled();
  ensureGenerated();
}
