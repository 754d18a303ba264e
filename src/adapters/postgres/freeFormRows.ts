import { canonical, JsonText } from '../../contract/jsonText.ts';
import { readFields } from '../../contract/jsonReader.ts';
import type { ExactScreenPop } from '../../contract/screenPops.ts';

/** Reads a screen pop from its JSON text. */
export function readScreenPop(text: string): ExactScreenPop {
  const fields = readFields(text, canonical) ?? new Map<string, string>();
  return Object.fromEntries(
    Array.from(fields, ([name, value]) => [name, name === 'crm' ? new JsonText(value) : (JSON.parse(value) as unknown)]),
  );
}
