// oxlint-disable-next-line no-restricted-imports -- measures frames by the second
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { CrowdedGateway } from '../support/gateway/crowdedGateway.ts';
import { startGateway, type Gateway, type TestAgent } from '../support/gateway/gateway.ts';

const size = 2_000;
let gateway: Gateway;
let crowd: CrowdedGateway;
let boss: TestAgent;

beforeAll(async () => {
  gateway = await startGateway('memory');
  boss = await gateway.agent(await gateway.company({ slug: 'crowd' }), 'boss', 'supervisor');
  crowd = await CrowdedGateway.open(gateway.url, size);
});
afterAll(async () => {
  await crowd.close();
  await gateway.close();
});

const browser = useBrowser();

/** What the page measures of itself. `drawings`: how often it changed; `now`: milliseconds. */
type Seen = { frames: number; drawings: number; now: number };

async function measure(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { frames: 0, drawings: 0 };
    Object.assign(window, { seen });
    const everything = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(() => (seen.drawings += 1)).observe(document.body, everything);
    requestAnimationFrame(function frame() {
      seen.frames += 1;
      requestAnimationFrame(frame);
    });
  });
}

/** What came to be seen meanwhile. */
async function during(page: Page, work: () => Promise<void>): Promise<Seen> {
  const read = () => page.evaluate(() => ({ ...(window as unknown as { seen: Seen }).seen, now: performance.now() }));
  const before = await read();
  await work();
  const after = await read();
  return {
    frames: after.frames - before.frames,
    drawings: after.drawings - before.drawings,
    now: after.now - before.now,
  };
}

const add = (one: Seen, other: Seen): Seen => ({
  frames: one.frames + other.frames,
  drawings: one.drawings + other.drawings,
  now: one.now + other.now,
});
const rate = ({ frames, now }: Seen) => Math.round((1000 * frames) / now);

it('stays smooth with 2,000 agents, 200 of whom change every second', async () => {
  const page = await browser.open(`${crowd.url}/admin/live`);
  await signIn(page, boss);
  await page.getByText(`${size.toLocaleString('en')} agents`).waitFor();
  await measure(page);
  const drawn: number[] = [];
  let still: Seen = { frames: 0, drawings: 0, now: 0 };
  let moving = still;
  // By turns, so that whatever else the machine does is done to both.
  for (let round = 0; round < 5; round++) {
    still = add(still, await during(page, () => wait(500)));
    const changed = await during(page, async () => {
      // Twenty-five times a second, as a busy company's gateway tells: this many changes are sent,
      // however long it takes.
      for (let sent = 0; sent < 200; sent += 8) {
        crowd.change(8);
        await wait(40);
      }
    });
    moving = add(moving, changed);
    await page.mouse.move(600, 500);
    await page.mouse.wheel(0, 2_000);
    drawn.push(await page.locator('[data-agent]').count());
  }
  console.log(`2,000 agents: ${rate(still)} frames a second; with 200 changes a second ${rate(moving)}`);
  expect(Math.max(...drawn), 'rows in the document').toBeLessThan(100);
  expect(Math.min(...drawn)).toBeGreaterThan(5);
  // A wallboard that is busy with its own work for half a second at a time shows a twentieth.
  expect(rate(moving) / rate(still), 'of the frames of a wallboard where nothing changes').toBeGreaterThan(0.25);
  // Beside the changes, which are gathered for each frame, only clocks draw.
  expect(moving.drawings, 'drawings, of changes that are told one by one').toBeLessThan(2 * moving.frames);
  expect(moving.drawings).toBeGreaterThan(10);

  await page.getByText('Name', { exact: true }).click();
  for (const agent of [crowd.agents[0]!, crowd.agents[701]!, crowd.agents[size - 1]!]) {
    await page.getByRole('searchbox', { name: 'Find agents' }).fill(agent.agent_code);
    await page.locator(`[data-agent="${agent.agent_id}"][data-state="${agent.state}"]`).waitFor();
  }
  await page.getByRole('searchbox', { name: 'Find agents' }).fill('');
  for (const [state, label] of [
    ['ready', 'Ready'],
    ['on_call', 'On call'],
    ['not_ready', 'Not Ready'],
  ] as const) {
    const count = crowd.agents.filter((agent) => agent.state === state).length;
    await page.getByRole('button', { name: new RegExp(`^${label} *${count}`) }).waitFor();
  }
  await shot(page, 'crowd');
});
