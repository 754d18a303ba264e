// @vitest-environment happy-dom
import i18next from 'i18next';
import { expect, it, onTestFinished, vi } from 'vitest';
import { useTranslation } from 'react-i18next';
import { chooseOwnLanguage, startTexts } from '../../../../web/src/lib/i18n/texts.ts';
import french from '../../../../web/src/locales/fr/tasks.json' with { type: 'json' };
import { english, show } from '../../../support/components/page.tsx';

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

it('come in the language that is being chosen, for a part of the page that is loaded meanwhile', async () => {
  vi.resetModules();
  const {
    addTexts,
    chooseOwnLanguage: choose,
    startTexts: start,
  } = await import('../../../../web/src/lib/i18n/texts.ts');
  onTestFinished(async () => {
    await choose(null);
    await startTexts(english);
  });
  await start({ shared: english.shared! });
  const chosen = choose('fr');
  await Promise.all([chosen, addTexts({ tasks: english.tasks! })]);
  expect(i18next.getResource('fr', 'translation', 'tasks')).toMatchObject({ due: french.due });
});
