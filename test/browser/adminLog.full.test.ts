import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemClock } from '../../src/adapters/clock/systemClock.ts';
import { openConsole } from '../support/browser/adminConsole.ts';
import { shot, useBrowser } from '../support/browser/browser.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { bearer } from '../support/gateway/populatedGateway.ts';
import { deliveryIdOf, WebhookRoom } from '../support/webhooks/webhookRoom.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let room: WebhookRoom;
let rooms = 0;

beforeAll(async () => {
  gateway = await startGateway('memory');
});
afterAll(() => gateway.close());
beforeEach(async () => {
  room = await WebhookRoom.open(gateway, createSystemClock(), `log-${rooms++}`);
  return () => room.close();
});

const browser = useBrowser();
const openLog = () => openConsole(browser, gateway, room.company.slug, '/deliveries');
const rows = (page: Page) => page.locator('tbody').getByRole('row');

async function choose(page: Page, filter: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: filter }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

it('shows the deliveries that fit: by event, by state, by call and by time', async () => {
  const [first, second] = [await room.answeredClick(), await room.answeredClick()];
  await Promise.all([room.arrived(first, 3), room.arrived(second, 3)]);
  const { deliveries } = await room.list({ call_id: second });
  await Promise.all(deliveries.map(({ id }) => room.settled(id, 1)));
  const page = await openLog();
  await eventually(async () => expect(await rows(page).count()).toBe(6));
  await choose(page, 'Event', 'call_answered');
  await eventually(async () => expect(await rows(page).count()).toBe(2));
  await choose(page, 'State', 'Given up');
  await page.getByText('No delivery fits').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByLabel('Call id').fill(second);
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await rows(page).count()).toBe(3));
  await page.reload();
  await eventually(async () => expect(await rows(page).count()).toBe(3));
  // Far in the future, whatever zone the browser is in.
  await page.getByLabel('From').fill('2200-01-01T00:00:00');
  await page.getByText('No delivery fits').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  browser.expectTrouble(/status of 400/);
  await page.getByLabel('Call id').fill('not an id');
  await page.keyboard.press('Enter');
  await page.getByLabel('Call id').and(page.locator('[aria-invalid="true"]')).waitFor();
});

it('has what each attempt sent and got, and sends it again when told to', async () => {
  const callId = await room.call();
  const [webhook] = await room.arrived(callId);
  await room.settled(deliveryIdOf(webhook), 1);
  const page = await openLog();
  await rows(page).first().getByRole('button').click();
  const delivery = page.getByRole('dialog', { name: 'Delivery' });
  await delivery.getByText('X-Service-Signature: sha256=').waitFor();
  await delivery.getByText('Came back: 204').waitFor();
  await delivery.getByRole('button', { name: 'Copy: Body' }).click();
  await delivery.getByRole('button', { name: 'Copied: Body' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(webhook?.raw);

  room.receiver.answerWith(() => 503);
  await delivery.getByRole('button', { name: 'Send again' }).click();
  const [, again] = await room.arrived(callId, 2);
  expect(deliveryIdOf(again)).toBe(deliveryIdOf(webhook));
  await eventually(async () => expect((await room.detail(deliveryIdOf(webhook))).log.length).toBe(2));
  await delivery.getByRole('button', { name: 'Reload' }).click();
  await delivery.getByText('Came back: 503').waitFor();
  expect(await delivery.getByText(/\d+ ms/).count()).toBe(2);
  await shot(page, 'two attempts');
});

it('says why a delivery cannot be sent again, and recovers what was given up', async () => {
  const delivered = await room.call();
  const [webhook] = await room.arrived(delivered);
  await room.settled(deliveryIdOf(webhook), 1);
  const asAdmin = bearer(room.company.adminToken);
  await gateway.api.put('/api/integrations').set(asAdmin).send({ webhook_enabled: false }).expect(200);
  const lost = await room.call();
  const page = await openLog();
  browser.expectTrouble(/status of 409/);
  await page.getByRole('row', { name: 'Delivered' }).getByRole('button').click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The webhook is disabled, so that nothing is sent.').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('row', { name: 'Given up' }).waitFor();
  await page.getByRole('button', { name: 'Recover since…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await page.getByText('One delivery is sent again.').waitFor();
  await room.arrived(lost);
});

it('reads older deliveries on request', async () => {
  for (let calls = 0; calls < 51; calls++) await room.call();
  const page = await openLog();
  await eventually(async () => expect(await rows(page).count()).toBe(50));
  await page.getByRole('button', { name: 'Older' }).click();
  await eventually(async () => expect(await rows(page).count()).toBe(51));
  await page.getByRole('button', { name: 'Older' }).waitFor({ state: 'detached' });
});
