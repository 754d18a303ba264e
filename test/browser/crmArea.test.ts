import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { openConsole } from '../support/browser/adminConsole.ts';
import { ring, SoftphonePage } from '../support/browser/softphonePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let agents = 0;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'with-contacts', wrapUpSeconds: 3_600 });
  await gateway.as(company).put('/api/integrations').send({ mode: 'builtin' }).expect(200);
});
afterAll(() => gateway.close());
const browser = useBrowser({ profile: { size: 'desk' } });

const create = async (body: object): Promise<{ id: string }> =>
  (await gateway.as(company).post('/api/crm/contacts').send(body).expect(201)).body;

/** A new agent before the softphone. @param address what follows the gateway's own */
async function atWork(
  address = '/',
  role: 'agent' | 'supervisor' = 'agent',
): Promise<{ phone: SoftphonePage; agent: TestAgent }> {
  agents += 1;
  const agent = await gateway.agent(company, `c${String(agents)}`, role);
  const phone = new SoftphonePage(await browser.open(`${gateway.url}${address}`));
  await phone.enter(agent, company);
  return { phone, agent };
}

describe('contacts for who does not telephone', () => {
  it('are reached by a supervisor from the console, changed and found, without becoming an agent', async () => {
    const boss = await gateway.agent(company, 'boss', 'supervisor');
    await create({ name: 'Mary Somerville', phones: [{ phone_number: '+15551230077' }] });
    const page = await browser.open(`${gateway.url}/admin`);
    await signIn(page, boss, company.slug);
    await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).click();
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('somerv');
    await page.getByRole('link', { name: 'Mary Somerville' }).click();
    await page.getByRole('heading', { name: 'Mary Somerville' }).waitFor();
    expect(await page.getByRole('button', { name: /^Dial/ }).first().getAttribute('title')).toBe(
      'Calls are made from the softphone.',
    );
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      expect(await seriousFindings(page)).toEqual([]);
      await shot(page, 'alone');
    }
    const state = (await gateway.as(company).get('/api/agents').expect(200)).body.agents.find(
      ({ id }: { id: string }) => id === boss.id,
    );
    expect(
      (await gateway.as(boss).get(`/api/agents/${boss.id}/state`).expect(200)).body.state,
      JSON.stringify(state),
    ).toBe('offline');
  });
});

