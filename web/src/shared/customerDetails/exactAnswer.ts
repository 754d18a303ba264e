import { readFields } from '../../../../src/contract/jsonReader.ts';
import { canonical } from '../../../../src/contract/jsonText.ts';
import type { ExactTexts } from '../../../../src/contract/screenPops.ts';

/** An answer with a screen pop in it, and the CRM's fields as they were written, as softphones get them. */
export type ExactAnswer<T> = T & { exact?: ExactTexts };

/** Reads such an answer: numbers keep every digit, fields their order. Throws for what is no JSON. */
export function readExactAnswer(text: string): unknown {
  const answer = JSON.parse(text) as object;
  const pop = fieldOf(text, 'screen_pop');
  const [crm, metadata] = [pop === undefined ? undefined : fieldOf(pop, 'crm'), fieldOf(text, 'metadata')];
  return { ...answer, exact: { ...(isObject(crm) ? { crm } : {}), ...(isObject(metadata) ? { metadata } : {}) } };
}

function fieldOf(text: string, name: string): string | undefined {
  return readFields(text, canonical)?.get(name);
}

function isObject(text: string | undefined): text is string {
  return text?.startsWith('{') === true;
}
