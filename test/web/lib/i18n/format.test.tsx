// @vitest-environment happy-dom
import { useTranslation } from 'react-i18next';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatFor, useFormat } from '../../../../web/src/lib/i18n/format.ts';
import { chooseOwnLanguage } from '../../../../web/src/lib/i18n/texts.ts';
import { show } from '../../../support/components/page.tsx';

// A day of a year that is not this one, and of this one, by this computer's clock.
const before = new Date(2020, 10, 22, 14, 5, 9).getTime();
const today = new Date().setHours(14, 5, 9, 0);
const newYear = new Date(new Date().getFullYear(), 0, 1, 14, 5, 9).getTime();

/** With plain spaces and apostrophes: which ones it is depends on the browser's version. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ').replaceAll('’', "'");

describe('numbers, times and dates are written', () => {
  it.each([
    ['en-US', '1,234,567', '02:05 PM', '02:05:09 PM'],
    ['en-GB', '1,234,567', '14:05', '14:05:09'],
    ['de', '1.234.567', '14:05', '14:05:09'],
    ['de-CH', "1'234'567", '14:05', '14:05:09'],
    ['es', '1.234.567', '14:05', '14:05:09'],
    ['fr', '1 234 567', '14:05', '14:05:09'],
  ])('as readers of %s are used to', (locale, number, time, exactTime) => {
    const format = formatFor(locale);
    expect(
      [format.number(1_234_567), format.time(today), format.time(today, 'seconds'), format.moment(today)].map(plain),
    ).toEqual([number, time, exactTime, time]);
  });

  it.each([
    ['en-US', 'Nov 22, 2020, 02:05 PM', 'Nov 22, 2020, 14:05:09'],
    ['de', '22. Nov. 2020, 14:05', '22.11.2020, 14:05:09'],
    ['es', '22 nov 2020, 14:05', '22 nov 2020, 14:05:09'],
    ['fr', '22 nov. 2020, 14:05', '22 nov. 2020, 14:05:09'],
  ])('with their day where it is not today, in the order of %s', (locale, moment, exact) => {
    const format = formatFor(locale);
    expect(plain(format.moment(new Date(before).toISOString()))).toBe(moment);
    expect(plain(format.exact(before))).toBe(exact);
    expect(format.exact(newYear)).toContain('14:05:09');
    for (const text of [format.moment(newYear), format.exact(newYear)])
      expect(text).not.toContain(String(new Date(newYear).getFullYear()));
  });
});

function Place() {
  const { t } = useTranslation();
  const format = useFormat();
  return <p>{`${t('wallboard.pages.place', { page: 1234, pages: 5678 })}, ${format.number(9012)}`}</p>;
}

it('follow the browser’s variant of the language, within a text as beside it', async () => {
  const browser = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB', 'de-CH']);
  onTestFinished(async () => {
    browser.mockRestore();
    await chooseOwnLanguage(null);
  });
  await chooseOwnLanguage('de');
  expect(plain(show(<Place />).container.textContent)).toContain("Seite 1'234 von 5'678, 9'012");
});
