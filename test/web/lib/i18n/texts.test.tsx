// @vitest-environment happy-dom
import { onTestFinished, expect, it } from 'vitest';
import { useTranslation } from 'react-i18next';
import { chooseOwnLanguage } from '../../../../web/src/lib/i18n/texts.ts';
import { show } from '../../../support/components/page.tsx';

function ReadyWord() {
  return <p>{useTranslation().t('shared.state.ready')}</p>;
}

it('stay in the language that was chosen last, though the texts of the one before arrive later', async () => {
  onTestFinished(() => chooseOwnLanguage(null));
  const page = show(<ReadyWord />);
  await Promise.all([chooseOwnLanguage('de'), chooseOwnLanguage('en')]);
  expect(page.getByText('Ready')).toBeDefined();
  expect(document.documentElement.lang).toBe('en');
  await chooseOwnLanguage('de');
  await page.findByText('Bereit');
  expect(document.documentElement.lang).toBe('de');
});
