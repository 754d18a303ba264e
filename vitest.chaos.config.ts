import { defineConfig } from 'vitest/config';

/** The chaos suite in full (`npm run test:chaos`): one scenario after the other, each with the machine to itself. */
export default defineConfig({
  test: {
    include: ['test/chaos/**/*.chaos.ts'],
    pool: 'forks',
    maxWorkers: 1,
    setupFiles: ['test/support/time/patientTests.ts'],
    teardownTimeout: 60_000,
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
