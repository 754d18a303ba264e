// npm run guides:pictures: makes the pictures of docs/guides anew, from the pages as they are.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const inRoot = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const made = inRoot('test/browser/screenshots/guides');
const kept = inRoot('docs/guides/images');

rmSync(made, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [inRoot('scripts/test.mjs'), 'test/browser/guides.full.test.ts'], {
  stdio: 'inherit',
  cwd: inRoot('.'),
});
if (status !== 0) process.exit(1);
rmSync(kept, { recursive: true, force: true });
cpSync(made, kept, { recursive: true });
console.log(`the pictures are in ${kept}`);
