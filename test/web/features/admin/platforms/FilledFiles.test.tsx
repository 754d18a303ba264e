// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { recipes } from '../../../../../src/connectors/recipes/recipes.ts';
import { recipeGaps } from '../../../../../src/contract/platforms.ts';
import { FilledFiles } from '../../../../../web/src/features/admin/platforms/FilledFiles.tsx';
import { showInConsole } from '../../../../support/components/console.tsx';
import { answerRequests } from '../../../../support/components/page.tsx';

const token = 't'.repeat(43);

/** The gateway's recipe of a platform, of an installation that does not know its own address. */
function recipeBehind(id: string): void {
  const { gateway } = recipeGaps;
  const place = {
    gateway,
    events: `${gateway}/api/integrations/cti/events/${id}/${recipeGaps.token}`,
    pop: `${gateway}/pop?company=c`,
  };
  const files = recipes
    .get(id)!
    .files(place)
    .map(({ name, text }) => ({ file_name: name, content_type: '', text, path: '' }));
  answerRequests(() => ({ status: 200, body: { files } }));
}

afterEach(() => vi.restoreAllMocks());

it.each([
  [
    'webexcc',
    's'.repeat(43),
    'Files with both filled in',
    'readyline-subscription-task.json',
    { destinationUrl: expect.stringMatching(`/api/integrations/cti/events/webexcc/${token}$`), secret: 's'.repeat(43) },
  ],
  [
    'breeze',
    null,
    'Files with the address filled in',
    'readyline-breeze.json',
    { callbackUrl: expect.stringMatching(`/api/integrations/cti/events/breeze/${token}$`) },
  ],
] as const)('offers the files of %s with what was issued in them', async (connector, secret, title, file, expected) => {
  recipeBehind(connector);
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  const page = showInConsole(<FilledFiles issued={{ connector, url: '', token, secret }} />);
  await page.findByText(title);
  await page.user.click(page.getByRole('button', { name: `Download ${file}` }));
  const text = await saved[0]!.text();
  expect(JSON.parse(text)).toMatchObject(expected);
  for (const gap of Object.values(recipeGaps)) expect(text).not.toContain(gap);
  // Files without a gap are beside the steps.
  expect(page.queryByRole('button', { name: 'Download readyline-flow.json' })).toBeNull();
});

it('offers nothing for a platform that takes no file', () => {
  recipeBehind('push');
  const page = showInConsole(<FilledFiles issued={{ connector: 'push', url: '', token, secret: null }} />);
  expect(page.queryByText(/filled in/)).toBeNull();
});
