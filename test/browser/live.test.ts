import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { CrowdedGateway } from '../support/gateway/crowdedGateway.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { bearer, keyed } from '../support/gateway/populatedGateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';
import { numberInSentence } from '../support/web/shownNumber.ts';

let gateway: Gateway;
let rooms = 0;

beforeAll(async () => {
  gateway = await startGateway('memory');
});
afterAll(() => gateway.close());

const browser = useBrowser();

type Room = { company: TestCompany; boss: TestAgent; agents: [TestAgent, TestAgent, TestAgent] };

/** A company of its own, with three agents and a supervisor. */
async function room(wrapUpSeconds = 600): Promise<Room> {
  const slug = `wallboard-${rooms++}`;
  const company = await gateway.company({ slug, agents: 3, wrapUpSeconds });
  const [first, second, third] = company.agents;
  return {
    company,
    boss: await gateway.agent(company, `boss-${slug}`, 'supervisor'),
    agents: [first!, second!, third!],
  };
}

async function openWallboard({ boss }: Room, url = gateway.url): Promise<Page> {
  const page = await browser.open(`${url}/admin/live`);
  await signIn(page, boss);
  await page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor();
  return page;
}

const row = (page: Page, agent: TestAgent) => page.getByRole('row').filter({ hasText: agent.agentCode });
const tile = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
const openPanel = async (page: Page, agent: TestAgent) => {
  await row(page, agent).getByRole('button').click();
  return page.getByRole('dialog', { name: agent.agentCode });
};

/** A call of that agent, as a click in the CRM begins it; connected. */
async function onCall({ company }: Room, agent: TestAgent, phone = '+15551230001') {
  const softphone = await gateway.readySoftphone(agent);
  const dialing = nextEvent(softphone, 'dial');
  await gateway.click(company, { phone_number: phone, agent_id: agent.id }).expect(201);
  const [{ call_id: callId }] = await dialing;
  await softphone.reportProgress(callId, 'connected');
  return { softphone, callId };
}

