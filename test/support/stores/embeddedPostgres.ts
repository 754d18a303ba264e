import { join } from 'node:path';
import { killWithParent } from '../../../demo/cluster/orphans.ts';
import { readPostmaster } from '../../../src/adapters/postgres/embedded/postmaster.ts';

/**
 * An embedded PostgreSQL outlives its gateway so that the next one takes it over;
 * of a test's gateway there is no next one.
 */
export function postgresEndsWithUs(dataDir: string): { forget: () => void } {
  const postmaster = readPostmaster(join(dataDir, 'postgres'));
  if (postmaster === null) throw new Error(`no PostgreSQL runs on ${dataDir}`);
  return killWithParent(postmaster.pid);
}
