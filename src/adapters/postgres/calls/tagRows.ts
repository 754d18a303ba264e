import { type CallTag, tagKey } from '../../../domain/tags.ts';
import { textFor } from '../storableValues.ts';

/** A tag as `call.tags` and corrections hold it; `key`: by what calls are found. */
type StoredTag = CallTag & { key: string };

/** Tags as they are stored. Throws InvalidTextError. */
export function storedTags(tags: readonly CallTag[]): StoredTag[] {
  return tags.map(({ code, label }) => ({ key: tagKey({ code, label }), code, label: textFor('tags', label) }));
}

/** Reads them. @param stored null or absent: gateways of before wrote none */
export function readTags(stored: unknown): CallTag[] {
  return ((stored ?? []) as StoredTag[]).map(({ code, label }) => ({ code, label }));
}

/** SQL: of stored tags those of the company, whose words are nobody's. @param column a jsonb */
export function withoutOwnWords(column: string): string {
  return `(SELECT coalesce(jsonb_agg(tag ORDER BY place), '[]')
    FROM jsonb_array_elements(${column}) WITH ORDINALITY AS one (tag, place) WHERE tag->>'code' IS NOT NULL)`;
}
