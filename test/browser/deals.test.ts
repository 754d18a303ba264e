import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { openConsole } from '../support/browser/adminConsole.ts';
import { setSize, setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import type { ProfileOptions } from '../support/browser/chromium.ts';
import { drag } from '../support/browser/drag.ts';
import { SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

type Made = { id: string };
const stageNames = ['New', 'Offer sent', 'Won', 'Lost'];

let gateway: Gateway;
let company: TestCompany;
let agent: TestAgent;
let stages: { id: string; name: string }[];
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `deals-${companies}`, wrapUpSeconds: 3_600 });
  agent = await gateway.agent(company, 'seller');
  await admin().put('/api/integrations').send({ mode: 'builtin' }).expect(200);
});
afterAll(() => gateway.close());
const browser = useBrowser({ profile: { size: 'desk' } });

const admin = () => gateway.as(company);
const make = async (path: string, body: object) => (await admin().post(path).send(body).expect(201)).body;
const dealOf = async (id: string) => (await admin().get(`/api/crm/deals/${id}`).expect(200)).body;
const deal = (name: string, more: object = {}): Promise<Made> =>
  make('/api/crm/deals', { name, stage_id: stages[0]?.id, value: '12500.5', currency: 'EUR', ...more });

async function sell(): Promise<void> {
  const outcomes: Record<string, object> = { Won: { outcome: 'won', probability: 100 }, Lost: { outcome: 'lost' } };
  ({ stages } = await make('/api/crm/pipelines', {
    name: 'Sales',
    stages: stageNames.map((name) => ({ name, ...outcomes[name] })),
  }));
}

/** The agent before the CRM area. @param address behind `#` */
async function atWork(
  address = '/deals',
  { who = agent, ...profile }: ProfileOptions & { who?: TestAgent } = {},
): Promise<{ page: Page; crm: Locator }> {
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/#${address}`, profile));
  await phone.enter(who, company);
  return { page: phone.page, crm: phone.page.getByRole('region', { name: 'CRM' }) };
}
const column = (crm: Locator, name: string) =>
  crm.locator('[data-place]').filter({ has: crm.page().getByRole('heading', { name, exact: true }) });
const card = (crm: Locator, stage: string, name: string) => column(crm, stage).getByRole('link', { name, exact: true });
const said = (crm: Locator, text: string) => crm.getByTestId('deal-announcement').getByText(text).waitFor();

/** Drags with a finger. */
async function swipe(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (start === null || end === null) throw new Error('what is dragged, and where to, has to be in sight');
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  const [x, y] = [start.x + start.width / 2, start.y + start.height / 2];
  const [toX, toY] = [end.x + end.width / 2, end.y + 40];
  await touch('touchStart', { x, y });
  for (const part of [0.25, 0.5, 0.75, 1])
    await touch('touchMove', { x: x + (toX - x) * part, y: y + (toY - y) * part });
  await touch('touchEnd');
  await devtools.detach();
}

