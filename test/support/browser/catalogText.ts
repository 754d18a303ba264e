import { readFileSync } from 'node:fs';
import { pseudoText } from '../../../web/src/lib/i18n/pseudo.ts';

/** What the catalog of a language says; also of `pseudo`. @param key `softphone.deskPhone.ended` */
export function catalogText(language: string, key: string): string {
  const [area = '', ...names] = key.split('.');
  const file = new URL(
    `../../../web/src/locales/${language === 'pseudo' ? 'en' : language}/${area}.json`,
    import.meta.url,
  );
  const found = names.reduce<unknown>(
    (node, name) => (node as Record<string, unknown>)[name],
    JSON.parse(readFileSync(file, 'utf8')),
  );
  if (typeof found !== 'string') throw new Error(`there is no text ${key} in ${language}`);
  return language === 'pseudo' ? pseudoText(found) : found;
}
