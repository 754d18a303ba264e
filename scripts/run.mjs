// node scripts/run.mjs <file.ts> [arguments]: runs a TypeScript program of this package straight from its source.
import './nodeVersion.mjs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';

const [node = '', , file, ...args] = process.argv;
if (!file) {
  console.error('usage: node scripts/run.mjs <file.ts> [arguments]');
  process.exit(1);
}
ensureInstalled();
ensureGenerated();
const { register } = await import('tsx/esm/api');
register();
process.argv = [node, resolve(file), ...args];
await import(pathToFileURL(resolve(file)).href);
