import { defaultDispositions } from '../../../src/contract/vocabulary.ts';
import type { Translate } from '../lib/i18n/catalog.ts';

/**
 * A disposition for a person: a standard one in the page's language,
 * one that the company has worded itself as it was typed.
 */
export function dispositionLabel(t: Translate, { code, label }: { code: string; label: string }): string {
  const standard = defaultDispositions.find((disposition) => disposition.code === code && disposition.label === label);
  return standard === undefined ? label : t(`shared.disposition.${standard.code}`);
}
