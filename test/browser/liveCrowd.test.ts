import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shot, signIn, useBrowser } from '../support/browser.ts';
import { CrowdedGateway } from '../support/crowdedGateway.ts';
import { startGateway, type Gateway, type TestAgent } from '../support/gateway.ts';

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

/** What the page measures of itself. `longest`: milliseconds between two frames; `drawings`: how often it changed. */
type Smoothness = { frames: number; longest: number; longTasks: number; drawings: number };

it('stays smooth with 2,000 agents, 200 of whom change every second', { timeout: 180_000 }, async () => {
  const page = await browser.open(`${crowd.url}/admin/live`);
  await signIn(page, boss);
  await page.getByText(`${size} agents`).waitFor();
  await page.evaluate(() => {
    const seen: Smoothness = { frames: 0, longest: 0, longTasks: 0, drawings: 0 };
    (window as unknown as { seen: Smoothness }).seen = seen;
    new PerformanceObserver((list) => (seen.longTasks += list.getEntries().length)).observe({ entryTypes: ['longtask'] });
    const everything = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(() => (seen.drawings += 1)).observe(document.body, everything);
    let last = performance.now();
    requestAnimationFrame(function frame(now) {
      seen.frames += 1;
      seen.longest = Math.max(seen.longest, now - last);
      last = now;
      requestAnimationFrame(frame);
    });
  });
  const drawn: number[] = [];
  // Twenty-five times a second, as a busy company's gateway tells: this many changes are sent, however long it takes.
  for (let sent = 0; sent < 1_000; sent += 8) {
    crowd.change(8);
    await wait(40);
    if (sent % 200 === 0) {
      await page.mouse.move(600, 500);
      await page.mouse.wheel(0, 2_000);
      drawn.push(await page.locator('[data-agent]').count());
    }
  }
  const seen = await page.evaluate(() => (window as unknown as { seen: Smoothness }).seen);
  console.log(`2,000 agents, 200 changes a second: ${JSON.stringify(seen)}`);
  expect(Math.max(...drawn), 'rows in the document').toBeLessThan(100);
  expect(Math.min(...drawn)).toBeGreaterThan(5);
  // Beside the changes, which are gathered for each frame, only clocks and the wheel draw.
  expect(seen.drawings, 'drawings, of changes that are told one by one').toBeLessThan(2 * seen.frames);
  expect(seen.drawings).toBeGreaterThan(10);

  await page.getByText('Name', { exact: true }).click();
  for (const agent of [crowd.agents[0]!, crowd.agents[701]!, crowd.agents[size - 1]!]) {
    await page.getByRole('searchbox', { name: 'Find agents' }).fill(agent.agent_code);
    await page.locator(`[data-agent="${agent.agent_id}"][data-state="${agent.state}"]`).waitFor();
  }
  await page.getByRole('searchbox', { name: 'Find agents' }).fill('');
  for (const [state, label] of [['ready', 'Ready'], ['on_call', 'On call'], ['not_ready', 'Not Ready']] as const) {
    const count = crowd.agents.filter((agent) => agent.state === state).length;
    await page.getByRole('button', { name: new RegExp(`^${label} *${count}`) }).waitFor();
  }
  await shot(page, 'crowd');
});
