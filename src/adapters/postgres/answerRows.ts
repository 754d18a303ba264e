import { JsonText, writeJson } from '../../contract/jsonText.ts';

/**
 * An answer is kept as a JSON string that holds the JSON text: jsonb itself would reorder its keys and refuse some
 * texts, and the first answer must come back byte for byte.
 */
export function answerAsStored(body: unknown): string {
  return JSON.stringify(answerText(body));
}

/** The JSON text of an answer, as it is sent. */
export function answerText(body: unknown): string {
  return writeJson(body);
}

/** Reads what answerAsStored wrote, as the driver parsed it. */
export function readAnswer(stored: unknown): JsonText {
  if (typeof stored !== 'string') throw new Error('a remembered answer is no text');
  return new JsonText(stored);
}
