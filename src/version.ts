import { readFileSync } from 'node:fs';

/** Of the software, from package.json; the same file from src/ and dist/. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
