import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { IntegrationOverview } from '../../src/contract/integrations.ts';
import { openConsole, unconnectedCompany } from '../support/browser/adminConsole.ts';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import { signIn, useBrowser } from '../support/browser/browser.ts';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { bearer } from '../support/gateway/populatedGateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { push, ring, SoftphonePage } from '../support/browser/softphonePage.ts';
import { patchAgent, pbx, putTelephony } from '../support/gateway/telephony.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';
import { IllustratedGuide } from './guides/illustratedGuide.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let receiver: WebhookReceiver;
let crm: HubspotFake;

beforeAll(async () => {
  [crm, receiver] = await Promise.all([HubspotFake.open(), startWebhookReceiver()]);
  crm.addPerson({ name: 'Grace Hopper', email: 'grace@example.com', phone: '(415) 555-2671', openTickets: 2 });
  gateway = await startGateway('memory', { config: { crmBaseUrls: new Map([['hubspot', crm.url]]) } });
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
  await crm.close();
});
beforeEach(() => receiver.answerWith(() => 204));

const browser = useBrowser();
const customer = {
  phone_number: '+15551230001',
  data: { name: 'Grace Hopper', email: 'grace@example.com', open_tickets: 2 },
  tier: 'gold',
};

async function named(company: TestCompany, code: string, name: string, role?: string): Promise<TestAgent> {
  const agent = await gateway.agent(company, code, role);
  await patchAgent(gateway, company, agent, { name }).expect(200);
  return agent;
}

