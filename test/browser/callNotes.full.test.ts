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
  await gateway
    .as(company)
    .patch('/api/company')
    .send({
      tags: [
        { code: 'price', label: 'Price' },
        { code: 'complaint', label: 'Complaint' },
      ],
      free_tags: true,
    })
    .expect(200);
});
afterAll(() => gateway.close());

const browser = useBrowser();

it('takes notes and tags from the first moment of a call, keeps them over a reload and on another device, and goes on with them in the wrap-up', async () => {
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
  const tags = page.getByRole('combobox', { name: 'Tags' });
  await tags.click();
  await page.getByRole('option', { name: 'Price' }).click();
  await page.keyboard.type('In a hurry');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  const draft = async () => (await gateway.as(company).get('/api/calls').expect(200)).body.calls[0];
  const noted = {
    notes_draft: 'Asks for the price list',
    tags: [
      { code: 'price', label: 'Price' },
      { code: null, label: 'In a hurry' },
    ],
  };
  await eventually(async () => expect(await draft()).toMatchObject(noted));
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
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith('readyline.wrap-up.')) sessionStorage.removeItem(key);
    }
  });
  await page.reload();
  await page.getByTestId('call-state').getByText('Dialing').waitFor();
  expect(await notes.inputValue()).toBe('Asks for the price list');
  await page.getByText('In a hurry', { exact: true }).waitFor();
  await page
    .getByRole('region', { name: 'Call', exact: true })
    .getByRole('button', { name: 'Answered', exact: true })
    .click();
  await page.getByTestId('call-state').getByText('Connected').waitFor();
  await notes.focus();
  await notes.press('End');
  await notes.pressSequentially(' by mail');
  await page.getByRole('button', { name: 'Ended', exact: true }).click();
  await page.getByRole('menuitem', { name: 'The customer hung up' }).click();
  const wrapUp = page.getByTestId('wrap-up');
  await wrapUp.waitFor();
  expect(await wrapUp.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Asks for the price list by mail');
  await wrapUp.getByRole('radio').first().focus();
  await page.keyboard.press('1');
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, `wrap-up-${theme}`);
  }
  await page.keyboard.press('Enter');
  await wrapUp.waitFor({ state: 'detached' });
  const [call] = (await gateway.as(company).get('/api/calls').expect(200)).body.calls;
  expect(call).toMatchObject({
    notes_draft: null,
    disposition: { code: 'resolved', notes: 'Asks for the price list by mail' },
    tags: noted.tags,
  });
});
