import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The calls of the interop job, as interop.full.test.ts starts them in a network of their own. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/interop/**/*.interop.ts'],
    pool: 'forks',
    maxWorkers: 1,
    setupFiles: ['test/support/time/patientTests.ts'],
    teardownTimeout: 60_000,
  },
});