describe('the CRM area beside the softphone', () => {
  it('goes from contact to contact while a call lasts, and back and forward', async () => {
    await create({
      name: 'Grace Hopper',
      phones: [{ phone_number: '+15551230001', label: 'mobile' }],
      tags: ['navy'],
      time_zone: 'America/New_York',
    });
    await create({ name: 'Ada Byron', phones: [{ phone_number: '+15551230002' }], do_not_call: true });
    const { phone } = await atWork();
    const { page } = phone;
    const crm = page.getByRole('region', { name: 'CRM' });
    await crm.getByRole('link', { name: 'Grace Hopper' }).click();
    await crm.getByRole('heading', { name: 'Grace Hopper' }).and(page.locator(':focus')).waitFor();
    await crm.getByRole('button', { name: 'Dial' }).click();
    await phone.inCall('Connected');
    await crm.getByRole('region', { name: 'Timeline' }).getByText('Outgoing call').waitFor();
    await shot(page, 'in call');
    expect(await seriousFindings(page)).toEqual([]);
    await crm.getByRole('link', { name: 'Contacts', exact: true }).click();
    await crm.getByRole('link', { name: 'Ada Byron' }).click();
    await crm.getByText('This contact does not want to be called.').waitFor();
    await page.goBack();
    await page.goBack();
    await crm.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await page.goForward();
    await crm.getByRole('link', { name: 'Ada Byron' }).waitFor();
    await shot(page, 'list');
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');
  });

  it('dials who does not want to be called only for a supervisor who says so once more', { tags: 'full' }, async () => {
    const { id } = await create({
      name: 'Emily Dickinson',
      phones: [{ phone_number: '+15551230042' }],
      do_not_call: true,
    });
    const dialOn = (page: Page) => page.getByRole('region', { name: 'CRM' }).getByRole('button', { name: 'Dial' });
    const colleague = await atWork(`/#/contacts/${id}`);
    expect(await dialOn(colleague.phone.page).isDisabled()).toBe(true);
    await colleague.phone.page.close();
    const { phone } = await atWork(`/#/contacts/${id}`, 'supervisor');
    const { page } = phone;
    await dialOn(page).click();
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'call anyway');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Call anyway' }).waitFor({ state: 'detached' });
    await dialOn(page).press('Enter');
    await page.getByRole('button', { name: 'Call anyway' }).press('Enter');
    await phone.inCall('Connected');
    await page
      .getByRole('region', { name: 'Timeline' })
      .getByText('Called although the contact does not want it')
      .waitFor();
    await phone.button('Hang up').click();
  });

  it('keeps the page that an address names over the log-in and a reload', { tags: 'full' }, async () => {
    const { id } = await create({ name: 'Mary Shelley' });
    const { phone } = await atWork(`/#/contacts/${id}`);
    const heading = phone.page.getByRole('heading', { name: 'Mary Shelley' });
    await heading.waitFor();
    await phone.page.reload();
    await heading.waitFor();
  });

  it(
    'shows, narrow, an incoming call above every page, and is left for the softphone by its tab',
    { tags: 'full' },
    async () => {
      const { phone, agent } = await atWork('/#/contacts');
      const { page } = phone;
      await setSize(page, 'panel');
      await phone.page.getByRole('link', { name: 'Phone' }).click();
      await phone.goReady();
      await phone.page.getByRole('link', { name: 'CRM' }).click();
      const rung = ring(gateway, company, agent, { from: '+15551239999' });
      const strip = page.getByRole('region', { name: 'Call in progress' });
      await strip.getByText('Incoming call').waitFor();
      await phone.fits();
      for (const theme of ['light', 'dark'] as const) {
        await setTheme(page, theme);
        expect(await seriousFindings(page)).toEqual([]);
        await shot(page, 'ringing');
      }
      await strip.getByRole('button', { name: 'Answer' }).click();
      await strip.getByText('Connected').waitFor();
      expect(await rung).toBe('answered');
      await strip.getByRole('button', { name: 'Hold' }).click();
      await strip.getByRole('timer', { name: 'Time on hold' }).getByText('0:01').waitFor();
      await strip.getByRole('button', { name: 'Resume' }).click();
      await strip.getByRole('button', { name: 'Transfer' }).click();
      await strip.getByRole('button', { name: 'Call first' }).waitFor();
      await phone.fits();
      for (const theme of ['light', 'dark'] as const) {
        await setTheme(page, theme);
        expect(await seriousFindings(page)).toEqual([]);
        await shot(page, `strip ${theme}`);
      }
      await strip.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: 'Phone' }).click();
      await phone.inCall('Connected');
      await phone.button('Hang up').click();
      await phone.wrapUp.waitFor();
    },
  );
});

