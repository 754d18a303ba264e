import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgresRun.ts', 'test/support/redisRun.ts'],
    // Processes, so that a test file's sockets, timers and environment are its own.
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    // A rejection that nobody handled fails the run, though every test passed.
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
