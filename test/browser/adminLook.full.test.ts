import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../src/adapters/clock/systemClock.ts';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { openConsole, unconnectedCompany } from '../support/browser/adminConsole.ts';
import { isDrawn, setSize, setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { bearer } from '../support/gateway/populatedGateway.ts';
import { WebhookRoom } from '../support/webhooks/webhookRoom.ts';

let gateway: Gateway;
let room: WebhookRoom;

beforeAll(async () => {
  gateway = await startGateway('memory');
  room = await WebhookRoom.open(gateway, createSystemClock(), 'acme');
  await unconnectedCompany(gateway, 'fresh');
  await gateway.agent(room.company, 'b200', 'supervisor');
  const delivered = await room.answeredClick();
  await room.arrived(delivered, 3);
  room.receiver.answerWith(() => 500);
  await room.arrived(await room.answeredClick(), 1);
  const asAdmin = bearer(room.company.adminToken);
  await gateway.api.put('/api/integrations').set(asAdmin).send({ webhook_secret: 'rotate' }).expect(200);
  await gateway.api
    .put('/api/telephony')
    .set(asAdmin)
    .send({
      mode: 'sip',
      sip_wss_url: 'wss://pbx.example.com/ws',
      ice_servers: [
        { urls: ['turn:turn.example.com:3478'], secret: 'swordfish' },
        { urls: ['turns:turn.example.com'], username: 'readyline', credential: 'swordfish' },
      ],
    })
    .expect(200);
});
afterAll(async () => {
  await gateway.close();
  await room.close();
});

const browser = useBrowser();

const pages = {
  fresh: [
    { path: '', heading: 'Overview', loaded: 'Connect now' },
    { path: '/connect', heading: 'Connection', loaded: 'Which CRM do you work with?' },
    { path: '/deliveries', heading: 'Delivery log', loaded: 'Nothing has been sent yet' },
  ],
  acme: [
    { path: '', heading: 'Overview', loaded: 'What was sent and what came back' },
    { path: '/connect', heading: 'Connection', loaded: 'Rotate the key' },
    { path: '/calls', heading: 'Calls', loaded: 'Completed' },
    { path: '/reports', heading: 'Reports', loaded: 'Wait for answer' },
    { path: '/deliveries', heading: 'Delivery log', loaded: 'call_answered' },
    { path: '/agents', heading: 'Agents', loaded: 'a100' },
    { path: '/agents?agent=new', heading: 'Agents', loaded: 'SIP secret' },
    { path: '/teams', heading: 'Teams', loaded: 'No teams yet' },
    { path: '/platforms', heading: 'Telephony platforms', loaded: 'No platform is connected' },
    { path: '/audit', heading: 'Erasing and audit', loaded: 'Nothing yet' },
    { path: '/imports', heading: 'Import and export', loaded: 'No imports yet' },
    { path: '/company', heading: 'Call handling', loaded: 'Not Ready reasons' },
    { path: '/telephony', heading: 'Telephony', loaded: 'no SIP user' },
  ],
} as const;

/** No serious finding in either look, on a screen and in a panel that nothing is wider than. */
async function lookAt(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    await setSize(page, 'panel');
    await isDrawn(page);
    await shot(page, name);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      name,
    ).toBeLessThanOrEqual(0);
    await setSize(page, 'desk');
    await shot(page, name);
    // What is pointed at is to be read as well; a dialog may be over it.
    await page.locator('a[aria-current=page]').hover({ force: true });
    expect(await seriousFindings(page), name).toEqual([]);
  }
}

describe.each(['fresh', 'acme'] as const)('the pages of %s', (slug) => {
  it('can be read by everybody, in both looks, on a screen and in a panel', async () => {
    const page = await openConsole(browser, gateway, slug);
    for (const { path, heading, loaded } of pages[slug]) {
      await page.goto(`${gateway.url}/admin${path}`);
      await page.getByText(loaded).first().waitFor();
      expect(await page.title()).toBe(`${heading} · Readyline`);
      await lookAt(page, `${slug} ${path === '' ? 'overview' : path}`);
      const delivery = page.getByRole('row', { name: /call_answered Delivered/ });
      if (path !== '/deliveries' || slug !== 'acme') continue;
      await delivery.click();
      await page.getByRole('dialog', { name: 'Delivery' }).getByText('POST http').waitFor();
      await lookAt(page, 'acme delivery');
    }
  });
});
