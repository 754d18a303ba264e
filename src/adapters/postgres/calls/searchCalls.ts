import { notMissed } from '../../../contract/callRules.ts';
import type { CallFilter } from '../../../ports/calls.ts';
import { wordsOf } from '../../../domain/searchText.ts';
import { isStorableText } from '../storableValues.ts';
import { customerName } from './callRows.ts';

/** A condition on its parameters, and the parameters. */
export type Condition = [sql: (...parameters: string[]) => string, ...values: unknown[]];

/** No call that is missed rings for longer than a day. Milliseconds. */
export const longestMs = 86_400_000;

/** SQL: as `isMissed` of the contract has it. */
export const isMissed = `direction = 'inbound' AND state = 'ended' AND answered_at IS NULL
  AND coalesce(end_detail, '') NOT IN (${notMissed.map((detail) => `'${detail}'`).join(', ')})`;

/**
 * $1 company id, $2 agent id, $3 ids of calls that began later than any which still counts, $4 after which end,
 * $5 how far it is counted.
 */
export const countMissedCalls = {
  name: 'count_missed_calls',
  text: `SELECT count(*) AS count FROM (
    SELECT FROM call WHERE company_id = $1 AND agent_id = $2 AND id >= $3 AND ${isMissed} AND ended_at > $4 LIMIT $5
  ) missed`,
};

export const ofResult: Record<NonNullable<CallFilter['result']>, Condition> = {
  missed: [() => isMissed],
  answered: [() => 'answered_at IS NOT NULL'],
};

/** What words are looked for in; no word reaches from one into the next. */
const texts = `concat_ws(' ', ${customerName}, caller, disposition_code, disposition_label, disposition_notes,
  notes_draft, phone)`;

/** Calls in which each of the words stands, accents aside in the customer's name; or whose number is written so. */
export function withText({ words, numbers }: NonNullable<CallFilter['text']>): Condition {
  if (!isStorableText(words)) return [() => 'FALSE'];
  const each = words.split(/\s+/).map((word) => `%${likePattern(word)}%`);
  const folded = wordsOf(words).map((word) => `%${word}%`);
  if (numbers === null && folded.length > 0) {
    return [
      (p, f) => `(${texts} ILIKE ALL (${p}::text[]) OR crm_fold(${customerName}) LIKE ALL (${f}::text[]))`,
      each,
      folded,
    ];
  }
  if (numbers === null) return [(p) => `${texts} ILIKE ALL (${p}::text[])`, each];
  const end = numbers.reversedEnd === null ? [] : [`%${[...numbers.reversedEnd].toReversed().join('')}`];
  const spelled = [...[...numbers.prefixes, ...numbers.elsewhere].map((prefix) => `${prefix}%`), ...end];
  return [(p, n) => `(${texts} ILIKE ALL (${p}::text[]) OR phone LIKE ANY (${n}::text[]))`, each, spelled];
}

/** What stands for anything in LIKE stands for itself. */
function likePattern(word: string): string {
  return word.replaceAll(/[%_\\]/g, String.raw`\$&`);
}
