import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import { SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { putTelephony } from '../support/gateway/telephony.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let ada: TestAgent;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'notes', agents: 1, wrapUpSeconds: 600 });
  [ada] = company.agents as [TestAgent];
  await putTelephony(gateway, company, { mode: 'desk_phone' }).expect(200);
});
afterAll(() => gateway.close());

const browser = useBrowser();

it('takes notes from the first moment of a call, keeps them over a reload and on another device, and goes on with them in the wrap-up', { timeout: 60_000 }, async () => {
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`, { size: 'panel' }));
  await phone.enter(ada, company);
  const { page } = phone;
  // Chromium would ask which program shall dial, and take every click meanwhile.
  await page.evaluate(() => {
    HTMLAnchorElement.prototype.click = () => undefined;
  });
  await page.getByLabel('Phone number').fill('+15551230001');
  await page.keyboard.press('Enter');
  await page.getByTestId('call-state').getByText('Dialing').waitFor();
  const notes = page.getByRole('textbox', { name: 'Notes' });
  await notes.pressSequentially('Asks for the price list');
  const draft = async () => (await gateway.as(company).get('/api/calls').expect(200)).body.calls[0].notes_draft;
  await eventually(async () => expect(await draft()).toBe('Asks for the price list'));
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, `during-call-${theme}`);
  }
  await page.reload();
  await page.getByTestId('call-state').getByText('Dialing').waitFor();
  expect(await notes.inputValue()).toBe('Asks for the price list');
  // Another device knows nothing but what the gateway tells.
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith('readyline.wrap-up.')) sessionStorage.removeItem(key);
  });
  await page.reload();
  await page.getByTestId('call-state').getByText('Dialing').waitFor();
  expect(await notes.inputValue()).toBe('Asks for the price list');
  await page.getByRole('button', { name: 'Answered', exact: true }).click();
  await page.getByTestId('call-state').getByText('Connected').waitFor();
  await notes.focus();
  await notes.press('End');
  await notes.pressSequentially(' by mail');
  await page.getByRole('button', { name: 'Ended', exact: true }).click();
  await page.getByRole('menuitem', { name: 'The customer hung up' }).click();
  const wrapUp = page.getByTestId('wrap-up');
  await wrapUp.waitFor();
  expect(await wrapUp.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Asks for the price list by mail');
  await wrapUp.getByText('Resolved').click();
  await wrapUp.getByRole('button', { name: 'Save' }).click();
  await wrapUp.waitFor({ state: 'detached' });
  const [call] = (await gateway.as(company).get('/api/calls').expect(200)).body.calls;
  expect(call).toMatchObject({ notes_draft: null, disposition: { code: 'resolved', notes: 'Asks for the price list by mail' } });
});