describe('the wallboard', () => {
  it('shows who is in which state, and every change as it happens', async () => {
    const here = await room();
    const [first, second] = here.agents;
    const softphone = await gateway.readySoftphone(first);
    const page = await openWallboard(here);
    await row(page, first).getByText('Ready', { exact: true }).waitFor();
    await eventually(async () => expect(await tile(page, 'Ready').textContent()).toMatch(/Ready\s*1$/));
    await softphone.setNotReady('meal');
    await row(page, first).getByText('Meal').waitFor();
    await tile(page, 'Not Ready').getByText('1 Meal').waitFor();
    await gateway.readySoftphone(second);
    await row(page, second).getByText('Ready', { exact: true }).waitFor();
    await page.getByText('2 agents').waitFor();
    await softphone.signOut();
    await row(page, first).waitFor({ state: 'detached' });
    await page.getByText('1 agent', { exact: true }).waitFor();
  });

  it('shows the call in progress, with the customer, until it has ended', async () => {
    const here = await room();
    const [first] = here.agents;
    await gateway.api
      .post('/api/integrations/inbound')
      .set(keyed(here.company.key))
      .send({ phone_number: '+15551230001', data: { name: 'Grace Hopper' } })
      .expect(200);
    const page = await openWallboard(here);
    const { softphone, callId } = await onCall(here, first);
    await row(page, first).getByText('Grace Hopper').waitFor();
    await row(page, first).getByText('Connected').waitFor();
    await row(page, first)
      .getByText(/^Connected \d+:\d\d$/)
      .waitFor();
    await page.getByText('1 outbound · 0 inbound').waitFor();
    await softphone.setNotReady('break');
    await row(page, first).getByText('then Not Ready (Break)').waitFor();
    await softphone.reportProgress(callId, 'ended');
    await row(page, first).getByText('Wrap-up').waitFor();
    await row(page, first).getByText('Grace Hopper').waitFor({ state: 'detached' });
    await page.getByText('0 outbound · 0 inbound').waitFor();
  });

  it('counts the clicks of today: dialed, and refused by reason', { tags: 'full' }, async () => {
    const here = await room();
    const [first] = here.agents;
    const page = await openWallboard(here);
    const clicks = page.getByRole('region', { name: 'Clicks today' });
    await clicks.getByText(/0 nobody Ready/).waitFor();
    await gateway.click(here.company, { phone_number: '+15551230001' }).expect(503);
    await gateway.click(here.company, { phone_number: '+15551230001', agent_id: first.id }).expect(503);
    await clicks.getByText('Not dialed: 1 nobody Ready · 1 not Ready · 0 failed').waitFor();
    await onCall(here, first);
    await clicks.getByText('1 dialed').waitFor();
  });

  it('lists what is looked for, of one state, in the order asked for', { tags: 'full' }, async () => {
    const here = await room();
    const [first, second, third] = here.agents;
    await gateway.readySoftphone(third);
    await gateway.readySoftphone(second);
    await gateway.softphone(first).connect();
    const page = await openWallboard(here);
    await page.getByText('3 agents').waitFor();
    const codes = async () =>
      (await page.locator('[data-agent] button').allTextContents()).map((text) => text.split(' ').at(-1));
    expect(await codes(), 'by state, the longest first').toEqual(['a102', 'a101', 'a100']);
    await page.getByText('Name', { exact: true }).click();
    await eventually(async () => expect(await codes()).toEqual(['a100', 'a101', 'a102']));
    await tile(page, 'Ready').click();
    await eventually(async () => expect(await codes()).toEqual(['a101', 'a102']));
    await page.getByRole('searchbox', { name: 'Find agents' }).fill('A102');
    await eventually(async () => expect(await codes()).toEqual(['a102']));
    await tile(page, 'Ready').click();
    await page.getByRole('searchbox', { name: 'Find agents' }).fill('nobody at all');
    await page.getByText('No agent fits.').waitFor();
  });

  it('is worked by keys alone', { tags: 'full' }, async () => {
    const here = await room();
    for (const agent of here.agents) await gateway.readySoftphone(agent);
    const page = await openWallboard(here);
    await page.getByText('3 agents').waitFor();
    await page.locator('[data-agent] button').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('a102'),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'a102' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('a102'),
    );
    await page.keyboard.press('Home');
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('a100'),
    );
  });

  it(
    'says that it is not live while there is no connection, and then shows what it has missed',
    { tags: 'full' },
    async () => {
      const here = await room();
      const [first] = here.agents;
      const softphone = await gateway.readySoftphone(first);
      const line = await openBreakableLine(gateway.url);
      try {
        const page = await openWallboard(here, line.url);
        await row(page, first).getByText('Ready', { exact: true }).waitFor();
        const refusal = browser.expectTrouble(/WebSocket connection/);
        line.cut();
        await page.getByText('Not live: reconnecting…').waitFor();
        await page.getByText(/What you see is from then/).waitFor();
        await softphone.setNotReady('training');
        await page.getByRole('button', { name: 'Try now' }).click();
        await refusal.met();
        await page.getByText('Not live: reconnecting…').waitFor();
        line.hold();
        line.mend();
        await page.evaluate(() => dispatchEvent(new Event('online')));
        await page.getByText('Connecting…').waitFor();
        line.release();
        await row(page, first).getByText('Training').waitFor();
        await page.getByText('Live', { exact: true }).waitFor();
      } finally {
        await line.close();
      }
    },
  );

  it('has the words of a reason that the company has only just made', { tags: 'full' }, async () => {
    const here = await room();
    const [first] = here.agents;
    const softphone = await gateway.readySoftphone(first);
    const page = await openWallboard(here);
    await gateway.api
      .patch('/api/company')
      .set(bearer(here.company.adminToken))
      .send({ not_ready_reasons: [{ code: 'coach', label: 'Coaching with Ada' }] })
      .expect(200);
    await softphone.setNotReady('coach');
    await row(page, first).getByText('Coaching with Ada').waitFor();
    await gateway.api
      .patch('/api/company')
      .set(bearer(here.company.adminToken))
      .send({ not_ready_reasons: [{ code: 'coach', label: 'Coaching with Grace' }] })
      .expect(200);
    await row(page, first).getByText('Coaching with Grace').waitFor();
  });

  it(
    'asks to sign in again when the supervisor may not watch any more, and says that what it shows is old',
    { tags: 'full' },
    async () => {
      const here = await room();
      const [first] = here.agents;
      const softphone = await gateway.readySoftphone(first);
      const page = await openWallboard(here);
      await row(page, first).getByText('Ready', { exact: true }).waitFor();
      browser.expectTrouble(/401/);
      await gateway.api
        .patch(`/api/agents/${here.boss.id}`)
        .set(bearer(here.company.adminToken))
        .send({ password: 'another-password' })
        .expect(200);
      await page.getByText('The wallboard is not live').waitFor();
      await softphone.setNotReady('training');
      await page.locator('[data-stale] [data-state="ready"]').waitFor();
      await shot(page, 'log-in ended');
      await signIn(page, { agentCode: here.boss.agentCode, password: 'another-password' });
      await row(page, first).getByText('Training').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    },
  );
});

