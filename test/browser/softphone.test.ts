import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { UpdateTelephonyRequest } from '../../src/contract/telephony.ts';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setTheme, shot, useBrowser } from '../support/browser/browser.ts';
import { patchAgent, putTelephony } from '../support/gateway/telephony.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { push, ring, SoftphonePage } from '../support/browser/softphonePage.ts';
import { browserSdp } from '../support/sip/mutePeer.ts';
import { headerOf, PbxDialog, ScriptedPbx } from '../support/sip/scriptedPbx.ts';
import { isolated } from '../../web/src/shared/phoneNumbers/direction.ts';
import { numberInSentence, shownNumber } from '../support/web/shownNumber.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;
let receiver: WebhookReceiver;
let agents = 0;

beforeAll(async () => {
  gateway = await startGateway();
  receiver = await startWebhookReceiver();
  company = await gateway.company({ slug: 'acme', webhookUrl: receiver.url });
  const reasons = [{ code: 'paperwork', label: 'Paperwork' }];
  await gateway.as(company).patch('/api/company').send({ not_ready_reasons: reasons }).expect(200);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

const browser = useBrowser();

async function newAgent(): Promise<TestAgent> {
  agents += 1;
  return gateway.agent(company, `s${String(agents)}`);
}

/** An agent of the test's own at the page, in a side panel unless told. */
async function atWork(size: 'panel' | 'desk' = 'panel'): Promise<{ phone: SoftphonePage; agent: TestAgent }> {
  const agent = await newAgent();
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`, { size }));
  await phone.enter(agent, company);
  return { phone, agent };
}

/** An agent of a company with a PBX of its own, which says what the test wants. */
async function atOwnPbx(more: Partial<UpdateTelephonyRequest> = {}): Promise<{
  phone: SoftphonePage;
  pbx: ScriptedPbx;
  agent: TestAgent;
  employer: TestCompany;
}> {
  const pbx = await ScriptedPbx.open();
  onTestFinished(() => pbx.close());
  const { wssUrl, user, secret, domain } = pbx.account;
  agents += 1;
  const employer = await gateway.company({ slug: `pbx${String(agents)}` });
  await putTelephony(gateway, employer, { mode: 'sip', sip_wss_url: wssUrl, sip_domain: domain, ...more }).expect(200);
  const agent = await gateway.agent(employer, `s${String(agents)}`);
  await patchAgent(gateway, employer, agent, { sip_user: user, sip_secret: secret }).expect(200);
  const phone = new SoftphonePage(await browser.open(`${gateway.url}/`, { size: 'panel' }));
  await phone.enter(agent, employer);
  return { phone, pbx, agent, employer };
}

function click(agent: TestAgent, phone_number: string, more: object = {}) {
  return gateway.click(company, { phone_number, agent_code: agent.agentCode, ...more });
}

describe('the main job', () => {
  it('goes from a pushed customer over a click, a talk and a wrap-up to the webhook', async () => {
    await push(gateway, company, {
      phone_number: '+15551230001',
      data: { name: 'Ada Lovelace', email: 'ada@example.com', open_tickets: 3 },
      tier: 'gold',
      external_system: 'salesforce',
      external_id: '0035g',
    });
    const { phone, agent } = await atWork('desk');
    await phone.goReady();
    await shot(phone.page, 'ready');
    const campaign = '0d2a6f1c-1111-4222-8333-444455556666';
    const asked = { external_id: '0035g', campaign_id: campaign, metadata: { source: 'button' } };
    const { body } = await click(agent, '+15551230001', asked).expect(201);
    await phone.customer('Ada Lovelace').waitFor();
    for (const known of ['gold', 'ada@example.com', 'salesforce', '0035g', campaign, 'button']) {
      await phone.card.getByText(known, { exact: true }).waitFor();
    }
    expect(await phone.card.locator('dt').allTextContents()).toContain('Open tickets');
    await phone.inCall('Connected');
    await phone.page
      .getByRole('region', { name: 'Call', exact: true })
      .getByText(shownNumber('+15551230001'))
      .waitFor();
    await shot(phone.page, 'connected');
    expect(await seriousFindings(phone.page)).toEqual([]);
    expect(await phone.page.title()).toContain('Ada Lovelace');
    await phone.button('Hang up').click();
    await phone.wrapUp.getByText('Ada Lovelace').waitFor();
    await shot(phone.page, 'wrap-up');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await phone.wrapUpAs('Resolved');
    await phone.state.getByText('Ready', { exact: true }).waitFor();
    await phone.recent.getByText(/Completed.*Resolved/).waitFor();
    await phone.recent.getByText('Ada Lovelace').waitFor();
    const [disposition] = await receiver.waitFor(
      (webhook) => webhook.body.event === 'disposition' && webhook.body.data['call_id'] === body.call_id,
    );
    expect(disposition?.body.data).toMatchObject({ code: 'resolved', end_reason: 'completed', external_id: '0035g' });
  });

  it('mutes, holds and sends tones', { tags: 'full' }, async () => {
    const { phone, agent } = await atWork();
    await phone.goReady();
    await click(agent, '+15551230012').expect(201);
    await phone.card.getByText('Nothing is known about this number.').waitFor();
    await phone.inCall('Connected');
    await phone.button('Mute').click();
    await phone.page.getByRole('button', { name: 'Mute', pressed: true }).waitFor();
    await phone.page.keyboard.press('Alt+m');
    await phone.page.getByRole('button', { name: 'Mute', pressed: false }).waitFor();
    await phone.button('Hold').click();
    await phone.inCall('On hold');
    await phone.page.getByRole('timer', { name: 'Time on hold' }).getByText('0:02').waitFor();
    await phone.page.keyboard.press('Alt+l');
    await phone.inCall('Connected');
    await phone.page.getByRole('timer', { name: 'Time on hold' }).waitFor({ state: 'detached' });
    await phone.page.getByLabel(/^Good voice quality \(4\.\d of 5\)$/).waitFor();
    await phone.button('Keypad').click();
    await phone.page.getByRole('group', { name: 'Keypad: sends tones' }).getByRole('button', { name: 'Hash' }).click();
    await phone.page.keyboard.press('5');
    await shot(phone.page, 'keypad');
    await phone.fits();
    await phone.page.keyboard.press('Alt+h');
    await phone.wrapUpAs('Other');
    await phone.button('My day').click();
    const day = phone.page.getByRole('dialog', { name: 'My day' });
    await day.getByText('1 · 1 answered').waitFor();
    expect(await seriousFindings(phone.page)).toEqual([]);
    await shot(phone.page, 'my day');
    await phone.page.keyboard.press('Escape');
    await day.waitFor({ state: 'detached' });
  });

  it('is handed on by the keyboard, and stays the agent’s where the PBX refuses', { tags: 'full' }, async () => {
    const { phone, pbx, agent, employer } = await atOwnPbx();
    const { page } = phone;
    await phone.goReady();
    pbx.invite([], 'call', { offer: browserSdp });
    await phone.button('Answer').click();
    const dialog = PbxDialog.ofOurs(pbx);
    dialog.acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/));
    await phone.inCall('Connected');
    const field = page.getByRole('textbox', { name: 'Number, extension or colleague' });
    const transfer = page.getByRole('button', { name: 'Transfer', exact: true });
    const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement);
    await transfer.focus();
    await page.keyboard.press('Enter');
    await field.waitFor();
    await eventually(() => isFocused(field));
    await page.keyboard.type('nobody');
    await page.getByText('Neither a number that can be called, nor a colleague or contact.').waitFor();
    expect(await phone.button('Transfer now').isDisabled()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'transfer');
    await phone.fits();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await isFocused(transfer)).toBe(true);
    expect(pbx.told.filter((text) => text.startsWith('REFER '))).toEqual([]);

    await page.keyboard.press('Enter');
    await field.fill('1001');
    await page.keyboard.press('Enter');
    const refused = await pbx.hears(/^REFER [^]*^Refer-To: <sip:1001@/m);
    await page.getByText('Transferring…', { exact: true }).waitFor();
    expect(await isFocused(transfer)).toBe(true);
    pbx.answer(refused, '405 Method Not Allowed');
    await page
      .getByText(
        'The PBX did not transfer the call to \u20681001\u2069: it cannot transfer calls. The call is still yours.',
      )
      .waitFor();
    await page.getByText('Transferring…', { exact: true }).waitFor({ state: 'detached' });
    await phone.inCall('Connected');
    await shot(page, 'transfer refused');

    const [away, colleague] = await Promise.all(
      ['away', 'there'].map((code) => gateway.agent(employer, `${code}${agents}`)),
    );
    await patchAgent(gateway, employer, colleague!, {
      name: 'Grace Berg',
      sip_user: 'grace.berg',
      sip_secret: 'zR7w-Kd2p-Qm9x',
    }).expect(200);
    await patchAgent(gateway, employer, away!, { name: 'Ada Berg' }).expect(200);
    const ready = await gateway.readySoftphone(colleague!);
    await transfer.click();
    await field.fill('berg');
    const colleagues = page.getByRole('list', { name: 'Colleagues' });
    await colleagues.getByText('Ready', { exact: true }).waitFor();
    expect(await colleagues.getByRole('listitem').allTextContents()).toEqual(['Grace BergReady', 'Ada BergOffline']);
    expect(await colleagues.getByRole('button', { name: 'Call Grace Berg first' }).isEnabled()).toBe(true);
    for (const name of [/^Ada Berg/, 'Call Ada Berg first'])
      expect(await colleagues.getByRole('button', { name }).isDisabled()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'transfer to a colleague');
    await phone.fits();
    // Nobody reserves her now: her telephone is rung.
    await ready.setNotReady();
    await colleagues.getByText('Not Ready', { exact: true }).waitFor();
    await colleagues.getByRole('button', { name: /^Grace Berg/ }).click();
    pbx.answer(await pbx.hears(/^REFER [^]*^Refer-To: <sip:grace\.berg@/m), '486 Busy Here');
    await page.getByText(/did not transfer the call to .grace\.berg.: the line is busy/).waitFor();
    ready.close();

    const before = pbx.told.length;
    await transfer.click();
    await field.fill('+1 (555) 123-0009');
    await page.keyboard.press('Enter');
    const asked = await pbx.hears(/^REFER [^]*^Refer-To: <sip:\+15551230009@/m, before);
    pbx.answer(asked, '202 Accepted');
    await dialog.ask(
      'NOTIFY',
      ['Event: refer', 'Subscription-State: terminated;reason=noresource'],
      'SIP/2.0 200 OK\r\n',
    );
    pbx.answer(await pbx.hears(/^BYE /), '200 OK');
    await phone.wrapUp.getByText('· Transferred').waitFor();
    await phone.wrapUpAs('Resolved');
    const { body } = await gateway.as(agent).get('/api/calls').expect(200);
    expect(body.calls).toMatchObject([
      { state: 'ended', end_reason: 'transferred', ended_by: 'agent', transferred_to: '+15551230009' },
    ]);
  });

  it(
    'is talked over with another one first, while the customer is on hold, and handed on then',
    { tags: 'full' },
    async () => {
      const { phone, agent } = await atWork();
      const { page } = phone;
      await phone.goReady();
      await click(agent, '+15551230001').expect(201);
      await phone.inCall('Connected');
      const transfer = page.getByRole('button', { name: 'Transfer', exact: true });
      await transfer.click();
      await page.getByRole('textbox', { name: 'Number, extension or colleague' }).fill('+15551230003');
      await phone.button('Call first').focus();
      await page.keyboard.press('Enter');
      const panel = page.getByRole('region', { name: 'Before the transfer' });
      await panel.getByText(/^You are talking to/).waitFor();
      await phone.inCall('On hold');
      expect(await phone.button('Back to the customer').evaluate((element) => element === document.activeElement)).toBe(
        true,
      );
      expect(await phone.button('Hold').count()).toBe(0);
      for (const theme of ['light', 'dark'] as const) {
        await setTheme(page, theme);
        await shot(page, 'consult');
        expect(await seriousFindings(page)).toEqual([]);
      }
      await phone.fits();
      await phone.button('Swap').click();
      await phone.inCall('Connected');
      await panel.getByText(/is on hold$/).waitFor();
      await phone.button('Swap').click();
      await phone.inCall('On hold');
      // Ends the talk with the other one, and not the customer's call.
      await page.keyboard.press('Alt+h');
      await panel.waitFor({ state: 'detached' });
      await phone.inCall('Connected');
      await eventually(async () =>
        expect(await transfer.evaluate((element) => element === document.activeElement)).toBe(true),
      );

      await transfer.click();
      await page.getByRole('textbox', { name: 'Number, extension or colleague' }).fill('+15551230486');
      await phone.button('Call first').click();
      await page.getByText(/could not be reached\. You are with the customer again\.$/).waitFor();
      await phone.inCall('Connected');
      await transfer.click();
      await page.getByRole('textbox', { name: 'Number, extension or colleague' }).fill('+15551230003');
      await phone.button('Call first').click();
      await panel.getByText(/^You are talking to/).waitFor();
      await phone.button('Complete the transfer').click();
      await phone.wrapUp.getByText('· Transferred').waitFor();
      await phone.wrapUpAs('Resolved');
      const { body } = await gateway.as(agent).get('/api/calls').expect(200);
      expect(body.calls).toMatchObject([
        { state: 'ended', end_reason: 'transferred', ended_by: 'agent', transferred_to: '+15551230003' },
      ]);
      expect(body.calls[0].hold_seconds).toBeGreaterThan(0);
    },
  );

  it('says how a call that was not answered ended', { tags: 'full' }, async () => {
    const { phone, agent } = await atWork();
    await phone.goReady();
    await click(agent, '+15551230486').expect(201);
    await phone.wrapUp.getByText(/Busy/).waitFor();
    await phone.wrapUpAs('No answer');
    await phone.recent.getByText(/Busy.*No answer/).waitFor();
  });
});

describe('a wrap-up', { tags: 'full' }, () => {
  it('lasts longer while the agent types, and says so', async () => {
    const hurried = await gateway.company({ slug: 'hurried', agents: 1, wrapUpSeconds: 24 });
    const agent = hurried.agents[0]!;
    const phone = new SoftphonePage(await browser.open(`${gateway.url}/`, { size: 'panel' }));
    await phone.enter(agent, hurried);
    await phone.number.fill('+15551230486');
    await phone.number.press('Enter');
    await phone.wrapUp.waitFor();
    expect(await phone.wrapUp.getByText('More time while you type').count()).toBe(0);
    await phone.wrapUp.getByLabel('Notes').pressSequentially('W');
    await phone.wrapUp.getByText('More time while you type').waitFor();
    await shot(phone.page, 'extended wrap-up');
    await phone.fits();
    const { body } = await gateway.as(hurried).get(`/api/agents/${agent.id}/state`).expect(200);
    expect(Date.parse(body.wrap_up_ends_at) - Date.parse(body.since)).toBeGreaterThan(29_000);
  });
});

describe('a record of many fields', { tags: 'full' }, () => {
  it.each([
    { width: 380, height: 720 },
    { width: 380, height: 420 },
    { width: 1280, height: 800 },
  ])('leaves Hang up in sight wherever the page is scrolled, at $width x $height', async (viewport) => {
    const fields = Object.fromEntries(
      Array.from({ length: 30 }, (_none, index) => [`field_${String(index)}`, `value ${String(index)}`]),
    );
    const phone_number = `+1555124${String(viewport.width + viewport.height).padStart(4, '0')}`;
    await push(gateway, company, { phone_number, data: { name: 'Ada Lovelace', ...fields } });
    const { phone, agent } = await atWork();
    await phone.page.setViewportSize(viewport);
    await phone.goReady();
    await click(agent, phone_number).expect(201);
    await phone.inCall('Connected');
    await phone.button('Keypad').click();
    await phone.page.mouse.move(viewport.width / 4, viewport.height - 40);
    for (const bottom of [false, true]) {
      await phone.page.evaluate(
        (down: boolean) => scrollTo(0, down ? document.documentElement.scrollHeight : 300),
        bottom,
      );
      await shot(phone.page, `many fields ${String(viewport.height)} ${bottom ? 'bottom' : 'middle'}`);
      const box = await phone.button('Hang up').evaluate((button) => {
        const { left, right, top, bottom: low } = button.getBoundingClientRect();
        const found = document.elementFromPoint((left + right) / 2, (top + low) / 2);
        return { top, low, isOnTop: found !== null && button.contains(found) };
      });
      expect(box.isOnTop).toBe(true);
      expect(box.top).toBeGreaterThanOrEqual(0);
      expect(box.low).toBeLessThanOrEqual(viewport.height);
    }
    await phone.fits();
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');
  });
});

describe('incoming calls', () => {
  it('shows the customer before the call is answered, and puts the focus on Answer', async () => {
    await push(gateway, company, {
      phone_number: '+15551230003',
      data: { name: 'Grace Hopper', rank: 'Rear admiral' },
    });
    const { phone, agent } = await atWork();
    await phone.goReady();
    const rung = ring(gateway, company, agent, { from: '+15551230003', name: 'G. HOPPER' });
    await phone.card.getByText('Rear admiral').waitFor();
    await phone.customer('Grace Hopper').waitFor();
    expect(await phone.button('Answer').evaluate((button) => button === document.activeElement)).toBe(true);
    await phone.page
      .getByTestId('announce-now')
      .getByText('Incoming call from Grace Hopper')
      .waitFor({ state: 'attached' });
    await eventually(async () => expect(await phone.page.title()).toContain('Grace Hopper'));
    await shot(phone.page, 'incoming');
    expect(await seriousFindings(phone.page)).toEqual([]);
    const notes = phone.page.getByRole('textbox', { name: 'Notes' });
    await notes.fill('Calls about her ship');
    await phone.button('Answer').focus();
    await phone.page.keyboard.press('Enter');
    expect(await rung).toBe('answered');
    await phone.inCall('Connected');
    expect(await notes.inputValue()).toBe('Calls about her ship');
    await phone.button('Hang up').click();
    await phone.customer('Grace Hopper').waitFor();
    await phone.page.keyboard.press('1');
    await phone.page.keyboard.press('Enter');
    await phone.wrapUp.waitFor({ state: 'detached' });
    const [call] = (await gateway.as(agent).get('/api/calls').expect(200)).body.calls;
    expect(call).toMatchObject({ disposition: { code: 'resolved', notes: 'Calls about her ship' } });
  });

  it('that nobody answered are marked as missed, and open no wrap-up', { tags: 'full' }, async () => {
    const agent = await newAgent();
    const before = gateway.softphone(agent);
    await before.connect();
    const ends = ['missed', 'no_answer', 'canceled', 'rejected', 'failed'] as const;
    for (const end_reason of ends) {
      const { call } = await before.incomingCall('+15551230005');
      await before.reportProgress(call.id, 'ended', { end_reason });
    }
    await before.signOut();
    const phone = new SoftphonePage(await browser.open(`${gateway.url}/`, { size: 'panel' }));
    await phone.enter(agent, company);
    const missed = phone.recent.getByLabel('Missed');
    await eventually(async () => expect(await missed.count()).toBe(ends.length));
    await phone.goReady();
    const rung = ring(gateway, company, agent, { from: '+15551230006' });
    await phone.button('Decline').click();
    expect(await rung).toBe('declined');
    await eventually(async () => expect(await missed.count()).toBe(ends.length + 1));
    expect(await phone.wrapUp.count()).toBe(0);
    expect(await phone.recent.getByRole('button', { name: /^Wrap up/ }).count()).toBe(0);
  });

  it.each([
    ['who withholds the number show as such', '"Anonymous" <sip:anonymous@anonymous.invalid>', 'Withheld number', null],
    ['from an extension show it', '<sip:200@pbx.test>', '200', '200'],
  ])('%s, are answered and wrapped up as any', async (_, from, shown, caller) => {
    const { phone, pbx, agent } = await atOwnPbx();
    await phone.goReady();
    pbx.invite([], 'call', { from, offer: browserSdp });
    const incoming = phone.page.getByRole('region', { name: 'Incoming call' });
    await incoming.getByRole('heading', { name: shown, exact: true }).waitFor();
    await phone.page
      .getByTestId('announce-now')
      .getByText(`Incoming call from ${shown}`, { exact: true })
      .waitFor({ state: 'attached' });
    await phone.customer(shown).waitFor();
    await phone.button('Answer').click();
    const dialog = PbxDialog.ofOurs(pbx, 'call', from);
    dialog.acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/));
    await phone.inCall('Connected');
    await dialog.ask('BYE');
    await phone.wrapUpAs('Resolved');
    await phone.recent.getByText(shown, { exact: true }).waitFor();
    expect(await phone.recent.getByRole('button', { name: /^Dial/ }).count()).toBe(0);
    const { body } = await gateway.as(agent).get('/api/calls').expect(200);
    expect(body.calls).toEqual([
      expect.objectContaining({ phone: null, caller, end_reason: 'completed', customer_name: null }),
    ]);
  });

  it('says which line they called, by its name or its number, where they waited, and nothing of the agent’s own', async () => {
    const { phone, pbx, agent, employer } = await atOwnPbx({ dialed_number_header: 'X-DID', queue_header: 'X-Queue' });
    const lines = [{ name: 'Sales Germany', phone_number: '+49 30 123456' }];
    const germany = `for ${isolated('Sales Germany')}`;
    await gateway.as(employer).patch('/api/company').send({ lines }).expect(200);
    await phone.goReady();
    const incoming = phone.page.getByRole('region', { name: 'Incoming call' });
    const shown = async (headers: string[], callId: string) => {
      pbx.invite(headers, callId, { offer: browserSdp });
      await phone.button('Answer').waitFor();
      return incoming.getByTestId('called-line');
    };
    const named = await shown(
      ['X-DID: +4930123456', 'Diversion: <sip:1001@pbx.test>', 'X-Queue: "Second level" <sip:600@pbx.test>'],
      'named',
    );
    await named.getByText(`${germany} · ${isolated('Second level')} queue`).waitFor();
    await shot(phone.page, 'a named line');
    await phone.button('Answer').click();
    PbxDialog.ofOurs(pbx, 'named').acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/));
    await phone.inCall('Connected');
    await phone.page.getByRole('region', { name: 'Call', exact: true }).getByText(germany).waitFor();
    expect(await seriousFindings(phone.page)).toEqual([]);
    await phone.button('Hang up').click();
    pbx.answer(await pbx.hears(/^BYE /), '200 OK');
    await phone.wrapUpAs('Resolved');
    const numbered = await shown(['Diversion: <sip:+4930654321@pbx.test>'], 'numbered');
    await numbered.getByText(`for ${numberInSentence('+4930654321')}`).waitFor();
    await phone.button('Decline').click();
    await phone.goReady();
    await shown([], 'own');
    // The line is shown as the gateway has it on record.
    await eventually(async () => {
      const { body } = await gateway.as(agent).get('/api/calls?state=ringing').expect(200);
      expect(body.calls).toMatchObject([{ sip_call_id: 'own', dialed_number: null }]);
    });
    await phone.button('Answer').click();
    PbxDialog.ofOurs(pbx, 'own').acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*Call-ID: own/));
    await phone.inCall('Connected');
    expect(await phone.page.getByTestId('called-line').count()).toBe(0);
  });

  it('leaves the focus with who is typing', { tags: 'full' }, async () => {
    const { phone, agent } = await atWork();
    await phone.goReady();
    await phone.number.fill('+1555');
    const rung = ring(gateway, company, agent, { from: '+15551230004' });
    await phone.button('Answer').waitFor();
    await phone.button('Decline').click();
    expect(await rung).toBe('declined');
    await phone.state.getByText('a call was declined').waitFor();
    expect(await phone.number.inputValue()).toBe('+1555');
  });
});

describe('Ready and Not Ready', () => {
  it(
    'offers the standard reasons and the company’s own, and shows the one that was chosen with its time',
    { tags: 'full' },
    async () => {
      const { phone } = await atWork();
      await phone.state.getByText('just logged in').waitFor();
      await phone.button('Not Ready').click();
      await phone.page.getByRole('menuitem', { name: 'No reason' }).waitFor();
      expect(await phone.page.getByRole('menuitem').allTextContents()).toEqual([
        'Break',
        'Meal',
        'Meeting',
        'Training',
        'Paperwork',
        'No reason',
      ]);
      await shot(phone.page, 'reasons');
      await phone.page.getByRole('menuitem', { name: 'Paperwork' }).click();
      await phone.state.getByText('Paperwork').waitFor();
      await phone.state
        .getByRole('timer')
        .getByText(/^\d+:\d\d$/)
        .waitFor();
    },
  );

  it('says when the agent was set Not Ready, whoever did it, with one click back', { tags: 'full' }, async () => {
    const { phone, agent } = await atWork();
    await phone.goReady();
    const told = phone.page.getByTestId('set-aside');
    const rung = ring(gateway, company, agent, { from: '+15551230014' });
    await phone.button('Decline').click();
    expect(await rung).toBe('declined');
    await told.getByText('You were set to Not Ready because you declined a call.').waitFor();
    await told.getByRole('button', { name: 'Go Ready' }).click();
    await phone.state.getByText('Ready', { exact: true }).waitFor();
    await told.waitFor({ state: 'detached' });
    const force = (state: string) =>
      gateway.as(company).put(`/api/agents/${agent.id}/state`).send({ state }).expect(200);
    await force('not_ready');
    await told.getByText('A supervisor set you to Not Ready.').waitFor();
    await phone.fits();
    await shot(phone.page, 'set aside');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await told.getByRole('button', { name: 'Dismiss' }).click();
    await told.waitFor({ state: 'detached' });
    await phone.goReady();
    await force('not_ready');
    await told.waitFor();
  });

  it('takes the wish for after the call during one', { tags: 'full' }, async () => {
    const { phone, agent } = await atWork();
    await phone.goReady();
    await click(agent, '+15551230005').expect(201);
    await phone.inCall('Connected');
    await phone.button('Not Ready').click();
    await phone.page.getByRole('menuitem', { name: 'Meal' }).click();
    await phone.page.getByText('Not Ready (Meal) after this call').waitFor();
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');
    await phone.state.getByText('Meal').waitFor();
  });
});

describe('dialing by hand', () => {
  it('says whose number it is while it is typed, and dials with Enter', async () => {
    await push(gateway, company, { phone_number: '+15551230006', data: { name: 'Katherine Johnson' }, tier: 'silver' });
    const { phone } = await atWork();
    const hint = phone.page.getByTestId('lookup');
    await phone.number.pressSequentially('+1 555 123-0007');
    await hint.getByText('Not known').waitFor();
    await phone.number.fill('+1 (555) 123.0006');
    await hint.getByText('Katherine Johnson · silver').waitFor();
    await shot(phone.page, 'look-up');
    await phone.number.press('Enter');
    await phone.customer('Katherine Johnson').waitFor();
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');
    await phone.state.getByText('just logged in').waitFor();
    await phone.recent.getByRole('button', { name: 'Dial Katherine Johnson again' }).click();
    await phone.inCall('Connected');
    await phone.button('Hang up').click();
    await phone.wrapUpAs('Resolved');
  });
});

describe('a call that the PBX records', () => {
  it('is named to it by its INVITE, and takes the recording by that name', async () => {
    const { phone, pbx, agent, employer } = await atOwnPbx();
    await phone.goReady();
    const clicked = await gateway
      .click(employer, { phone_number: '+15551230001', agent_code: agent.agentCode })
      .expect(201);
    const invite = await pbx.hears(/^INVITE /);
    const id = headerOf(invite, 'X-Readyline-Call-Id');
    expect(id).toBe(clicked.body.call_id);
    pbx.answer(invite, '486 Busy Here');
    const recording_url = 'https://recordings.example/1';
    const record = (key: string) =>
      gateway.api.patch(`/api/calls${key}`).set('X-Service-Api-Key', employer.key).send({ recording_url });
    const recorded = await record(`/${id}`).expect(200);
    expect(recorded.body).toMatchObject({ id, recording_url, phone: '+15551230001' });
    await phone.wrapUpAs('No answer');
    // By SIP's own key as well.
    const sip_call_id = headerOf(invite, 'Call-ID');
    expect((await record(`?sip_call_id=${sip_call_id}`).expect(200)).body).toMatchObject({ id, sip_call_id });

    const before = pbx.told.length;
    await phone.number.fill('+15551230002');
    await phone.number.press('Enter');
    const byHand = headerOf(await pbx.hears(/^INVITE /, before), 'X-Readyline-Call-Id');
    expect((await gateway.as(employer).get(`/api/calls/${byHand}`).expect(200)).body).toMatchObject({
      phone: '+15551230002',
      trigger: 'manual_dial',
    });
  });

  it.each([
    { call_id_header: 'X-Guid', shown: /^X-Guid: (\S+)/m },
    { call_id_header: '', shown: null },
  ])('is named to it in the header that the company chose: $call_id_header', async ({ call_id_header, shown }) => {
    const { phone, pbx, employer } = await atOwnPbx({ call_id_header });
    await phone.number.fill('+15551230003');
    await phone.number.press('Enter');
    const invite = await pbx.hears(/^INVITE /);
    const [call] = (await gateway.as(employer).get('/api/calls').expect(200)).body.calls;
    expect(invite.includes(call.id)).toBe(shown !== null);
    if (shown !== null) expect(shown.exec(invite)?.[1]).toBe(call.id);
    expect(invite).not.toContain('X-Readyline-Call-Id');
    pbx.answer(invite, '486 Busy Here');
    await phone.wrapUpAs('No answer');
  });

  it('is known to the gateway by SIP’s Call-ID while it rings, after a reload as well', async () => {
    const { phone, pbx, employer } = await atOwnPbx();
    const found = async (key: string) =>
      (await gateway.as(employer).get(`/api/calls?sip_call_id=${key}`).expect(200)).body.calls;
    await phone.goReady();
    pbx.invite(['Diversion: <sip:+4930123456@pbx.test>;reason=unconditional'], 'rings-here', { offer: browserSdp });
    await phone.button('Answer').waitFor();
    await eventually(async () =>
      expect(await found('rings-here')).toMatchObject([
        { state: 'ringing', sip_call_id: 'rings-here', dialed_number: '+4930123456' },
      ]),
    );
    await phone.button('Answer').click();
    const dialog = PbxDialog.ofOurs(pbx, 'rings-here');
    dialog.acknowledge(await pbx.hears(/^SIP\/2\.0 200 [^]*INVITE/));
    await phone.inCall('Connected');
    await phone.isWatched();
    await eventually(async () => expect(await found('rings-here')).toMatchObject([{ state: 'connected' }]));
    await phone.page.reload();
    const again = await pbx.hears(/^INVITE [^]*^Replaces: rings-here/m);
    expect(headerOf(again, 'Call-ID')).not.toBe('rings-here');
    pbx.answer(again, '481 Call/Transaction Does Not Exist');
    await phone.wrapUpAs('Resolved');
    expect(await found(headerOf(again, 'Call-ID'))).toEqual([]);
    expect(await found('rings-here')).toMatchObject([{ state: 'ended', sip_call_id: 'rings-here' }]);
  });
});

it('takes every key into the notes of who is typing when the call ends, in the same place', async () => {
  const { phone, agent } = await atWork();
  const { keyboard } = phone.page;
  await phone.goReady();
  await click(agent, '+15551230001').expect(201);
  await phone.inCall('Connected');
  const notes = phone.page.getByRole('textbox', { name: 'Notes' });
  await notes.focus();
  await keyboard.type('Order 1 of May');
  for (const _letter of ' of May') await keyboard.press('ArrowLeft');
  await keyboard.type('4');
  await keyboard.press('Alt+h');
  await keyboard.type('4');
  await phone.wrapUp.waitFor();
  await keyboard.type('2');
  expect(await notes.inputValue()).toBe('Order 1442 of May');
  expect(await phone.wrapUp.getByRole('radio', { checked: true }).count()).toBe(0);
});

it('can be read with a menu open, whose first choice has the focus', async () => {
  const { page } = (await atWork()).phone;
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    for (const name of ['Not Ready', 'Language']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('menu').getByRole('menuitem').first().and(page.locator(':focus')).waitFor();
      expect(await seriousFindings(page), name).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
  }
});

it('is worked by the keyboard alone', { tags: 'full' }, async () => {
  const { phone, agent } = await atWork();
  const { keyboard } = phone.page;
  await keyboard.press('Alt+r');
  await phone.state.getByText('Ready', { exact: true }).waitFor();
  await click(agent, '+15551230008').expect(201);
  await phone.inCall('Connected');
  await keyboard.press('Alt+h');
  await phone.wrapUp.waitFor();
  await keyboard.press('2');
  await tabTo(phone, phone.wrapUp.getByRole('textbox', { name: 'Notes' }));
  await keyboard.type('Wants 1 offer.');
  await keyboard.press('Control+Enter');
  await phone.recent.getByText(/Follow-up needed/).waitFor();
  await tabTo(phone, phone.button('Not Ready'));
  await keyboard.press('Enter');
  const meal = phone.page.getByRole('menuitem', { name: 'Meal' });
  await meal.waitFor();
  await pressUntil(phone, 'ArrowDown', meal);
  await keyboard.press('Enter');
  await phone.state.getByText('Meal').waitFor();
  await tabTo(phone, phone.number);
  await keyboard.type('+15551230486');
  await keyboard.press('Enter');
  await phone.wrapUp.getByText(/Busy/).waitFor();
});

function tabTo(phone: SoftphonePage, wanted: Locator): Promise<void> {
  return pressUntil(phone, 'Tab', wanted);
}

/** Presses a key until something has the focus. */
async function pressUntil(phone: SoftphonePage, key: string, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await phone.page.keyboard.press(key);
  }
  throw new Error(`the key ${key} does not lead there`);
}

describe('the own password', () => {
  it('is changed in the page, which goes on, while every other session has ended', { tags: 'full' }, async () => {
    const { phone, agent } = await atWork('desk');
    await phone.goReady();
    await phone.button('Change password').click();
    const dialog = phone.page.getByRole('dialog', { name: 'Change password' });
    await dialog.getByLabel('New password').waitFor();
    expect(await seriousFindings(phone.page)).toEqual([]);
    browser.expectTrouble(/status of 401 .*me.password/);
    await dialog.getByLabel('Current password').fill('not mine');
    await dialog.getByLabel('New password').fill('a better password');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('This is not your current password.').waitFor();
    await dialog.getByLabel('Current password').fill(agent.password);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('Your password was changed.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect((await gateway.as(agent).get('/api/me')).status).toBe(401);
    expect((await click(agent, '+15551230001')).status).toBe(201);
    await phone.callState.waitFor();
    const login = { agent_code: agent.agentCode, company_slug: company.slug, password: 'a better password' };
    expect((await gateway.api.post('/api/auth/login').send(login)).status).toBe(200);
  });
});
