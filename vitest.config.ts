import { readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, so that no worker is left alone with it at the end: beginnings of paths, the longest first. */
const longest = [
  'test/interop/',
  'test/chaos/',
  'test/bench/',
  'test/browser/',
  'test/packages/',
  'test/cluster/',
  'test/journeys/',
  'test/adapters/redis',
];

/**
 * The longest first, and at the end all that want a DOM: a process ends where the next file wants another environment.
 */
class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      if (readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment')) return longest.length + 1;
      const found = longest.findIndex((start) => moduleId.includes(`/${start}`));
      return found < 0 ? longest.length : found;
    };
    const ranks = new Map(files.map((file) => [file, rank(file)]));
    return (await super.sort(files)).toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/support/time/patientTests.ts', 'test/support/leavesNothing.ts', 'test/support/propertySeed.ts'],
    tags: [{ name: 'full', description: 'beside the main ways: npm run test:full alone, as all of *.full.test.ts' }],
    // `npm test` tries properties by the same examples on every machine, the full run by others each time. It
    // prints the seed by which they come again (`PROPERTY_SEED=… npm run test:full`). Whatever fails becomes an
    // example of its property.
    provide: { propertySeed: 2_026, databaseFolder: tmpdir(), givenRedisUrl: null, hasAllPrograms: true },
    globalSetup: ['test/support/stores/postgresRun.ts', 'test/support/stores/redisRun.ts'],
    // Processes, so that what runs at the same time shares neither environment nor processor.
    pool: 'forks',
    // One file after the other in a process that has loaded everything already.
    // What a test leaves behind is met by those after it, as it should be: nothing may be left behind.
    isolate: false,
    // More than there are cores: what dies, stalls and times out is waited for, and costs no processor meanwhile.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: Order },
    teardownTimeout: 60_000,
    // A rejection that nobody handled fails the run, though every test passed.
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