describe('the board of deals', () => {
  it('moves a deal by drag, with its count and its totals, and shows who moved it', async () => {
    await sell();
    const { id } = await deal('50 licences');
    await deal('Support', { value: '99.99', currency: 'USD' });
    const { page, crm } = await atWork();
    await card(crm, 'New', '50 licences').waitFor();
    expect(await column(crm, 'New').locator('[data-part="count"]').innerText()).toBe('2');
    const sums = await column(crm, 'New').locator('[data-part="sums"]').innerText();
    for (const sum of ['€12,500.50', '$99.99']) expect(sums).toContain(sum);
    await drag(page, card(crm, 'New', '50 licences'), column(crm, 'Offer sent'), () => shot(page, 'dragging'));
    await card(crm, 'Offer sent', '50 licences').waitFor();
    await said(crm, '50 licences is in Offer sent now.');
    await eventually(async () =>
      expect(await column(crm, 'Offer sent').locator('[data-part="count"]').innerText()).toBe('1'),
    );
    await eventually(async () =>
      expect(await column(crm, 'New').locator('[data-part="sums"]').innerText()).toBe('$99.99'),
    );
    expect(await dealOf(id)).toMatchObject({ stage: { name: 'Offer sent' }, version: 2 });
    expect(await seriousFindings(page)).toEqual([]);
    await card(crm, 'Offer sent', '50 licences').click();
    await crm.getByRole('region', { name: 'History' }).getByText('New → Offer sent').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'deal');
  });

  it('leaves a deal where it is that is let go with Escape, or beside the columns', { tags: 'full' }, async () => {
    await sell();
    const { id } = await deal('50 licences');
    const { page, crm } = await atWork();
    await drag(page, card(crm, 'New', '50 licences'), column(crm, 'Won'), () => page.keyboard.press('Escape'));
    await card(crm, 'New', '50 licences').waitFor();
    await drag(page, card(crm, 'New', '50 licences'), crm.getByRole('heading', { name: 'Deals' }));
    await card(crm, 'New', '50 licences').waitFor();
    expect(await dealOf(id)).toMatchObject({ stage: { name: 'New' }, version: 1 });
  });

  it('shows what colleagues move, without being asked', { tags: 'full' }, async () => {
    await sell();
    const { id } = await deal('50 licences');
    const { crm } = await atWork();
    await card(crm, 'New', '50 licences').waitFor();
    await admin().patch(`/api/crm/deals/${id}`).send({ stage_id: stages[1]?.id }).expect(200);
    await deal('Support', { stage_id: stages[1]?.id });
    await card(crm, 'Offer sent', '50 licences').waitFor();
    await card(crm, 'Offer sent', 'Support').waitFor();
    expect(await card(crm, 'New', '50 licences').count()).toBe(0);
    expect(await column(crm, 'Offer sent').locator('[data-part="count"]').innerText()).toBe('2');
  });

  it('moves a deal with a finger, by its handle and by the menu of stages', { tags: 'full' }, async () => {
    await sell();
    const { id } = await deal('50 licences');
    const { page, crm } = await atWork('/deals', { context: { hasTouch: true } });
    await card(crm, 'New', '50 licences').waitFor();
    await crm.getByRole('button', { name: 'Move 50 licences' }).tap();
    await page.getByRole('menuitem', { name: 'Offer sent' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'menu');
    await page.getByRole('menuitem', { name: 'Offer sent' }).tap();
    await said(crm, '50 licences is in Offer sent now.');
    await card(crm, 'Offer sent', '50 licences').waitFor();
    await swipe(page, crm.getByRole('button', { name: 'Move 50 licences' }), column(crm, 'Won'));
    await said(crm, '50 licences is in Won now.');
    await card(crm, 'Won', '50 licences').waitFor();
    expect(await dealOf(id)).toMatchObject({ stage: { name: 'Won' }, version: 3 });
  });

  it('moves a deal by keyboard alone, says each step, and keeps the focus on it', { tags: 'full' }, async () => {
    await sell();
    const { id } = await deal('50 licences');
    const { page, crm } = await atWork();
    await card(crm, 'New', '50 licences').waitFor();
    const handle = crm.getByRole('button', { name: 'Move 50 licences' });
    await handle.focus();
    await page.keyboard.press('Space');
    await said(crm, 'Picked up 50 licences, in New.');
    await page.keyboard.press('ArrowRight');
    await said(crm, 'Offer sent, 2 of 4');
    await page.keyboard.press('Escape');
    await said(crm, '50 licences stays in New.');
    await page.keyboard.press('Space');
    for (const position of [2, 3]) {
      await page.keyboard.press('ArrowRight');
      await said(crm, `${position} of 4`);
    }
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Space');
    await said(crm, '50 licences is in Won now.');
    await card(crm, 'Won', '50 licences').waitFor();
    await handle.and(page.locator(':focus')).waitFor();
    expect(await dealOf(id)).toMatchObject({ stage: { name: 'Won' }, version: 2 });
  });

  it(
    'shows where a deal is that somebody else has moved meanwhile, and changes nothing',
    { tags: 'full' },
    async () => {
      await sell();
      const { id } = await deal('50 licences');
      const { page, crm } = await atWork();
      await card(crm, 'New', '50 licences').waitFor();
      await admin().patch(`/api/crm/deals/${id}`).send({ stage_id: stages[3]?.id }).expect(200);
      browser.expectTrouble(/409/);
      await drag(page, card(crm, 'New', '50 licences'), column(crm, 'Offer sent'));
      await crm.getByRole('alert').getByText('It is in the stage “Lost” now.').waitFor();
      await card(crm, 'Lost', '50 licences').waitFor();
      expect(await card(crm, 'Offer sent', '50 licences').count()).toBe(0);
      expect(await seriousFindings(page)).toEqual([]);
      await shot(page, 'moved meanwhile');
      expect(await dealOf(id)).toMatchObject({ stage: { name: 'Lost' }, version: 2 });
    },
  );

  it('fits, narrow and wide, in light and dark, and teaches while it is empty', { tags: 'full' }, async () => {
    const { page, crm } = await atWork();
    await crm.getByText('No pipeline yet').waitFor();
    await sell();
    await page.reload();
    await crm.getByText('No deals yet').waitFor();
    await shot(page, 'empty');
    await deal('50 licences', { expected_close: '2026-12-18' });
    await page.reload();
    for (const size of ['panel', 'desk'] as const) {
      await setSize(page, size);
      await card(crm, 'New', '50 licences').waitFor();
      for (const theme of ['light', 'dark'] as const) {
        await setTheme(page, theme);
        expect(await seriousFindings(page)).toEqual([]);
        await shot(page, `board ${size}`);
      }
    }
  });
});

