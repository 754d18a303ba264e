// @vitest-environment happy-dom
import { useState } from 'react';
import { expect, it } from 'vitest';
import { DispositionChoice } from '../../../../web/src/features/wrapUp/DispositionChoice.tsx';
import { show } from '../../../support/components/page.tsx';

const dispositions = Array.from({ length: 11 }, (_none, index) => ({
  code: `code_${index + 1}`,
  label: `Outcome ${index + 1}`,
}));

function Choice() {
  const [chosen, choose] = useState('');
  return (
    <>
      <DispositionChoice dispositions={dispositions} value={chosen} onChange={choose} />
      <input aria-label="Notes" />
    </>
  );
}

const chosenOn = (page: ReturnType<typeof show>) =>
  page.queryByRole('radio', { checked: true })?.getAttribute('value') ?? null;

it('is made by mouse or by the keys 1 to 9, which its labels show', async () => {
  const page = show(<Choice />);
  await page.user.tab();
  await page.user.keyboard('3');
  expect(chosenOn(page)).toBe('code_3');
  await page.user.click(page.getByRole('radio', { name: 'Outcome 10' }));
  expect(chosenOn(page)).toBe('code_10');
  await page.user.keyboard('9');
  expect(chosenOn(page)).toBe('code_9');
  const shown = page
    .getAllByRole('radio')
    .map((radio) => page.container.querySelector(`label[for="${radio.id}"] kbd`)?.textContent ?? null);
  expect(shown).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', null, null]);
});

it('is not made by a digit outside of its list, by 0, or by a shortcut of the browser', async () => {
  const page = show(<Choice />);
  await page.user.type(page.getByLabelText('Notes'), '4');
  await page.user.click(document.body);
  await page.user.keyboard('4');
  expect(chosenOn(page)).toBeNull();
  page.getByRole('radio', { name: 'Outcome 1' }).focus();
  await page.user.keyboard('0');
  for (const held of ['Control', 'Alt', 'Meta']) await page.user.keyboard(`{${held}>}5{/${held}}`);
  expect(chosenOn(page)).toBeNull();
  await page.user.keyboard('5');
  expect(chosenOn(page)).toBe('code_5');
});
