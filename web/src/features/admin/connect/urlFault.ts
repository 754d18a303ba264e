import type { Translate } from '../../../lib/i18n/catalog.ts';

/** What is plainly wrong with a webhook URL; null: nothing that can be seen from here. The gateway knows more. */
export function urlFault(t: Translate, text: string): string | null {
  if (text === '') return t('admin.connect.url.missing');
  if (!/^https?:\/\//i.test(text)) return t('admin.connect.url.scheme');
  if (/[\s\\]/.test(text)) return t('admin.connect.url.characters');
  return URL.canParse(text) ? null : t('admin.connect.url.invalid');
}
