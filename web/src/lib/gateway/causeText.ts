import type { CauseParam } from '../../../../src/contract/causes.ts';
import type { Translate } from '../i18n/catalog.ts';

/**
 * What an English sentence of the gateway says, as it tells it beside the sentence.
 * Of a newer gateway it may be one that pages do not know.
 */
export type Cause = { code: string; params?: Readonly<Record<string, CauseParam>> | undefined };

/**
 * What the gateway says, in the page's language; where the page has no words for it, as the gateway put it.
 * @param english the gateway's sentence
 */
export function causeText(t: Translate, cause: Cause | null | undefined, english: string): string {
  if (cause == null) return english;
  const values = Object.fromEntries(
    Object.entries(cause.params ?? {}).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  const words = { ...values, defaultValue: '' };
  return (
    t(`shared.cause.${cause.code as 'required'}`, words) ||
    t(`admin.cause.${cause.code as 'url_invalid'}`, words) ||
    english
  );
}