describe('a deal', () => {
  it('is made for a contact, found in the list by its filters, and changed', async () => {
    await sell();
    const contact = await make('/api/crm/contacts', {
      name: 'Grace Hopper',
      phones: [{ phone_number: '+15551230001' }],
    });
    const { page, crm } = await atWork(`/contacts/${contact.id}`);
    await crm.getByRole('link', { name: 'New deal' }).click();
    await crm.getByRole('textbox', { name: 'What is sold' }).fill('50 licences');
    await crm.getByRole('textbox', { name: 'Value' }).fill('12,500.50');
    await crm.getByRole('combobox', { name: 'Currency' }).fill('EUR');
    await page.getByRole('option', { name: 'EUR' }).click();
    await crm.getByText('€12,500.50').waitFor();
    await crm.getByLabel('Expected close').fill('2026-12-18');
    expect(await crm.getByRole('combobox', { name: 'Contact' }).inputValue()).toBe('Grace Hopper');
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'new deal');
    await crm.getByRole('button', { name: 'Create deal' }).click();
    await crm.getByRole('heading', { name: '50 licences' }).waitFor();
    const { deals } = (await admin().get('/api/crm/deals').expect(200)).body;
    expect(deals).toMatchObject([
      {
        name: '50 licences',
        value: '12500.5',
        currency: 'EUR',
        expected_close: '2026-12-18',
        contact: { id: contact.id },
        owner: { id: agent.id },
      },
    ]);

    await crm.getByRole('link', { name: 'Grace Hopper' }).click();
    await crm.getByRole('region', { name: 'Open deals' }).getByText('€12,500.50').waitFor();
    await deal('Support', { value: null, currency: null });
    await crm.getByRole('link', { name: 'Deals', exact: true }).click();
    await crm.getByText('List', { exact: true }).click();
    await crm.getByRole('link', { name: 'Support' }).waitFor();
    await crm.getByLabel('Closes until').fill('2026-12-31');
    await crm.getByRole('link', { name: 'Support' }).waitFor({ state: 'detached' });
    await crm.getByRole('link', { name: '50 licences' }).click();
    await crm.getByRole('link', { name: 'Edit' }).click();
    await crm.getByRole('textbox', { name: 'What is sold' }).fill('60 licences');
    await crm.getByRole('button', { name: 'Save' }).click();
    await crm.getByRole('heading', { name: '60 licences' }).waitFor();
  });
});

it('is given to a colleague by a supervisor', { tags: 'full' }, async () => {
  await sell();
  const { id } = await deal('50 licences');
  const who = await gateway.agent(company, 'leader', 'supervisor');
  const { page, crm } = await atWork(`/deals/${id}/edit`, { who });
  await crm.getByRole('combobox', { name: 'Owner' }).click();
  await page.getByRole('option', { name: 'Agent seller' }).click();
  await crm.getByRole('button', { name: 'Save' }).click();
  // The form has the same heading; only the saved deal has this link.
  await crm.getByRole('link', { name: 'Edit' }).waitFor();
  expect(await dealOf(id)).toMatchObject({ owner: { id: agent.id } });
});

it('goes through the stages that an admin defines in the console', { tags: 'full' }, async () => {
  const console = await openConsole(await browser.profile(), gateway, company.slug);
  await console.getByRole('link', { name: 'Pipelines' }).click();
  await console.getByText('No pipelines yet').waitFor();
  await console.getByRole('button', { name: 'New pipeline' }).click();
  await console.getByRole('textbox', { name: 'Name of stage 2' }).fill('Demo');
  expect(await console.getByText('No pipelines yet').count()).toBe(0);
  await console.getByRole('button', { name: 'Move stage 2 up' }).click();
  await console.getByRole('button', { name: 'Move stage 1 down' }).and(console.locator(':focus')).waitFor();
  expect(await seriousFindings(console)).toEqual([]);
  await shot(console, 'pipeline');
  await console.getByRole('button', { name: 'Save' }).click();
  await console.getByText('Demo → New → Won → Lost').waitFor();
  ({ stages } = (await admin().get('/api/crm/pipelines').expect(200)).body.pipelines[0]);
  await deal('50 licences');
  await console.getByRole('button', { name: 'Edit Sales' }).click();
  await console.getByRole('button', { name: 'Remove stage 1' }).click();
  browser.expectTrouble(/409/);
  await console.getByRole('button', { name: 'Save' }).click();
  await console.getByText('The stage “Demo” has 1 deal. Move it first.').waitFor();
});
