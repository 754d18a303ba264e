import { vi } from 'vitest';
import { testPatienceMs } from './pace.ts';

// No test waits by a number of its own: what it waits for knows better what did not come.
vi.setConfig({ testTimeout: testPatienceMs(), hookTimeout: testPatienceMs() });
