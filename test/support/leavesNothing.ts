import { afterAll, beforeAll, expect, inject } from 'vitest';
import { cameLate } from './cameLate.ts';
import { eventually } from './time/waiting.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whether whatever the tests start is installed. */
    hasAllPrograms: boolean;
  }
}

/** What tests replace for a while, and what every test after them relies on. */
const replaced = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
  'fetch',
  'navigator',
  'window',
  'document',
  'localStorage',
  'WebSocket',
  'RTCPeerConnection',
  'requestAnimationFrame',
] as const;

type Globals = Record<string, unknown>;
const globals = globalThis as Globals & { ofTheProcess?: Globals; running?: string[] };

const present = () => Object.fromEntries(replaced.map((name) => [name, globals[name]]));
/** As the first file of this process found them. */
const original = (globals.ofTheProcess ??= present());

/** Processes that this one has started, and servers that listen in it. */
const running = () =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => /^(Process|(TCP|Pipe)Server)Wrap$/.test(kind))
    .sort();
globals.running ??= running();

/** Files run one after the other in one process: what one of them leaves behind breaks others, far from its cause. */
function isAsItWas(): void {
  const now = present();
  expect(
    replaced.filter((name) => now[name] !== original[name]),
    'what a test has replaced and not put back',
  ).toEqual([]);
  expect(cameLate.splice(0), 'what tests did after they were over').toEqual([]);
}

async function nothingRuns(): Promise<void> {
  // A file that is left out in its middle leaves what it had begun.
  if (!inject('hasAllPrograms')) return;
  const before = globals.running;
  try {
    // What was ended a moment ago is gone in the next.
    await eventually(() => expect(running(), 'processes and servers that still run').toEqual(before));
  } finally {
    globals.running = running();
  }
}

// Mocks are restored between files as well: one that was made of another replacement brings that back.
beforeAll(isAsItWas);
afterAll(isAsItWas);
afterAll(nothingRuns);
