import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, shot, useBrowser } from '../support/browser/browser.ts';
import { ring, SoftphonePage } from '../support/browser/softphonePage.ts';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { SalesforceFake } from '../support/crm/salesforceFake.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let salesforce: SalesforceFake;
let hubspot: HubspotFake;
let inSalesforce: TestCompany;
let inHubspot: TestCompany;
let agents = 0;
let numbers = 0;
let from: string;

beforeAll(async () => {
  [salesforce, hubspot] = [await SalesforceFake.open(), await HubspotFake.open()];
  const crmBaseUrls = new Map([
    ['salesforce', salesforce.url],
    ['hubspot', hubspot.url],
  ]);
  gateway = await startGateway('memory', { config: { crmBaseUrls } });
  inSalesforce = await gateway.company({ slug: 'clouds', wrapUpSeconds: 3_600 });
  inHubspot = await gateway.company({ slug: 'hubs', wrapUpSeconds: 3_600 });
  await connect(inSalesforce, { provider: 'salesforce', credentials: salesforce.credentials });
  await connect(inHubspot, { provider: 'hubspot', credentials: hubspot.credentials });
});
beforeEach(() => {
  numbers += 1;
  from = `+1415558${String(numbers).padStart(4, '0')}`;
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([salesforce.close(), hubspot.close()]);
});

const browser = useBrowser();

const connect = (company: TestCompany, body: object) =>
  gateway.as(company).put('/api/integrations/crm').send(body).expect(200);