describe('an agent beside the wallboard', () => {
  it('is set Not Ready with a reason, Ready, and logged out', async () => {
    const here = await room();
    const [first] = here.agents;
    await gateway.readySoftphone(first);
    const page = await openWallboard(here);
    const panel = await openPanel(page, first);
    await panel.getByRole('combobox', { name: 'Reason for Not Ready' }).click();
    await page.getByRole('option', { name: 'Meeting' }).click();
    await panel.getByRole('button', { name: 'Not Ready' }).click();
    await row(page, first).getByText('Meeting').waitFor();
    await page.getByText('Agent a100: Not Ready.').waitFor();
    await panel.getByRole('button', { name: 'Ready', exact: true }).click();
    await row(page, first).getByText('Ready', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Log out' }).click();
    await row(page, first).waitFor({ state: 'detached' });
    await panel.getByRole('region', { name: 'Now' }).getByText('Offline').waitFor();
  });

  it('is freed from a call, once the supervisor has said so twice', { tags: 'full' }, async () => {
    const here = await room();
    const [first] = here.agents;
    const { softphone, callId } = await onCall(here, first);
    const page = await openWallboard(here);
    const panel = await openPanel(page, first);
    await panel.getByRole('button', { name: 'Not Ready' }).click();
    await row(page, first).getByText('then Not Ready (Set by a supervisor)').waitFor();
    expect(softphone.call).toMatchObject({ id: callId, state: 'connected' });

    const ended = nextEvent(softphone, 'call', (call) => call.state === 'ended');
    await panel.getByText('Now: ends the call').click();
    await panel.getByRole('button', { name: 'Ready', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Free Agent a100 now?' });
    await question.getByRole('button', { name: 'Leave the call' }).click();
    expect(softphone.call).toMatchObject({ id: callId, state: 'connected' });
    await panel.getByRole('button', { name: 'Ready', exact: true }).click();
    await question.getByRole('button', { name: 'End the call' }).click();
    expect((await ended)[0]).toMatchObject({ id: callId, end_reason: 'failed', end_detail: 'freed_by_supervisor' });
    await row(page, first).getByText('Ready', { exact: true }).waitFor();
  });

  it('is never freed from another call than the one that was asked about', { tags: 'full' }, async () => {
    const here = await room(0);
    const [first] = here.agents;
    const { softphone, callId } = await onCall(here, first);
    const page = await openWallboard(here);
    const panel = await openPanel(page, first);
    await panel.getByText('Now: ends the call').click();
    await panel.getByRole('button', { name: 'Ready', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Free Agent a100 now?' });
    await question.getByText(`The call with ${numberInSentence('+15551230001')} ends at once`).waitFor();
    await softphone.reportProgress(callId, 'ended');
    const dialing = nextEvent(softphone, 'dial');
    await gateway.click(here.company, { phone_number: '+15551230002', agent_id: first.id }).expect(201);
    const [{ call_id: nextId }] = await dialing;
    await softphone.reportProgress(nextId, 'connected');
    await page.getByText('Agent a100 is not on that call any more').waitFor();
    await question.waitFor({ state: 'detached' });

    // The page has not heard yet that the call it asks about has ended, when the supervisor says yes.
    browser.expectTrouble(/status of 409/);
    await page.route('**/state', (route) =>
      route.continue({ postData: { ...route.request().postDataJSON(), call_id: callId } }),
    );
    await panel.getByText('Now: ends the call').click();
    await panel.getByRole('button', { name: 'Ready', exact: true }).click();
    await question.getByRole('button', { name: 'End the call' }).click();
    await page.getByText('The agent is on another call by now; nothing was changed.').waitFor();
    expect(softphone.call).toMatchObject({ id: nextId, state: 'connected' });
  });

  it('has a timeline of today that goes on by itself', { tags: 'full' }, async () => {
    const here = await room();
    const [first] = here.agents;
    const softphone = await gateway.readySoftphone(first);
    await softphone.setNotReady('break');
    const page = await openWallboard(here);
    const panel = await openPanel(page, first);
    const list = panel.getByRole('list', { name: /States of today/ });
    await list.getByText('Break').waitFor();
    await list.getByText('Just logged in').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await softphone.setReady();
    await eventually(async () => expect(await list.getByRole('listitem').allTextContents()).toHaveLength(4));
    expect(await list.getByRole('listitem').first().textContent()).toMatch(/Ready/);
    await panel.getByLabel(/^Since .*Ready/).waitFor();
    expect(asked, 'by the socket alone').toEqual([]);
  });
});

it('is read in both themes, on a panel and on a large screen', { tags: 'full' }, async () => {
  const here = await room();
  const [first, second, third] = here.agents;
  await onCall(here, first);
  await gateway.readySoftphone(second);
  await gateway.softphone(third).connect();
  const page = await openWallboard(here);
  await page.getByText('3 agents').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    await shot(page, 'wallboard');
    expect(await seriousFindings(page)).toEqual([]);
    const panel = await openPanel(page, first);
    await panel.getByRole('listitem').first().waitFor();
    await shot(page, 'panel');
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await setSize(page, 'panel');
    await shot(page, 'narrow');
    await setSize(page, 'desk');
  }
  await page.getByRole('button', { name: 'Large screen' }).click();
  await page.getByRole('button', { name: 'Leave large screen' }).waitFor();
  await shot(page, 'large');
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Leave large screen' }).click();
  await page.getByRole('link', { name: 'Wallboard' }).waitFor();
});

describe('a large screen', { tags: 'full' }, () => {
  const names = [
    'Jürgen Müller',
    'Wolfeschlegelsteinhausenbergerdorff the Younger of Welchevoralternwaren',
    'Łukasz Strauß',
  ];
  let crowd: CrowdedGateway;
  let boss: TestAgent;

  beforeAll(async () => {
    boss = await gateway.agent(await gateway.company({ slug: 'large' }), 'boss', 'supervisor');
    crowd = await CrowdedGateway.open(gateway.url, 60, names);
  });
  afterAll(() => crowd.close());

  /** The wallboard of 60 agents, by name, on a display. */
  async function display(): Promise<Page> {
    const page = await browser.open('about:blank');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.clock.install();
    await page.goto(`${crowd.url}/admin/live`);
    await signIn(page, boss);
    await page.getByText('60 agents').waitFor();
    await page.getByText('Name', { exact: true }).click();
    return page;
  }
  const shownIds = (page: Page) =>
    page.locator('[data-agent]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-agent')));
  const pageShown = (page: Page, text: string) =>
    page.getByRole('navigation', { name: 'Pages of agents' }).getByText(text, { exact: true }).waitFor();

  it('shows all 60 agents, page after page by itself, by keys and by buttons', async () => {
    const page = await display();
    await page.getByRole('button', { name: 'Large screen' }).click();
    await pageShown(page, '1/5');
    await shot(page, 'pages');
    expect(await seriousFindings(page)).toEqual([]);
    const seen = new Set<string | null>();
    for (let number = 1; number <= 5; number++) {
      await pageShown(page, `${number}/5`);
      const cut = await page.locator('[data-agent]').evaluateAll((rows) => {
        const edge = rows[0]?.closest('div')?.getBoundingClientRect().bottom ?? 0;
        return rows.filter((one) => one.getBoundingClientRect().bottom > edge).length;
      });
      expect(cut, 'rows that reach beyond the edge').toBe(0);
      for (const id of await shownIds(page)) seen.add(id);
      await page.clock.fastForward(10_000);
    }
    expect(seen.size).toBe(60);
    await pageShown(page, '1/5');
    await page.keyboard.press('ArrowLeft');
    await pageShown(page, '5/5');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Next page' }).click();
    await pageShown(page, '2/5');
    await page.getByRole('button', { name: 'Stay on this page' }).click();
    await page.clock.fastForward(60_000);
    await page.getByRole('button', { name: 'Turn pages by itself' }).waitFor();
    await pageShown(page, '2/5');
    await page.locator('[data-agent] button').last().focus();
    await page.keyboard.press('ArrowDown');
    await pageShown(page, '3/5');
    const focusedRow = () =>
      page.evaluate(() => document.activeElement?.closest('[data-agent]')?.getAttribute('aria-rowindex'));
    await eventually(async () => expect(await focusedRow()).toBe(String(2 * (await shownIds(page)).length + 2)));
    await page.getByRole('button', { name: 'Leave large screen' }).click();
    await page.getByRole('navigation', { name: 'Pages of agents' }).waitFor({ state: 'detached' });
  });

  it('cuts no name in mid-letter, and finds names without their marks', async () => {
    const page = await display();
    await setSize(page, 'panel');
    const find = page.getByRole('searchbox', { name: 'Find agents' });
    await find.fill('wolfe');
    const name = page.getByTitle(names[1]!);
    await name.waitFor();
    const look = await name.evaluate((element) => ({
      isCut: element.scrollWidth > element.clientWidth,
      overflow: getComputedStyle(element).textOverflow,
      fits: element.getBoundingClientRect().right <= (element.closest('td')?.getBoundingClientRect().right ?? 0) + 1,
    }));
    expect(look).toEqual({ isCut: true, overflow: 'ellipsis', fits: true });
    await shot(page, 'long name');
    await find.fill('muller');
    await page.getByTitle('Jürgen Müller').waitFor();
    await find.fill('strauss');
    await page.getByTitle('Łukasz Strauß').waitFor();
  });
});
