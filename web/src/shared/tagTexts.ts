import type { CallTag } from '../../../src/contract/calls.ts';

/** Tags as requests name them. */
export function tagTexts(tags: readonly CallTag[]): string[] {
  return tags.map(({ code, label }) => code ?? label);
}

/** Tags in a line. Gateways of before told none. */
export function tagsText(tags: readonly CallTag[] = []): string {
  return tags.map(({ label }) => label).join(', ');
}
