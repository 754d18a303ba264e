// @vitest-environment happy-dom
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ColleagueSelect } from '../../../web/src/shared/list/ColleagueSelect.tsx';
import { answerRequests, show } from '../../support/components/page.tsx';

const colleagues = [
  { id: 'ada', name: 'Ada Lovelace', agent_code: 'a1' },
  { id: 'grace', name: 'Grace Hopper', agent_code: 'g1' },
];

it('reads nobody before it is opened, offers who is chosen once, and finds them again by their code', async () => {
  const requests = answerRequests(({ path }) => {
    const asked = new URL(path, 'http://gateway').searchParams.get('q') ?? '';
    return { status: 200, body: { colleagues: colleagues.filter(({ agent_code: code }) => code.includes(asked)) } };
  });
  const chosen: (string | null)[] = [];
  function Field() {
    const [value, setValue] = useState<string | null>('grace');
    return (
      <ColleagueSelect
        label="Owner"
        known={[{ value: 'grace', label: 'Grace' }]}
        value={value}
        onChange={(id) => {
          chosen.push(id);
          setValue(id);
        }}
      />
    );
  }
  const page = show(<Field />);
  const field = page.getByRole('combobox', { name: 'Owner' }) as HTMLInputElement;
  expect(field.value).toBe('Grace');
  expect(requests).toEqual([]);
  await page.user.click(field);
  await page.findByRole('option', { name: 'Ada Lovelace (a1)' });
  expect(page.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Grace', 'Ada Lovelace (a1)']);
  await page.user.click(page.getByRole('option', { name: 'Ada Lovelace (a1)' }));
  expect(field.value).toBe('Ada Lovelace (a1)');
  await page.user.clear(field);
  await page.user.type(field, 'g1');
  await page.user.click(await page.findByRole('option', { name: 'Grace Hopper (g1)' }));
  expect(field.value).toBe('Grace Hopper (g1)');
  expect(chosen).toEqual(['ada', 'grace']);
});
