import { describe, expect, it } from 'vitest';
import {
  chooseLanguage,
  directionOf,
  localeOf,
  type LanguagePreferences,
} from '../../../../web/src/lib/i18n/languages.ts';
import { pseudoCatalog, pseudoText } from '../../../../web/src/lib/i18n/pseudo.ts';

const nothing: LanguagePreferences = { asked: null, own: null, browser: [], company: null };

describe('the language of a page', () => {
  it('is the own choice, whatever browser and company have', () => {
    expect(chooseLanguage({ ...nothing, own: 'fr', browser: ['de'], company: 'es' })).toBe('fr');
  });

  it('is the first of the browser’s languages that there is', () => {
    expect(chooseLanguage({ ...nothing, browser: ['pl', 'de-AT', 'es'], company: 'fr' })).toBe('de');
  });

  it('is the company’s where the browser has none of ours, and English without one', () => {
    expect(chooseLanguage({ ...nothing, browser: ['pl', 'ja-JP'], company: 'es' })).toBe('es');
    expect(chooseLanguage({ ...nothing, browser: ['pl'] })).toBe('en');
  });

  it('is what the address asks for, before all else, if there is such a language', () => {
    expect(chooseLanguage({ ...nothing, asked: 'es', own: 'fr', browser: ['de'] })).toBe('es');
    expect(chooseLanguage({ ...nothing, asked: 'tlh', own: 'fr' })).toBe('fr');
    expect(chooseLanguage({ ...nothing, asked: 'pseudo', own: 'fr' })).toBe('pseudo');
  });

  it('is never the pseudo language because a browser or a company says so', () => {
    expect(chooseLanguage({ ...nothing, own: 'pseudo', browser: ['pseudo'], company: 'pseudo' })).toBe('en');
  });

  it('has numbers and dates of the browser’s variant of it', () => {
    expect(localeOf('de', ['en-GB', 'de-CH'])).toBe('de-CH');
    expect(localeOf('fr', ['en-GB'])).toBe('fr');
    expect(localeOf('pseudo', ['en-GB'])).toBe('en-GB');
  });
});

describe('the pseudo language', () => {
  it('has accents and a third more letters, and is written from the right', () => {
    expect(pseudoText('Hang up')).toBe('Ĥááñĝ úúþ');
    expect(directionOf('pseudo')).toBe('rtl');
  });

  it('leaves parameters, plural rules and tags as they are', () => {
    expect(pseudoText('{count, plural, one {# call of {name}} other {<b>#</b> calls}} now')).toBe(
      '{count, plural, one {# çááļļ óóƒ {name}} other {<b>#</b> çááļļš}} ñóóŵ',
    );
  });

  it('has the keys of the catalog', () => {
    expect(pseudoCatalog({ call: { hold: 'Hold' }, mute: 'Mute' })).toEqual({
      call: { hold: 'Ĥóóļð' },
      mute: 'Ḿúúţéé',
    });
  });
});
