// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { HandOverTask } from '../../../../web/src/features/tasks/HandOverTask.tsx';
import { answerRequests, show } from '../../../support/components/page.tsx';
import { eventually } from '../../../support/time/waiting.ts';

const colleagues = [
  { id: 'grace', name: 'Grace Hopper', agent_code: 'g1' },
  { id: 'ada', name: 'Ada Lovelace', agent_code: 'a1' },
];

/** The dialog, before a gateway that finds colleagues by the beginning of their names. */
function dialog({ ownerId = null as string | null, status = 200 } = {}) {
  const requests = answerRequests(({ path }) => {
    const asked = new URL(path, 'http://gateway').searchParams.get('q') ?? '';
    return status === 200
      ? { status, body: { colleagues: colleagues.filter(({ name }) => name.startsWith(asked)) } }
      : { status, body: { code: 'rate_limited' } };
  });
  const given: (string | null)[] = [];
  const page = show(
    <HandOverTask
      what="Send the offer"
      ownerId={ownerId}
      isOpen
      onHandOver={(to) => void given.push(to)}
      onClose={() => {}}
    />,
  );
  const field = async () => (await page.findByRole('combobox', { name: 'Colleague' })) as HTMLInputElement;
  const handOver = () => page.user.click(page.getByRole('button', { name: 'Hand over' }));
  return { page, requests, given, field, handOver };
}

it('finds colleagues as they are typed, without the one who has it, and hands over to the chosen one', async () => {
  const { page, requests, given, field, handOver } = dialog({ ownerId: 'grace' });
  await page.user.click(await field());
  await page.findByRole('option', { name: 'Ada Lovelace (a1)' });
  expect(page.queryByRole('option', { name: /Grace/ })).toBeNull();
  await handOver();
  expect(given).toEqual([]);
  await page.user.type(await field(), 'Ada');
  await page.findByRole('option', { name: 'Ada Lovelace (a1)' });
  await eventually(() => expect(requests.at(-1)?.path).toBe('/api/colleagues?q=Ada&limit=50'));
  await page.user.click(page.getByRole('option', { name: 'Ada Lovelace (a1)' }));
  await handOver();
  expect(given).toEqual(['ada']);
});

it('keeps showing what was chosen, and looks for nobody by its text', async () => {
  const { page, requests, given, field, handOver } = dialog({ ownerId: 'grace' });
  await page.user.type(await field(), 'any');
  await eventually(() => expect(requests.at(-1)?.path).toBe('/api/colleagues?q=any&limit=50'));
  await page.user.click(await page.findByRole('option', { name: 'Anyone' }));
  await eventually(() => expect(requests.at(-1)?.path).toBe('/api/colleagues?q=&limit=50'));
  await page.user.tab();
  expect((await field()).value).toBe('Anyone');
  await handOver();
  expect(given).toEqual([null]);
});

it('says why nobody could be found', async () => {
  const { page } = dialog({ status: 429 });
  expect((await page.findByRole('alert')).textContent).toBe('Too many attempts. Wait a moment.');
});