describe('contacts', () => {
  it('are put into one by a supervisor, from the page of one of them', { tags: 'full' }, async () => {
    const kept = await create({
      name: 'Dorothy Vaughan',
      tier: 'gold',
      notes: 'Mornings',
      phones: [{ phone_number: '+15551230071' }],
    });
    const other = await create({ name: 'D. Vaughan', tier: 'silver', phones: [{ phone_number: '+15551230072' }] });
    const { phone } = await atWork(`/#/contacts/${kept.id}`, 'supervisor');
    const { page } = phone;
    const crm = page.getByRole('region', { name: 'CRM' });
    await crm.getByRole('link', { name: 'Merge with …' }).click();
    await crm.getByRole('heading', { name: 'Merge Dorothy Vaughan' }).waitFor();
    const whom = crm.getByRole('combobox', { name: 'With whom' });
    await whom.fill('dorothy');
    await page.getByRole('option', { name: 'Dorothy Vaughan' }).click();
    await crm.getByText('That is this contact itself.', { exact: false }).waitFor();
    await whom.fill('d. vaughan');
    await page.getByRole('option', { name: 'D. Vaughan', exact: true }).click();
    await crm.getByRole('radio', { name: 'silver' }).check();
    for (const theme of ['light', 'dark'] as const) {
      await setTheme(page, theme);
      expect(await seriousFindings(page)).toEqual([]);
      await shot(page, 'merge');
    }
    await setSize(page, 'panel');
    await phone.fits();
    await shot(page, 'merge, narrow');
    await setSize(page, 'desk');
    // Somebody changes the other one meanwhile: nothing is merged, and what it says now is shown.
    await gateway.as(company).patch(`/api/crm/contacts/${other.id}`).send({ tier: 'bronze' }).expect(200);
    browser.expectTrouble(/status of 409/);
    await crm.getByRole('button', { name: 'Merge', exact: true }).click();
    await crm.getByText('One of them was changed meanwhile.', { exact: false }).waitFor();
    await crm.getByRole('radio', { name: 'bronze' }).check();
    await crm.getByRole('button', { name: 'Merge', exact: true }).click();
    await crm.getByRole('heading', { name: 'Dorothy Vaughan', exact: true }).waitFor();
    const { body } = await gateway.as(company).get(`/api/crm/contacts/${other.id}`).expect(200);
    expect(body).toMatchObject({ id: kept.id, tier: 'bronze', notes: 'Mornings' });
    expect(body.phones.map(({ phone_number }: { phone_number: string }) => phone_number)).toEqual([
      '+15551230071',
      '+15551230072',
    ]);
    // Not for agents, who may not.
    const agents = new SoftphonePage(await (await browser.profile()).open(`${gateway.url}/#/contacts/${kept.id}`));
    await agents.enter(await gateway.agent(company, 'no-merger', 'agent'), company);
    await agents.page.getByRole('region', { name: 'CRM' }).getByRole('link', { name: 'Edit' }).waitFor();
    expect(await agents.page.getByRole('link', { name: 'Merge with …' }).count()).toBe(0);
  });

  it('open by themselves for who calls, or the form for a number that nobody has, and leave alone what is being edited', async () => {
    const { id } = await create({ name: 'Hedy Lamarr', phones: [{ phone_number: '+15551238801' }] });
    const { phone, agent } = await atWork();
    const { page } = phone;
    const crm = page.getByRole('region', { name: 'CRM' });
    const hasFocus = (name: string) => phone.button(name).and(page.locator(':focus')).waitFor();
    const declined = async (from: string, meanwhile: () => Promise<void>) => {
      await phone.goReady();
      const rung = ring(gateway, company, agent, { from });
      await phone.button('Answer').waitFor();
      await meanwhile();
      await phone.button('Decline').click();
      await rung;
    };
    await declined('+15551238801', async () => {
      await crm.getByRole('heading', { name: 'Hedy Lamarr' }).waitFor();
      await crm.getByRole('region', { name: 'Timeline' }).waitFor();
      await hasFocus('Answer');
    });
    await declined('+15551238802', async () => {
      await eventually(async () =>
        expect(await crm.getByRole('textbox', { name: 'phone number 1', exact: true }).inputValue()).toBe(
          '+15551238802',
        ),
      );
      await hasFocus('Answer');
    });
    await crm.getByRole('textbox', { name: 'Name' }).fill('Somebody');
    await phone.number.focus();
    await declined('+15551238801', async () => {
      await phone.customer('Hedy Lamarr').waitFor();
      expect(await crm.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Somebody');
    });
    // Who has gone elsewhere during a call stays there.
    await crm.getByRole('textbox', { name: 'Name' }).fill('');
    await declined('+15551238801', async () => {
      await page.waitForURL(`**/#/contacts/${id}`);
      await crm.getByRole('link', { name: 'Deals' }).click();
    });
    expect(new URL(page.url()).hash).toBe('#/deals');
  });

  it('are made of an unknown caller while the call lasts, and pop up by name at the next', async () => {
    const { phone, agent } = await atWork();
    const { page } = phone;
    await phone.goReady();
    const rung = ring(gateway, company, agent, { from: '+15551237777' });
    await phone.button('Answer').click();
    await phone.inCall('Connected');
    await rung;
    await phone.card.getByRole('link', { name: 'Create contact' }).click();
    const crm = page.getByRole('region', { name: 'CRM' });
    expect(await crm.getByRole('textbox', { name: 'phone number 1', exact: true }).inputValue()).toBe('+15551237777');
    await crm.getByRole('textbox', { name: 'Name' }).fill('Margaret Hamilton');
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'new contact');
    await page.keyboard.press('Enter');
    await crm.getByRole('heading', { name: 'Margaret Hamilton' }).waitFor();
    await crm.getByRole('region', { name: 'Timeline' }).getByText('Incoming call: Connected').waitFor();
    await phone.card.getByRole('link', { name: 'Open contact' }).waitFor();
    await phone.customer('Margaret Hamilton').waitFor();
    await eventually(async () => expect(await page.title()).toContain('Margaret Hamilton'));
    expect(await phone.card.getByText('Nothing is known about this number.').count()).toBe(0);
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');
    await phone.recent.getByText('Margaret Hamilton').first().waitFor();
    await crm.getByRole('region', { name: 'Timeline' }).getByText('Resolved').waitFor();
    const id = new URL(page.url()).hash.split('/').at(-1);
    await gateway
      .as(company)
      .post('/api/crm/tasks')
      .send({ contact_id: id, due_at: '2099-01-01T10:00:00Z', assignee_id: null, notes: 'Wants the offer' })
      .expect(201);
    await page.goto(`${gateway.url}/#/contacts`);

    const again = ring(gateway, company, agent, { from: '+15551237777' });
    await phone.customer('Margaret Hamilton').waitFor();
    await phone.card.getByRole('region', { name: 'Last calls' }).getByText('Resolved').waitFor();
    await phone.card.getByRole('region', { name: 'To be done' }).getByText('Wants the offer').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'known caller');
    await phone.card.getByRole('link', { name: 'Open contact' }).click();
    await crm.getByRole('heading', { name: 'Margaret Hamilton' }).waitFor();
    await phone.button('Decline').click();
    await again;
  });

  it('are found as somebody types, with their organisation', async () => {
    const organisation = (
      await gateway.as(company).post('/api/crm/organisations').send({ name: 'Analytical Engines' }).expect(201)
    ).body;
    await create({ name: 'Ada Lovelace', organisation_id: organisation.id, phones: [{ phone_number: '+4930901820' }] });
    const { phone } = await atWork('/#/contacts');
    const crm = phone.page.getByRole('region', { name: 'CRM' });
    await crm.getByRole('searchbox', { name: 'Search contacts' }).fill('lovel');
    await crm.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await crm.getByText('1 contact', { exact: true }).waitFor();
    await crm.getByRole('searchbox').fill('analyt');
    await crm.getByRole('link', { name: 'Analytical Engines' }).click();
    await crm.getByRole('heading', { name: 'Analytical Engines' }).waitFor();
    await crm.getByRole('link', { name: 'Ada Lovelace' }).click();
    await crm.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  });

  it('are narrowed to the agent’s own and to a tag, and going back finds them so', { tags: 'full' }, async () => {
    const { phone, agent } = await atWork('/#/contacts');
    await create({ name: 'Hedy Lamarr', tags: ['radio'], owner_id: agent.id });
    await create({ name: 'Mária Telkes', tags: ['radio', 'solar'] });
    const crm = phone.page.getByRole('region', { name: 'CRM' });
    await crm.getByRole('button', { name: 'Mine' }).click();
    await crm.getByRole('link', { name: 'Hedy Lamarr' }).waitFor();
    expect(await crm.getByRole('listitem').count()).toBe(1);
    await crm.getByRole('link', { name: 'radio' }).click();
    await crm.getByText('Tag: radio').waitFor();
    await crm.getByRole('link', { name: 'Mária Telkes' }).click();
    await crm.getByRole('heading', { name: 'Mária Telkes' }).waitFor();
    await phone.page.goBack();
    await crm.getByText('Tag: radio').waitFor();
    expect(await seriousFindings(phone.page)).toEqual([]);
    await shot(phone.page, 'tagged');
    await crm.getByRole('button', { name: 'Tag: radio' }).click();
    await crm.getByText('Tag: radio').waitFor({ state: 'detached' });
  });

  it('keep what was typed when somebody else saves them first, and what that one saved', { tags: 'full' }, async () => {
    const { id } = await create({ name: 'Edith Clarke', tier: 'silver' });
    const { phone } = await atWork(`/#/contacts/${id}/edit`);
    const { page } = phone;
    const crm = page.getByRole('region', { name: 'CRM' });
    await crm.getByRole('textbox', { name: 'Name' }).fill('Edith Clarke-Miller');
    await gateway.as(company).patch(`/api/crm/contacts/${id}`).send({ tier: 'gold' }).expect(200);
    browser.expectTrouble(/409/);
    await crm.getByRole('button', { name: 'Save', exact: true }).click();
    const told = crm.getByRole('alert');
    await told.getByText('gold').waitFor();
    expect(await crm.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Edith Clarke-Miller');
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'changed meanwhile');
    await crm.getByRole('button', { name: 'Save what I changed' }).click();
    await crm.getByRole('heading', { name: 'Edith Clarke-Miller' }).waitFor();
    const { body } = await gateway.as(company).get(`/api/crm/contacts/${id}`).expect(200);
    expect(body).toMatchObject({ name: 'Edith Clarke-Miller', tier: 'gold', version: 3 });
  });

  it('ask before what was typed is left', { tags: 'full' }, async () => {
    const { phone } = await atWork('/#/contacts/new');
    const { page } = phone;
    await page.getByRole('textbox', { name: 'Name' }).fill('Nobody yet');
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('button', { name: 'Keep editing' }).last().click();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Nobody yet');
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Contacts' }).waitFor();
  });
});

