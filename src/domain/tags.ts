import type { CompanySettings } from '../contract/companySettings.ts';
import type { CodeWithLabel } from '../contract/values.ts';
import { foldName } from './company.ts';

/**
 * What a call is marked with. `code`: of one of the company's tags; null: in the agent's own words.
 * `label`: as it was called then.
 */
export type CallTag = { code: string | null; label: string };

/**
 * By what tags are compared: a code, or words without their case, spaces around, and forms of letters that look alike.
 */
export function tagKey({ code, label }: CallTag): string {
  return code ?? foldName(label);
}

/** Those of the company, whose words are nobody's: what stays where the call's person was erased. */
export function companyTags(tags: readonly CallTag[]): CallTag[] {
  return tags.filter(({ code }) => code !== null);
}

/** Whether these are the same tags in the same order. */
export function sameTags(some: readonly CallTag[], others: readonly CallTag[]): boolean {
  return (
    some.length === others.length &&
    some.every((tag, place) => tagKey(tag) === tagKey(others[place] ?? { code: null, label: '' }))
  );
}

/**
 * The tags that somebody chose, each once: by the codes of the company's tags or what those are called, else in words
 * of their own where the company allows it. What the call has already stays possible, though the company has it no
 * more. Null: one of them may not be chosen.
 */
export function readTags(
  chosen: readonly string[],
  { tags: known, free_tags: isFree }: Pick<CompanySettings, 'tags' | 'free_tags'>,
  had: readonly CallTag[],
): CallTag[] | null {
  const read = new Map<string, CallTag>();
  for (const text of chosen) {
    const words = text.replace(/\s+/gu, ' ').trim();
    const tag =
      tagOf(known, words) ??
      had.find((one) => tagKey(one) === words || isCalled(one, words)) ??
      (isFree ? { code: null, label: words } : null);
    if (tag === null) return null;
    const key = tagKey(tag);
    if (!read.has(key)) read.set(key, tag);
  }
  return [...read.values()];
}

function tagOf(known: readonly CodeWithLabel[], words: string): CallTag | null {
  const tag = known.find(({ code }) => code === words) ?? known.find((one) => isCalled(one, words));
  return tag === undefined ? null : { code: tag.code, label: tag.label };
}

function isCalled({ label }: { label: string }, words: string): boolean {
  return foldName(label) === foldName(words);
}