/** A new agent of a company at the page, Ready. */
async function atWork(
  company: TestCompany,
  size: 'panel' | 'desk' = 'panel',
): Promise<{ phone: SoftphonePage; agent: TestAgent }> {
  agents += 1;
  const agent = await gateway.agent(company, `c${String(agents)}`);
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`, { size }));
  await phone.enter(agent, company);
  await phone.goReady();
  return { phone, agent };
}

/** A contact and a lead with the number that calls next. */
function addBoth(): { contact: string; lead: string } {
  const ada = {
    name: 'Ada Byron',
    email: 'ada.byron@example.org',
    phone: from,
    accountNumber: 'A-17',
    tier: 'Hot',
    openTickets: 2,
  };
  return {
    contact: salesforce.addPerson(ada),
    lead: salesforce.addLead({ name: 'Annabella Byron', email: null, phone: from }),
  };
}

async function inBothSizes(phone: SoftphonePage, name: string): Promise<void> {
  for (const size of ['desk', 'panel'] as const) {
    await setSize(phone.page, size);
    await shot(phone.page, name);
    await phone.fits();
  }
}

const picker = ({ page }: SoftphonePage): Locator => page.getByTestId('record-picker');
const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

describe('several records with one number', () => {
  it('are chosen from by keys while it rings, changed after a wrong choice, and opened in Salesforce', async () => {
    const { contact, lead } = addBoth();
    const { phone, agent } = await atWork(inSalesforce);
    const ringing = ring(gateway, inSalesforce, agent, { from });
    await picker(phone).getByText('2 records have this number. Who is it?').waitFor();
    // Whoever answers by a key goes on to do so.
    expect(await isFocused(phone.button('Answer'))).toBe(true);
    expect(await phone.page.getByTestId('announce').textContent()).toContain('2 records have this number');
    expect(await phone.card.getByRole('link').count()).toBe(0);
    await shot(phone.page, 'picker');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await phone.fits();

    await phone.page.keyboard.press('Alt+a');
    await ringing;
    await phone.inCall('Connected');
    await picker(phone)
      .getByRole('button', { name: /Annabella Byron/ })
      .focus();
    await phone.page.keyboard.press('Enter');
    await phone.customer('Annabella Byron').waitFor();
    const link = phone.card.getByRole('link', { name: /^Open in Salesforce/ });
    expect(await link.getAttribute('href')).toBe(`${salesforce.url}/lightning/r/Lead/${lead}/view`);
    await eventually(() => isFocused(phone.button('Someone else')));
    await inBothSizes(phone, 'chosen');

    await phone.page.keyboard.press('Enter');
    await picker(phone)
      .getByRole('button', { name: /Ada Byron/ })
      .click();
    await phone.customer('Ada Byron').waitFor();
    await phone.card.getByText('Open tickets').waitFor();
    expect(await phone.page.getByRole('region', { name: 'Call', exact: true }).textContent()).toContain('Ada Byron');
    expect([
      await link.getAttribute('href'),
      await link.getAttribute('target'),
      await link.getAttribute('rel'),
    ]).toEqual([`${salesforce.url}/lightning/r/Contact/${contact}/view`, '_blank', 'noopener noreferrer']);
    expect(await seriousFindings(phone.page)).toEqual([]);

    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');
    const recent = phone.recent.getByRole('listitem').filter({ hasText: 'Ada Byron' });
    expect(await recent.getByRole('link', { name: /^Open in Salesforce/ }).getAttribute('href')).toContain(contact);
    await shot(phone.page, 'recent');
    await phone.fits();
  });

  it('are chosen from in the wrap-up too, and take no letter from whoever types', async () => {
    addBoth();
    const { phone, agent } = await atWork(inSalesforce, 'desk');
    const ringing = ring(gateway, inSalesforce, agent, { from });
    await phone.button('Answer').click();
    await ringing;
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    const notes = phone.wrapUp.getByRole('textbox', { name: 'Notes' });
    await notes.fill('Asked for the invoice.');
    const [{ id }] = (await gateway.as(agent).get('/api/calls').expect(200)).body.calls;
    const { candidates } = (await gateway.as(agent).get(`/api/calls/${id}`).expect(200)).body.screen_pop;
    await notes.focus();
    await gateway
      .as(agent)
      .post(`/api/calls/${id}/record`)
      .send({ object: candidates[0].object, id: candidates[0].id })
      .expect(200);
    await phone.customer('Ada Byron').waitFor();
    expect([await isFocused(notes), await notes.inputValue()]).toEqual([true, 'Asked for the invoice.']);
    await phone.wrapUp.getByText('Ada Byron').waitFor();
    await shot(phone.page, 'wrap-up');
    await phone.button('Someone else').click();
    await picker(phone)
      .getByRole('button', { name: /Annabella Byron/ })
      .click();
    await phone.customer('Annabella Byron').waitFor();
    expect(await notes.inputValue()).toBe('Asked for the invoice.');
  });

  it('are worded in the agent’s language', async () => {
    addBoth();
    const { phone, agent } = await atWork(inSalesforce);
    await phone.page.goto(`${gateway.url}/?lng=de`);
    await phone.connected();
    const ringing = ring(gateway, inSalesforce, agent, { from });
    await picker(phone).getByText('2 Datensätze haben diese Nummer. Wer ist es?').waitFor();
    await inBothSizes(phone, 'picker de');
    await picker(phone)
      .getByRole('button', { name: /Ada Byron/ })
      .click();
    await phone.card.getByRole('link', { name: /^In Salesforce öffnen/ }).waitFor();
    await phone.button('Jemand anderes').waitFor();
    await inBothSizes(phone, 'chosen de');
    await phone.button('Ablehnen').click();
    await ringing;
  });
});

describe('a caller whom the CRM is asked for', () => {
  it('is said to be looked up, and then shown without moving the focus', async () => {
    const id = hubspot.addPerson({ name: 'Ada Byron', email: 'ada.byron@example.org', phone: from, openTickets: 1 });
    hubspot.failNext({ kind: 'hang' }, ({ path }) => path.endsWith('/contacts/search'));
    const { phone, agent } = await atWork(inHubspot);
    const ringing = ring(gateway, inHubspot, agent, { from });
    await phone.page.getByTestId('looking-up').getByText('Looking this number up in the CRM…').waitFor();
    await shot(phone.page, 'looking up');
    // The CRM does not answer.
    await phone.card.getByText('Nothing is known about this number.').waitFor();
    await phone.button('Decline').click();
    await ringing;
    await phone.goReady();
    const again = ring(gateway, inHubspot, agent, { from });
    await phone.customer('Ada Byron').waitFor();
    expect(await isFocused(phone.button('Answer'))).toBe(true);
    const link = phone.card.getByRole('link', { name: /^Open in HubSpot/ });
    expect(await link.getAttribute('href')).toMatch(new RegExp(`^${hubspot.url}/contacts/\\d+/record/0-1/${id}$`));
    await shot(phone.page, 'found');
    await phone.button('Decline').click();
    await again;
  });
});
