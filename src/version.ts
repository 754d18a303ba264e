import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The version of this software, as package.json has it. The file lies one level above both src/ and dist/. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