async function setTags(company: TestCompany): Promise<void> {
  const tags = ['Invoice', 'Price', 'Complaint'].map((label) => ({ code: label.toLowerCase(), label }));
  await gateway.as(company).patch('/api/company').send({ tags, free_tags: true }).expect(200);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('the guide for agents', () => {
  it('names what the softphone shows, on a day with everything in it', async () => {
    const guide = await IllustratedGuide.read('agents');
    const company = await gateway.company({ slug: 'lakeside', wrapUpSeconds: 600 });
    await setTags(company);
    const agent = await named(company, 'ada', 'Ada Weber');
    await push(gateway, company, customer);
    const line = await openBreakableLine(gateway.url);
    onTestFinished(() => line.close());
    const phone = new SoftphonePage(await browser.open(`${line.url}/`, { size: 'panel' }));
    const { page } = phone;

    await page.getByLabel('Agent code or e-mail').fill('ada');
    await page.getByRole('textbox', { name: 'Password' }).fill('a good password');
    await guide.picture(page, 'sign-in', 410);
    await phone.enter(agent, company);
    await guide.see(page);
    await button(page, 'Not Ready').click();
    await page.getByRole('menuitem', { name: 'No reason' }).waitFor();
    await guide.picture(page, 'reasons', 410);
    await page.keyboard.press('Escape');
    await button(page, 'Keyboard shortcuts').click();
    await page.getByText('Choose a disposition').waitFor();
    await guide.see(page);
    await page.keyboard.press('Escape');
    await button(page, 'Ringing and sound').click();
    await button(page, 'Microphone and speaker').click();
    await button(page, 'Test call').waitFor();
    await guide.see(page);
    await page.keyboard.press('Escape');
    await phone.goReady();
    await guide.picture(page, 'ready', 350);

    await gateway.click(company, { phone_number: customer.phone_number, agent_code: agent.agentCode }).expect(201);
    await phone.inCall('Connected');
    await guide.picture(page, 'call', 460);
    const second = ring(gateway, company, agent, { from: '+15551230002' });
    await phone.button('Hold and answer').waitFor();
    await phone.button('Pass on…').waitFor();
    await guide.see(page);
    await phone.button('Decline').click();
    await second;
    await phone.button('Hold').click();
    await phone.button('Resume').waitFor();
    await guide.see(page);
    await phone.button('Resume').click();
    await phone.button('Hold').waitFor();
    await phone.button('Transfer').click();
    await phone.button('Transfer now').waitFor();
    await guide.see(page);
    await page.getByRole('textbox', { name: 'Number, extension or colleague' }).fill('+15551230003');
    await phone.button('Call first').click();
    await page.getByText(/^You are talking to/).waitFor();
    await guide.see(page);
    await phone.button('Back to the customer').click();
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    await phone.wrapUp.getByText('Grace Hopper').waitFor();
    await phone.wrapUp.getByRole('radio', { name: 'Resolved' }).check();
    await phone.wrapUp.getByLabel('Notes').fill('Ticket solved on the phone.');
    await phone.wrapUp.getByRole('combobox', { name: 'Tags' }).fill('Invoice');
    await page.keyboard.press('Enter');
    await guide.picture(page, 'wrap-up');
    await phone.wrapUpAs('Resolved');

    const note = {
      text: 'The new price list counts from noon on. Ask Grace if you are in doubt.',
      to: { agent_id: agent.id },
    };
    await gateway.as(company).post('/api/messages').send(note).expect(201);
    await page.getByRole('button', { name: /^Read: message/ }).waitFor();
    await guide.picture(page, 'message', 350);
    await page.getByRole('button', { name: /^Read: message/ }).click();
    await button(page, 'Colleagues').click();
    await page.getByRole('list', { name: 'Colleagues' }).waitFor();
    await guide.see(page);
    await page.keyboard.press('Escape');

    const rung = ring(gateway, company, agent, { from: customer.phone_number });
    await phone.card.getByText('grace@example.com').waitFor();
    await phone.button('Pass on…').waitFor();
    await guide.picture(page, 'incoming', 470);
    await phone.button('Decline').click();
    await rung;
    await button(page, 'Dismiss').waitFor();
    await guide.picture(page, 'set-aside', 530);
    await button(page, 'Go Ready').click();
    await button(page, 'Dismiss').waitFor({ state: 'detached' });

    await gateway.api
      .put(`/api/agents/${agent.id}/state`)
      .set(bearer(company.adminToken))
      .send({ state: 'not_ready' })
      .expect(200);
    await button(page, 'Dismiss').waitFor();
    await guide.see(page);
    browser.expectTrouble(/WebSocket connection|Failed to load resource/);
    line.cut();
    await phone.state.getByText('Reconnecting…').waitFor();
    await guide.see(page);
    line.mend();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await phone.connected();
    await phone.number.fill(customer.phone_number);
    await phone.number.press('Enter');
    await phone.inCall('Connected');
    line.cut();
    await phone.state.getByText('Your call goes on').waitFor();
    await guide.see(page);
    line.mend();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await phone.connected();
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');

    await gateway.as(company).patch('/api/company').send({ preview_dial: true }).expect(200);
    const callback = {
      kind: 'callback',
      phone_number: customer.phone_number,
      due_at: new Date().toISOString(),
      assignee_id: agent.id,
    };
    await gateway.as(company).post('/api/crm/tasks').send(callback).expect(201);
    await page
      .getByRole('button', { name: /^Preview/ })
      .first()
      .click();
    await button(page, 'Skip').waitFor();
    await guide.see(page);
    const lead = await named(company, 'lead', 'Maria Silva', 'supervisor');
    await gateway.as(company).post('/api/do-not-dial').send({ number: '+15551230009' }).expect(201);
    const other = new SoftphonePage(await (await browser.profile({ size: 'panel' })).open(`${gateway.url}/`));
    await other.enter(lead, company);
    await other.number.fill('+15551230009');
    await other.number.press('Enter');
    await button(other.page, 'Call anyway').waitFor();
    await guide.see(other.page);

    await page.evaluate(() => {
      const kept = JSON.parse(sessionStorage.getItem('readyline.sign-in') ?? '{}') as { expiresAt: string };
      kept.expiresAt = new Date(Date.now() + 10 * 60_000).toISOString();
      sessionStorage.setItem('readyline.sign-in', JSON.stringify(kept));
    });
    await page.reload();
    await button(page, 'Stay logged in').waitFor();
    await phone.connected();
    await guide.see(page);
    const elsewhere = await browser.open(`${line.url}/`);
    await elsewhere.setViewportSize({ width: 380, height: 420 });
    await button(elsewhere, 'Take over here').waitFor();
    await guide.picture(elsewhere, 'elsewhere');
    await button(elsewhere, 'Take over here').click();
    await button(page, 'Take it back to this page').waitFor();
    await guide.see(page);
    expect(guide.faults()).toEqual({ words: [], pictures: [] });
  });
});

describe('the guide for supervisors', () => {
  it('names what the wallboard shows', async () => {
    const guide = await IllustratedGuide.read('supervisors');
    const company = await gateway.company({ slug: 'harbour', wrapUpSeconds: 600 });
    await setTags(company);
    const boss = await named(company, 'boss', 'Maria Silva', 'supervisor');
    const [ada, ben, chloe, dario, eva] = await Promise.all(
      [
        ['ada', 'Ada Weber'],
        ['ben', 'Ben Okafor'],
        ['chloe', 'Chloé Martin'],
        ['dario', 'Dario Conti'],
        ['eva', 'Eva Novak'],
      ].map(([code = '', name = '']) => named(company, code, name)),
    );
    await push(gateway, company, customer);
    const awayLine = await openBreakableLine(gateway.url);
    const line = await openBreakableLine(gateway.url);
    onTestFinished(async () => {
      await awayLine.close();
      await line.close();
    });
    for (const agent of [ada!, ben!, chloe!, dario!]) await gateway.softphone(agent).connect();
    await gateway.readySoftphone(eva!, { url: awayLine.url });
    await gateway.click(company, { phone_number: customer.phone_number, agent_id: dario!.id }).expect(503);
    const talking = await gateway.readySoftphone(ada!);
    const dialing = nextEvent(talking, 'dial');
    await gateway.click(company, { phone_number: customer.phone_number, agent_id: ada!.id }).expect(201);
    const [{ call_id: callId }] = await dialing;
    await talking.reportProgress(callId, 'connected');
    await gateway.readySoftphone(ben!);
    const wrapping = await gateway.readySoftphone(chloe!);
    const { id } = await wrapping.startCall('+15551230002');
    for (const state of ['connected', 'held', 'connected', 'ended'] as const) await wrapping.reportProgress(id, state);
    await (await gateway.readySoftphone(dario!)).setNotReady('meal');

    const page = await browser.open(`${line.url}/admin/live`);
    await button(page, 'Sign in').waitFor();
    await guide.see(page);
    await signIn(page, boss);
    await page.getByText('5 agents').waitFor();
    const row = (agent: TestAgent) => page.getByRole('row').filter({ hasText: agent.agentCode });
    await row(chloe!).getByText('Wrap-up').waitFor();
    awayLine.cut();
    await row(eva!).getByText('Reconnecting').waitFor();
    await page.getByText('1 outbound · 0 inbound').waitFor();
    await page.getByText('5 agents · 1 not connected').waitFor();
    await guide.picture(page, 'wallboard', 520);
    await button(page, 'Large screen').click();
    await button(page, 'Leave large screen').waitFor();
    await guide.see(page);
    await button(page, 'Leave large screen').click();

    await button(page, 'Trends of the day').click();
    await page.getByText('On calls', { exact: true }).first().waitFor();
    await guide.see(page);
    await button(page, 'Trends of the day').click();
    await button(page, 'Messages').click();
    const messages = page.getByRole('dialog', { name: 'Messages' });
    await messages.getByRole('combobox', { name: 'To' }).click();
    await page.getByRole('option', { name: 'Everybody' }).waitFor();
    await guide.see(page);
    await page.getByRole('option', { name: 'Everybody' }).click();
    await messages.getByRole('textbox', { name: 'Message' }).fill('The new price list counts from noon on.');
    await messages.getByRole('button', { name: 'Send' }).click();
    await messages.getByRole('button', { name: /^Not read by/ }).click();
    await messages.getByText('Ben Okafor').waitFor();
    await guide.picture(page, 'messages');
    await page.keyboard.press('Escape');

    await row(ada!).getByRole('button').click();
    const panel = page.getByRole('dialog', { name: 'Ada Weber' });
    await panel.getByRole('list', { name: 'States of today, the latest first' }).getByText('On call').waitFor();
    await guide.picture(page, 'agent', 520);
    await panel.getByText('Now: ends the call').click();
    await panel.getByRole('button', { name: 'Ready', exact: true }).click();
    await page.getByRole('dialog', { name: 'Free Ada Weber now?' }).waitFor();
    await guide.picture(page, 'free', 520);
    await button(page, 'Leave the call').click();
    await page.keyboard.press('Escape');

    for (const code of ['voicemail', 'resolved'])
      await gateway.as(boss).patch(`/api/calls/${id}`).send({ disposition: { code } }).expect(200);
    const calls = await browser.open(`${gateway.url}/admin/calls`);
    await signIn(calls, boss);
    await calls.getByRole('cell', { name: 'Chloé Martin' }).waitFor();
    await guide.see(calls);
    await calls.getByRole('row').filter({ hasText: 'Chloé Martin' }).getByRole('button').click();
    await calls.getByRole('heading', { name: 'Corrections' }).waitFor();
    await guide.see(calls);

    const reports = await browser.open(`${gateway.url}/admin/reports?range=week`);
    await reports.getByRole('table', { name: 'Reports' }).waitFor();
    await guide.see(reports);
    await button(reports, 'Keep as a view…').click();
    await reports.getByRole('textbox', { name: 'Name' }).fill('This week');
    await guide.see(reports);
    await button(reports, 'Save').click();
    await reports.getByText('The view is saved.').waitFor();
    await guide.see(reports);

    const finn = await named(company, 'finn', 'Finn Larsen');
    const phone = new SoftphonePage(await (await browser.profile({ size: 'panel' })).open(`${gateway.url}/`));
    await phone.enter(finn, company);
    await phone.goReady();
    await gateway.click(company, { phone_number: customer.phone_number, agent_id: finn.id }).expect(201);
    await phone.inCall('Connected');
    await row(finn).getByRole('button').click();
    await button(page, 'Listen').click();
    await page.getByRole('dialog', { name: 'Finn Larsen' }).getByRole('button', { name: 'Stop listening' }).waitFor();
    await guide.see(page);
    await page.getByRole('dialog', { name: 'Finn Larsen' }).getByRole('button', { name: 'Stop listening' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body: team } = await gateway
      .as(company)
      .post('/api/teams')
      .send({ code: 'sales', name: 'Sales', agent_ids: [ada!.id, ben!.id] })
      .expect(201);
    await patchAgent(gateway, company, boss, { led_team_ids: [team.id] }).expect(200);
    await page.getByText('Your teams: Sales').waitFor();
    await guide.see(page);

    const refusal = browser.expectTrouble(/WebSocket connection/);
    line.cut();
    await page.getByText('Not live: reconnecting…').waitFor();
    await guide.picture(page, 'not-live', 520);
    await button(page, 'Try now').click();
    await refusal.met();
    expect(guide.faults()).toEqual({ words: [], pictures: [] });
  });
});

describe('the guide for admins', () => {
  it('names what the console shows', async () => {
    const guide = await IllustratedGuide.read('admins');
    await unconnectedCompany(gateway, 'meadow');
    const page = await openConsole(browser, gateway, 'meadow', '/connect');
    await page.getByRole('combobox', { name: 'CRM' }).click();
    await page.getByRole('option', { name: 'Custom CRM' }).click();
    await guide.picture(page, 'choose', 560);
    await button(page, 'Continue').click();
    await page.getByLabel('Webhook URL').fill(receiver.url);
    await guide.see(page);
    await button(page, 'Connect').click();
    await page.getByRole('heading', { name: 'Copy your API key' }).waitFor();
    await guide.picture(page, 'key', 480);
    await button(page, 'Continue').click();
    await button(page, 'It is stored, go on').click();
    await button(page, 'Send a test').waitFor();
    await guide.see(page);
    await button(page, 'Send a test').click();
    await page.getByText('It arrived').waitFor();
    await button(page, 'Continue').click();
    await button(page, 'To the settings').click();
    await button(page, 'Rotate the secret').waitFor();
    await guide.see(page);
    await page.goto(`${gateway.url}/admin/connect/crm?provider=hubspot`);
    await page.getByRole('textbox', { name: 'Access token' }).fill(crm.accessToken);
    await button(page, 'Connect').click();
    await page.getByText('Callers are looked up').waitFor();
    await page.getByLabel('Phone number').fill('+14155552671');
    await button(page, 'Look up').click();
    await page.getByText('+14155552671 is found.').waitFor();
    await guide.picture(page, 'crm', 800);

    const company = await gateway.company({ slug: 'orchard', wrapUpSeconds: 30, webhookUrl: receiver.url });
    const agent = await named(company, 'ada', 'Ada Weber');
    await named(company, 'ben', 'Ben Okafor');
    await push(gateway, company, {
      ...customer,
      data: { ...customer.data, plan: 'Pro', renewal: '2027-03-01', revenue: 12500, currency: 'EUR' },
    });
    const softphone = await gateway.readySoftphone(agent);
    const call = async () => {
      const { id } = await softphone.startCall(customer.phone_number);
      await softphone.reportProgress(id, 'connected');
      await softphone.reportProgress(id, 'ended');
      await softphone.submitDisposition(id, { code: 'resolved' });
      return id;
    };
    const callId = await call();
    await receiver.waitFor(({ body }) => body.data['call_id'] === callId, 3);

    const own = await browser.profile();
    const open = (path: string) => openConsole(own, gateway, 'orchard', path);
    const admin = await open('');
    await admin.getByText('What was sent and what came back').waitFor();
    await guide.picture(admin, 'overview', 520);
    const go = async (link: string, loaded: string) => {
      await admin.getByRole('link', { name: link, exact: true }).click();
      await admin.getByText(loaded).first().waitFor();
    };
    await go('Agents', 'Ada Weber');
    await admin.getByText('Ada Weber').click();
    await button(admin, 'Make one').waitFor();
    await guide.see(admin);
    await admin.keyboard.press('Escape');
    // The form that slides out has a field “Name”, too.
    await admin.getByRole('dialog').waitFor({ state: 'detached' });
    await button(admin, 'New agent').click();
    await admin.getByRole('dialog', { name: 'New agent' }).waitFor();
    await admin.getByRole('textbox', { name: 'Name' }).fill('Chloé Martin');
    await admin.getByLabel('Agent code').fill('chloe');
    await guide.picture(admin, 'agent', 720);
    await button(admin, 'Create').click();
    await admin.getByText('It is shown only now').waitFor();
    const told = admin.getByRole('alert').filter({ hasText: 'Chloé Martin is created.' });
    await told.waitFor();
    await guide.see(admin);
    await button(admin, 'Done').click();
    await button(admin, 'It is stored, go on').click();
    await admin.getByRole('dialog').first().waitFor({ state: 'detached' });
    // It goes by itself after 5 s, which may be over.
    await told.waitFor({ state: 'detached' });
    await go('Call handling', 'Not Ready reasons');
    await admin.getByText('Speed dials of the company').first().waitFor();
    await guide.picture(admin, 'call-handling');
    await go('Do-not-dial list', 'Import CSV');
    await guide.see(admin);
    await gateway
      .as(company)
      .post('/api/teams')
      .send({ code: 'sales', name: 'Sales', agent_ids: [agent.id] })
      .expect(201);
    await named(company, 'maria', 'Maria Silva', 'supervisor');
    await go('Agents', 'Maria Silva');
    await admin.getByText('Maria Silva').click();
    await admin.getByRole('combobox', { name: 'Sees and may act on' }).click();
    await admin.getByRole('option', { name: 'The agents of some teams' }).waitFor();
    await guide.see(admin);
    await admin.keyboard.press('Escape');
    await admin.keyboard.press('Escape');
    await admin.getByRole('dialog').waitFor({ state: 'detached' });
    const view = { name: 'This week', shared: true, filter: { range: 'week', group_by: 'day' } };
    const { body: kept } = await gateway.as(company).post('/api/reports/views').send(view).expect(201);
    await gateway
      .as(company)
      .put('/api/integrations')
      .send({ webhook_events: ['call_answered', 'call_ended', 'disposition', 'report_ready'] })
      .expect(200);
    await admin.goto(`${gateway.url}/admin/reports?view=${kept.id}`);
    await button(admin, 'Send by webhook…').waitFor();
    await guide.see(admin);
    await button(admin, 'Send by webhook…').click();
    await admin.getByRole('region', { name: 'Sent by webhook' }).getByRole('button', { name: 'Save' }).click();
    await button(admin, 'Send now').waitFor();
    await guide.see(admin);
    await gateway.as(company).put('/api/integrations').send({ webhook_events: null }).expect(200);
    await go('Screen pop', 'Mar 1, 2027');
    for (const field of ['Plan', 'Revenue', 'Renewal']) await button(admin, `Add ${field}`).click();
    await admin.getByRole('button', { name: /^Pin Plan/ }).click();
    await admin.getByRole('combobox', { name: 'Format of Revenue' }).selectOption('Money');
    await admin.getByRole('combobox', { name: 'Currency of Revenue' }).click();
    await admin.getByRole('option', { name: 'currency', exact: true }).click();
    await admin.getByText('€12,500').waitFor();
    await guide.picture(admin, 'screen-pop', 700);
    await button(admin, 'Discard changes').click();
    await putTelephony(gateway, company, pbx).expect(200);
    await go('Telephony', 'SIP in the browser');
    await admin.getByText('no SIP user').first().waitFor();
    await guide.picture(admin, 'telephony');
    await go('Delivery log', 'call_answered');
    await admin.getByRole('row', { name: /call_answered Delivered/ }).click();
    await admin.getByRole('dialog', { name: 'Delivery' }).getByText('POST http').waitFor();
    await guide.picture(admin, 'delivery');
    await admin.keyboard.press('Escape');

    receiver.answerWith(() => 500);
    await go('Connection', 'Rotate the key');
    await button(admin, 'Send a test').click();
    await admin.getByText('It did not arrive').waitFor();
    await guide.see(admin);
    const overview = async () =>
      (await gateway.api.get('/api/integrations').set(bearer(company.adminToken)).expect(200))
        .body as IntegrationOverview;
    const notices = async () => (await overview()).status.notices.map(({ code }) => code);
    for (let calls = 0; calls < 3; calls++) await call();
    await eventually(async () => expect(await notices()).toContain('webhook_failing'));
    await go('Overview', 'Webhooks are failing');
    await guide.picture(admin, 'failing', 560);
    await gateway.api
      .put('/api/integrations')
      .set(bearer(company.adminToken))
      .send({ webhook_enabled: false })
      .expect(200);
    await admin.reload();
    await admin.getByText('Webhooks are disabled').waitFor();
    await guide.see(admin);
    await go('Connection', 'Rotate the key');
    await button(admin, 'Enable').waitFor();
    await guide.see(admin);
    expect(guide.faults()).toEqual({ words: [], pictures: [] });
  });
});