it(
  'shows agents the fields that an admin defines, on the contact and on the screen pop, in their order',
  { tags: 'full' },
  async () => {
    await create({ name: 'Katherine Johnson', phones: [{ phone_number: '+15551234444' }] });
    const admin = await openConsole(await browser.profile(), gateway, company.slug);
    await admin.getByRole('link', { name: 'Contact fields' }).click();
    await admin.getByText('No fields yet').waitFor();
    const save = admin.getByRole('button', { name: 'Save' });
    await admin.getByRole('button', { name: 'New field' }).click();
    await admin.getByRole('textbox', { name: 'Label' }).fill('Contract number');
    await admin.keyboard.press('Enter');
    await admin.getByText('Contract number', { exact: true }).waitFor();
    await save.waitFor({ state: 'detached' });
    await admin.getByRole('button', { name: 'New field' }).click();
    await admin.getByRole('textbox', { name: 'Label' }).fill('Plan');
    await admin.getByRole('combobox', { name: 'Kind' }).click();
    await admin.getByRole('option', { name: 'Choice' }).click();
    await admin.getByRole('combobox', { name: 'Choices' }).fill('Basic');
    await admin.keyboard.press('Enter');
    await admin.keyboard.type('Pro');
    await admin.keyboard.press('Enter');
    await save.click();
    const up = admin.getByRole('button', { name: 'Move Plan up' });
    await up.focus();
    await admin.keyboard.press('Enter');
    await admin.getByRole('button', { name: 'Move Plan down' }).and(admin.locator(':focus')).waitFor();
    const fieldsNow = async (): Promise<{ key: string }[]> =>
      (await gateway.as(company).get('/api/crm/fields').expect(200)).body.fields;
    await eventually(async () =>
      expect((await fieldsNow()).map(({ key }) => key)).toEqual(['plan', 'contract_number']),
    );
    expect(await seriousFindings(admin)).toEqual([]);
    await shot(admin, 'fields');

    const { phone, agent } = await atWork('/#/contacts');
    const crm = phone.page.getByRole('region', { name: 'CRM' });
    await crm.getByRole('link', { name: 'Katherine Johnson' }).click();
    await crm.getByRole('link', { name: 'Edit' }).click();
    await crm.getByRole('textbox', { name: 'Contract number' }).fill('K-17');
    await crm.getByRole('combobox', { name: 'Plan' }).click();
    await phone.page.getByRole('option', { name: 'Pro' }).click();
    await crm.getByRole('button', { name: 'Save', exact: true }).click();
    await crm.getByText('K-17').first().waitFor();
    await shot(phone.page, 'own fields');
    await phone.goReady();
    const rung = ring(gateway, company, agent, { from: '+15551234444' });
    await phone.card.getByText('K-17').waitFor();
    await phone.button('Decline').click();
    await rung;
  },
);

it('has no CRM area where the company has no contacts', { tags: 'full' }, async () => {
  const other = await gateway.company({ slug: 'without-contacts', agents: 1 });
  const page = await browser.open(`${gateway.url}/#/contacts`);
  await signIn(page, other.agents[0]!, other.slug);
  await new SoftphonePage(page).connected();
  expect(await page.getByRole('region', { name: 'CRM' }).count()).toBe(0);
});
