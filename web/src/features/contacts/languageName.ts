import { useTranslation } from 'react-i18next';

/** Names languages in the language of the page: `de` is `German`. What the browser has no name for stays as it is. */
export function useLanguageName(): (tag: string) => string {
  const { language } = useTranslation().i18n;
  return (tag) => {
    try {
      return new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? tag;
    } catch {
      return tag;
    }
  };
}
