import { languages, type Language } from '../../../../src/contract/vocabulary.ts';

/** Made from English by code, so that a text outside the catalogs, or a place too narrow for a longer one, is seen. */
export const pseudo = 'pseudo';
/** What a page can be shown in. */
export type PageLanguage = Language | typeof pseudo;

/** As their speakers call them; in a menu nobody looks for the name in another language. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
};

export type LanguagePreferences = {
  /** `?lng=` of the address. */
  asked: string | null;
  /** What was chosen in this browser. */
  own: string | null;
  /** The browser's languages, the most liked first: `de-AT`, `en`. */
  browser: readonly string[];
  /** The company's language. */
  company: string | null;
};

/**
 * The language of a page: as asked for in its address, else the own choice, the browser's languages,
 * the company's, English.
 */
export function chooseLanguage({ asked, own, browser, company }: LanguagePreferences): PageLanguage {
  if (asked === pseudo) return pseudo;
  for (const preferred of [asked, own, ...browser, company]) {
    const language = preferred === null ? null : languageOf(preferred);
    if (language !== null) return language;
  }
  return 'en';
}

/** `de-AT` → `de`; null: none of ours. */
export function languageOf(tag: string): Language | null {
  const base = tag.toLowerCase().split('-')[0];
  return languages.find((language) => language === base) ?? null;
}

/** `rtl` only for the pseudo language, which stands for those that are written from right to left. */
export function directionOf(language: PageLanguage): 'ltr' | 'rtl' {
  return language === pseudo ? 'rtl' : 'ltr';
}

/**
 * Whose habits numbers and dates follow: the browser's variant of the language (`de-AT`) where it has one, else the
 * language's own.
 * @param browser the browser's languages
 */
export function localeOf(language: PageLanguage, browser: readonly string[]): string {
  const base = language === pseudo ? 'en' : language;
  return browser.find((tag) => languageOf(tag) === base) ?? base;
}
