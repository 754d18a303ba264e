import { afterAll, beforeAll, expect } from 'vitest';
import { cameLate } from './cameLate.ts';

/** What tests replace for a while, and what every test after them relies on. */
const replaced = [
  'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Date', 'performance',
  'fetch', 'navigator', 'window', 'document', 'localStorage', 'WebSocket', 'RTCPeerConnection', 'requestAnimationFrame',
] as const;

type Globals = Record<string, unknown>;
const globals = globalThis as Globals & { ofTheProcess?: Globals };

const present = () => Object.fromEntries(replaced.map((name) => [name, globals[name]]));
/** As the first file of this process found them. */
const original = (globals.ofTheProcess ??= present());

/** Files run one after the other in one process: what one of them leaves behind breaks others, far from its cause. */
function isAsItWas(): void {
  const now = present();
  expect(replaced.filter((name) => now[name] !== original[name]), 'what a test has replaced and not put back').toEqual([]);
  expect(cameLate.splice(0), 'what tests did after they were over').toEqual([]);
}

// Mocks are restored between files as well: one that was made of another replacement brings that back.
beforeAll(isAsItWas);
afterAll(isAsItWas);
