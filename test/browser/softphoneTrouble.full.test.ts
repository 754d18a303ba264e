import { describe, expect, it } from 'vitest';
import { freePort } from '../../demo/cluster/freePort.ts';
import { receiver, rawReceiver, selfSignedReceiver, type Listener } from '../support/webhooks/listeners.ts';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, signIn } from '../support/browser/browser.ts';
import { push, SoftphonePage } from '../support/browser/softphonePage.ts';
import { patchAgent, pbx, putTelephony } from '../support/gateway/telephony.ts';
import { numberInSentence } from '../support/web/shownNumber.ts';
import { useSoftphoneRoom } from './softphoneRoom.ts';
import { eventually } from '../support/time/waiting.ts';

/** The softphone page when things do not go by the book. */
const room = useSoftphoneRoom();

describe('a customer record from strangers', () => {
  it('never breaks the layout, runs nothing and links to nowhere but https', async () => {
    const data = {
      name: '<img src=x onerror=alert(1)>',
      long: 'x'.repeat(5_000),
      lines: Array.from({ length: 400 }, (_, index) => `line ${String(index)}`),
      bad: 'javascript:alert(1)',
      trick: 'https://bank.example@evil.example/',
      good: 'https://crm.example.com/contacts/1',
      deep: { address: { city: 'London' } },
      ['k'.repeat(300)]: 'a long key',
      ...Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field_${String(index)}`, index])),
    };
    await push(room.gateway, room.company, { phone_number: '+15551230010', data, tier: 'W'.repeat(200) });
    const { phone, agent } = await room.atWork();
    await phone.goReady();
    await room.gateway.click(room.company, { phone_number: '+15551230010', agent_code: agent.agentCode }).expect(201);
    await phone.customer('<img src=x onerror=alert(1)>').waitFor();
    await phone.fits();
    expect(
      await phone.card.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['https://crm.example.com/contacts/1']);
    expect(await phone.card.getByRole('link').getAttribute('rel')).toContain('noopener');
    expect(await phone.card.locator('img').count()).toBe(0);
    await phone.card.getByText('Deep › Address › City').waitFor();
    await phone.card.getByRole('button', { name: /Show \d+ more/ }).click();
    await phone.card.getByText('Field 99').waitFor();
    await phone.fits();
    await phone.inCall('Connected');
    await phone.page.evaluate(() => scrollTo(0, 0));
    await shot(phone.page, 'odd record');
    expect(await seriousFindings(phone.page)).toEqual([]);
    await phone.button('Hang up').click();
  });
});

describe('wrap-up', () => {
  it('refuses a time to call back that is past, and keeps what was typed over a reload', async () => {
    const { phone } = await room.inCall();
    await phone.button('Hang up').click();
    await phone.wrapUp.waitFor();
    await phone.page.keyboard.press('3');
    await phone.wrapUp.getByLabel('Notes').fill('Asked for 9 in the morning');
    await phone.wrapUp.getByLabel('Call back at').fill('2020-01-01T09:00');
    await phone.button('Save').click();
    await phone.wrapUp.getByText('The time to call back must be in the future.').waitFor();
    await phone.page.reload();
    await phone.connected();
    await eventually(async () =>
      expect(await phone.wrapUp.getByLabel('Notes').inputValue()).toBe('Asked for 9 in the morning'),
    );
    expect(await phone.wrapUp.getByRole('radio', { name: 'Call back' }).isChecked()).toBe(true);
    expect(await phone.wrapUp.getByLabel('Call back at').inputValue()).toBe('2020-01-01T09:00');
    await phone.wrapUp.getByLabel('Call back at').fill('2099-01-01T09:00');
    await shot(phone.page, 'wrap-up with notes');
    await phone.fits();
    await phone.button('Save').click();
    await phone.recent.getByText(/Call back/).waitFor();
  });

  it('keeps the field that is typed in when the time for it ends, and takes the disposition later', async () => {
    const brief = await room.gateway.company({ slug: 'brief', wrapUpSeconds: 1 });
    await room.gateway.as(brief).patch('/api/company').send({ wrap_up_max_seconds: 1 }).expect(200);
    const { phone } = await room.atWork(brief);
    await phone.number.fill('+15551230486');
    await phone.number.press('Enter');
    const notes = phone.wrapUp.getByLabel('Notes');
    await notes.pressSequentially('Typed while ');
    await phone.wrapUp.getByText('The time for it is over.').waitFor();
    await phone.page.keyboard.type('the time ended');
    expect(await notes.inputValue()).toBe('Typed while the time ended');
    await phone.page.reload();
    await phone.connected();
    await eventually(async () => expect(await notes.inputValue()).toBe('Typed while the time ended'));
    await phone.wrapUpAs('No answer');
    await phone.recent.getByText(/Busy.*No answer/).waitFor();
  });
});

describe('the telephone', () => {
  it('is the agent’s own in desk phone mode: a link, and what happened told by hand', async () => {
    const desk = await room.gateway.company({ slug: 'desk' });
    await putTelephony(room.gateway, desk, { mode: 'desk_phone' }).expect(200);
    const page = await room.browser.open('about:blank');
    // Chromium would ask which program shall dial, and take every click meanwhile.
    await page.addInitScript(() => {
      const follow = HTMLAnchorElement.prototype.click;
      HTMLAnchorElement.prototype.click = function click() {
        if (this.protocol === 'tel:') document.documentElement.dataset['dialed'] = this.href;
        else follow.call(this);
      };
    });
    await page.goto(`${room.gateway.url}/`);
    const phone = new SoftphonePage(page);
    await phone.enter(await room.newAgent(desk), desk);
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    await eventually(async () =>
      expect(await page.evaluate(() => document.documentElement.dataset['dialed'])).toBe('tel:+15551230001'),
    );
    const link = phone.page.getByRole('link', { name: `Dial ${numberInSentence('+15551230001')} on your phone` });
    expect(await link.getAttribute('href')).toBe('tel:+15551230001');
    await shot(phone.page, 'desk phone');
    await phone.page
      .getByRole('region', { name: 'Call', exact: true })
      .getByRole('button', { name: 'Answered' })
      .click();
    await phone.inCall('Connected');
    await phone.button('Ended').click();
    await phone.page.getByRole('menuitem', { name: 'The customer hung up' }).click();
    await phone.wrapUp.getByText(/Completed/).waitFor();
    await phone.wrapUpAs('Resolved');
    await phone.number.fill('+15551230001');
    await phone.number.press('Enter');
    await phone.button('Ended').click();
    await phone.page.getByRole('menuitem', { name: 'Busy' }).click();
    await phone.wrapUp.getByText(/Busy/).waitFor();
  });

  it('is said not to be ready, and why, and so is the agent', async () => {
    const strict = await room.gateway.company({ slug: 'strict' });
    await putTelephony(room.gateway, strict, pbx).expect(200);
    const agent = await room.newAgent(strict);
    const phone = new SoftphonePage(await room.browser.open(`${room.gateway.url}/`));
    await signIn(phone.page, agent, strict.slug);
    await phone.status.getByText(/Phone not ready\./).waitFor();
    await phone.button('Ready').click();
    await phone.page.getByText(/You cannot go Ready\./).waitFor();
    await phone.state.getByText('Not Ready').waitFor();
    await shot(phone.page, 'no telephone');
    expect(await seriousFindings(phone.page)).toEqual([]);
  });
});

it('looks right in both themes and sizes', async () => {
  const { phone } = await room.inCall();
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(phone.page, theme);
    for (const size of ['panel', 'desk'] as const) {
      await setSize(phone.page, size);
      await phone.fits();
      expect(await seriousFindings(phone.page), `${theme} ${size}`).toEqual([]);
      await shot(phone.page, 'in call');
    }
  }
  await phone.button('Keyboard shortcuts').click();
  await phone.page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  await shot(phone.page, 'shortcuts');
  expect(await seriousFindings(phone.page)).toEqual([]);
  await phone.page.keyboard.press('Escape');
  await phone.button('Change to the light look').click();
  expect(await phone.page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])).toBe('light');
});

describe('a telephone network that cannot be reached', () => {
  const somePage = (_request: unknown, response: { writeHead: (code: number) => { end: () => void } }) =>
    response.writeHead(200).end();
  const gone = async () => ({ port: await freePort() });
  const cases: {
    where: string;
    open: () => Promise<Pick<Listener, 'port'>>;
    scheme: 'ws' | 'wss';
    told: RegExp;
    error: RegExp | null;
  }[] = [
    {
      where: 'behind a certificate that nobody trusts',
      open: () => selfSignedReceiver(somePage),
      scheme: 'wss',
      told: /does not trust the certificate/,
      error: /ERR_CERT_AUTHORITY_INVALID/,
    },
    {
      where: 'as it is none',
      open: () => receiver(somePage),
      scheme: 'ws',
      told: /answers, but not as a phone network/,
      error: /WebSocket connection to .* failed/,
    },
    {
      where: 'as nothing runs there',
      open: gone,
      scheme: 'ws',
      told: /No phone network answers/,
      error: /ERR_CONNECTION_REFUSED/,
    },
    {
      where: 'as nothing comes back',
      open: () => rawReceiver(() => undefined),
      scheme: 'wss',
      told: /switched off, or a firewall/,
      error: null,
    },
  ];
  it.each(cases)(
    '$where is told apart, with a link to where the browser shows more',
    async ({ open, scheme, told, error }) => {
      if (error !== null) room.browser.expectTrouble(error);
      const { port } = await open();
      const employer = await room.gateway.company({ slug: `unreachable-${String(port)}` });
      const agent = await room.newAgent(employer);
      await putTelephony(room.gateway, employer, {
        mode: 'sip',
        sip_wss_url: `${scheme}://127.0.0.1:${String(port)}/ws`,
      }).expect(200);
      await patchAgent(room.gateway, employer, agent, { sip_user: 'ada', sip_secret: 'secret' }).expect(200);
      const page = await room.browser.open(`${room.gateway.url}/`);
      await signIn(page, agent);
      const status = page.getByTestId('status-line');
      await status.getByText(told).waitFor();
      const link = status.getByRole('link', { name: `Open 127.0.0.1:${String(port)}` });
      expect(await link.getAttribute('href')).toBe(`http${scheme === 'wss' ? 's' : ''}://127.0.0.1:${String(port)}/`);
    },
  );
});
