import { readFields } from '../contract/jsonReader.ts';
import { canonical } from '../contract/jsonText.ts';
import type { CrmScreenPop } from '../contract/socket.ts';

/**
 * What the CRM has pushed, field by field, in its order and with every digit: texts as they are,
 * everything else as JSON. `screen_pop.crm` holds the same as JavaScript reads it.
 */
export function crmFields({
  exact,
  screen_pop,
}: Pick<CrmScreenPop, 'exact' | 'screen_pop'>): [name: string, text: string][] {
  const fields = readFields(exact?.crm ?? JSON.stringify(screen_pop.crm ?? {}), canonical) ?? new Map<string, string>();
  return Array.from(fields, ([name, json]) => [name, json.startsWith('"') ? (JSON.parse(json) as string) : json]);
}
