import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { CrowdedGateway } from '../support/gateway/crowdedGateway.ts';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

const names = [
  'Łukasz Strauß',
  'Søren Ångström',
  'José Ruiz',
  'Wolfgang Amadeus Theophilus Mozart-Beethoven von und zu Hohenzollern-Sigmaringen',
  'Öykü Çelik',
];
let gateway: Gateway;
let crowd: CrowdedGateway;
let company: TestCompany;
let boss: TestAgent;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'look', agents: 2, wrapUpSeconds: 0 });
  boss = await gateway.agent(company, 'boss', 'supervisor');
  crowd = await CrowdedGateway.open(gateway.url, 70, names);
});
afterAll(async () => {
  await crowd.close();
  await gateway.close();
});

const browser = useBrowser();

/** What is cut off at its edge without the dots that say so, and what reaches beyond the page. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut = [...document.querySelectorAll<HTMLElement>('section, section *')].filter((element) => {
      const { overflowX, textOverflow, visibility } = getComputedStyle(element);
      const isText = [...element.childNodes].some(
        ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && (textContent ?? '').trim() !== '',
      );
      return (
        isText &&
        visibility === 'visible' &&
        element.clientWidth > 1 &&
        overflowX !== 'visible' &&
        element.scrollWidth > element.clientWidth + 1 &&
        textOverflow !== 'ellipsis'
      );
    });
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...cut.map(({ textContent }) => textContent ?? ''),
      ...(scrollWidth > clientWidth ? [`the page, by ${scrollWidth - clientWidth} px`] : []),
    ];
  });
}

it('is read at a glance, from a wide screen to a side panel: names that are found without accents, and how the day goes', async () => {
  // A day so far: three calls of one who was Ready.
  const [ada, grace] = company.agents;
  const softphone = await gateway.readySoftphone(ada!);
  for (const [direction, isAnswered] of [
    ['out', true],
    ['in', true],
    ['in', false],
  ] as const) {
    const { id } =
      direction === 'out'
        ? await softphone.startCall('+15551230001')
        : (await softphone.incomingCall('+15551230002')).call;
    if (isAnswered) await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended', isAnswered ? {} : { end_reason: 'missed' });
    await softphone.setReady();
  }
  const { body: team } = await gateway
    .as(company)
    .post('/api/teams')
    .send({ code: 'others', name: 'The others', agent_ids: [grace!.id] })
    .expect(201);

  const page = await browser.open(`${crowd.url}/admin/live`);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await signIn(page, boss);
  await page.getByText('70 agents').waitFor();
  const find = page.getByRole('searchbox', { name: 'Find agents' });
  for (const [typed, name] of [
    ['lukasz strauss', names[0]],
    ['soren ang', names[1]],
    ['JOSE', names[2]],
    ['oyku celik', names[4]],
  ] as const) {
    await find.fill(typed);
    await eventually(async () => expect(await page.locator('[data-agent] bdi').allTextContents()).toEqual([name]));
  }
  await find.fill('');

  await page.getByRole('button', { name: 'Trends of the day' }).click();
  await page.getByText('2 answered · 1 missed').waitFor();
  await page.locator('.recharts-rectangle').first().waitFor();
  const hours = page.getByRole('table', { name: 'Trends of the day by hours' });
  expect(await hours.getByRole('columnheader').allTextContents()).toEqual([
    'Hour',
    'Inbound, answered',
    'Inbound, missed',
    'Outbound, answered',
    'Outbound, not answered',
    'Clicks dialed',
    'Clicks not dialed',
    'Ready',
    'On calls',
  ]);
  for (const size of [
    { width: 1920, height: 1080 },
    { width: 380, height: 720 },
  ]) {
    await page.setViewportSize(size);
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      await eventually(async () => expect(await cutOff(page)).toEqual([]));
      expect(await seriousFindings(page)).toEqual([]);
      await shot(page, 'the day');
    }
  }
  await setTheme(page, 'light');
  await page.setViewportSize({ width: 1920, height: 1080 });

  // Of a team: its calls and its agents alone, and no clicks.
  await page.getByRole('combobox', { name: 'Team' }).click();
  await page.getByRole('option', { name: team.name }).click();
  await page.getByText('Nothing has happened today so far.').waitFor();
  // Chosen again, it is chosen no more.
  await page.getByRole('combobox', { name: 'Team' }).click();
  await page.getByRole('option', { name: team.name }).click();
  await page.getByText('2 answered · 1 missed').waitFor();

  // It stays open in this browser; a large screen shows page after page.
  await page.reload();
  await page.getByText('2 answered · 1 missed').waitFor();
  await page.getByRole('button', { name: 'Large screen' }).click();
  await page.getByText('Page 1 of').waitFor({ state: 'attached' });
  await eventually(async () => expect(await cutOff(page)).toEqual([]));
  await shot(page, 'large');
});
