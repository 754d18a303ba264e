import i18next from 'i18next';
import ICU from 'i18next-icu';
import { initReactI18next } from 'react-i18next';
import { languages, type Language } from '../../../../src/contract/vocabulary.ts';
import type { Area, Catalog } from './catalog.ts';
import { chooseLanguage, directionOf, localeOf, pseudo, type PageLanguage } from './languages.ts';
import type { Texts } from './pseudo.ts';

const ownKey = 'readyline.language';
const companyKey = 'readyline.company-language';

let english: Partial<Catalog> = {};

/**
 * Resolves when the page can be shown in the language that it is to have. Where the texts of that language cannot be
 * loaded, the page is English.
 * @param texts the English texts of all areas that the page shows
 */
export async function startTexts(texts: Partial<Catalog>): Promise<void> {
  english = texts;
  await i18next
    .use(ICU)
    .use(initReactI18next)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      supportedLngs: [...languages, pseudo],
      resources: { en: { translation: texts } },
      interpolation: { escapeValue: false },
      // Numbers within a text as those beside it: by the browser's variant of the language.
      i18nFormat: { parseLngForICU: (language: string) => localeOf(language as PageLanguage, navigator.languages) },
      react: { useSuspense: false },
    });
  // The choice in another tab, or in the page around this frame, is one for this page too.
  window.addEventListener('storage', ({ key }) => {
    if (key === ownKey || key === companyKey) void show(preferred());
  });
  await show(preferred());
}

/**
 * Adds the texts of areas that a page loads later. Resolves when they are there in the page's language too, or,
 * where they cannot be loaded, in English.
 * @param texts the English texts
 */
export async function addTexts(texts: Partial<Catalog>): Promise<void> {
  english = { ...english, ...texts };
  i18next.addResourceBundle('en', 'translation', texts, true);
  // The page may be about to change: it does once the texts are there that it had when it was asked to.
  await hasTexts(wanted);
}

/** What was chosen in this browser; null: nothing, so that the browser's languages decide. */
export function ownLanguage(): Language | null {
  return localStorage.getItem(ownKey) as Language | null;
}

/** Shows all pages of this browser in that language from now on; null: in the browser's. */
export async function chooseOwnLanguage(language: Language | null): Promise<void> {
  if (language === null) localStorage.removeItem(ownKey);
  else localStorage.setItem(ownKey, language);
  await show(preferred(null));
}

/** The company has that language, for those whose browser has none of ours. */
export async function setCompanyLanguage(language: Language | null): Promise<void> {
  if (language === null) localStorage.removeItem(companyKey);
  else localStorage.setItem(companyKey, language);
  await show(preferred());
}

function preferred(asked: string | null = new URLSearchParams(location.search).get('lng')): PageLanguage {
  return chooseLanguage({
    asked,
    own: localStorage.getItem(ownKey),
    browser: navigator.languages,
    company: localStorage.getItem(companyKey),
  });
}

/** Which of the requests below is the last one: the texts of an earlier one may arrive after it. */
let lastShow = 0;
/** The language of that request. */
let wanted: PageLanguage = 'en';

async function show(language: PageLanguage): Promise<void> {
  const request = ++lastShow;
  wanted = language;
  const shown = (await hasTexts(language)) ? language : 'en';
  if (request !== lastShow) return;
  if (shown !== i18next.language) await i18next.changeLanguage(shown);
  document.documentElement.lang = shown === pseudo ? 'en-XA' : shown;
  document.documentElement.dir = directionOf(shown);
}

async function hasTexts(language: PageLanguage): Promise<boolean> {
  if (language === 'en') return true;
  const missing = (Object.keys(english) as Area[]).filter(
    (area) => i18next.getResource(language, 'translation', area) === undefined,
  );
  if (missing.length === 0) return true;
  const texts = await load(language, missing).catch(() => null);
  if (texts !== null) i18next.addResourceBundle(language, 'translation', texts, true);
  return texts !== null;
}

/** A catalog is a file of its own, asked for when a reader wants it. English comes with the page. */
const files: Readonly<Record<Exclude<Language, 'en'>, (area: Area) => Promise<unknown>>> = {
  de: (area) => import(`../../locales/de/${area}.json`),
  es: (area) => import(`../../locales/es/${area}.json`),
  fr: (area) => import(`../../locales/fr/${area}.json`),
};

async function load(language: Exclude<PageLanguage, 'en'>, areas: readonly Area[]): Promise<Texts> {
  if (language === pseudo) {
    const { pseudoCatalog } = await import('./pseudo.ts');
    return pseudoCatalog(Object.fromEntries(areas.map((area) => [area, english[area] as Texts])));
  }
  const loaded = await Promise.all(
    areas.map(async (area) => [area, ((await files[language](area)) as { default: Texts }).default] as const),
  );
  return Object.fromEntries(loaded);
}
