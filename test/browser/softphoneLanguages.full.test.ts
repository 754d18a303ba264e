import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/vocabulary.ts';
import { shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { catalogText } from '../support/browser/catalogText.ts';
import { allIsWell } from '../support/browser/softphonePage.ts';
import { isWhole } from '../support/browser/wholePage.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { pbx, putTelephony } from '../support/gateway/telephony.ts';

let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway('memory');
  company = await gateway.company({ slug: 'acme', agents: languages.length + 2, wrapUpSeconds: 600 });
  await putTelephony(gateway, company, { mode: 'desk_phone' }).expect(200);
});
afterAll(() => gateway.close());

const browser = useBrowser();

/** The softphone of an agent whose browser is English, asked for in that language. */
async function softphoneIn(language: string, agent: TestAgent, employer: TestCompany): Promise<Page> {
  const page = await browser.open('about:blank');
  // Chromium would ask which program shall dial, and take every click meanwhile.
  await page.addInitScript(() => {
    HTMLAnchorElement.prototype.click = () => undefined;
  });
  await page.goto(`${gateway.url}/`);
  await signIn(page, agent, employer.slug);
  await page.goto(`${gateway.url}/?lng=${language}`);
  page.on('dialog', (dialog) => void dialog.accept());
  return page;
}

describe('the softphone', () => {
  it.each([...languages, 'pseudo'].map((language, index) => ({ language, index })))(
    'is whole in $language, on a screen and in a panel',
    async ({ language, index }) => {
      const page = await softphoneIn(language, company.agents[index]!, company);
      const say = (key: string) => catalogText(language, key);
      await allIsWell(page).waitFor({ state: 'attached' });
      expect(await page.locator('html').getAttribute('lang')).toBe(language === 'pseudo' ? 'en-XA' : language);
      expect(await page.locator('html').getAttribute('dir')).toBe(language === 'pseudo' ? 'rtl' : 'ltr');
      await page.getByRole('button', { name: say('shared.state.ready'), exact: true }).click();
      await page.getByTestId('agent-state').getByText(say('shared.state.ready'), { exact: true }).waitFor();
      await isWhole(page, `ready ${language}`);
      await page.getByRole('button', { name: say('softphone.shortcut.title') }).click();
      await page.getByRole('heading', { name: say('softphone.shortcut.title') }).waitFor();
      await shot(page, `shortcuts ${language}`);
      await page.keyboard.press('Escape');
      await page.getByLabel(say('softphone.dial.number')).fill('+15551230001');
      await page.keyboard.press('Enter');
      await page.getByTestId('call-state').getByText(say('shared.callState.dialing')).waitFor();
      await isWhole(page, `dialing ${language}`);
      await page
        .getByRole('region', { name: say('softphone.call.label'), exact: true })
        .getByRole('button', { name: say('softphone.deskPhone.answered'), exact: true })
        .click();
      await page.getByTestId('call-state').getByText(say('shared.callState.connected')).waitFor();
      await page.getByRole('button', { name: say('softphone.deskPhone.ended'), exact: true }).click();
      await page.getByRole('menuitem', { name: say('softphone.deskPhone.customerHungUp') }).click();
      await page.getByTestId('wrap-up').getByText(say('shared.callEnd.completed')).waitFor();
      await page.getByRole('button', { name: say('softphone.wrapUp.save') }).click();
      await page.getByText(say('softphone.wrapUp.chooseDisposition')).waitFor();
      await isWhole(page, `wrap-up ${language}`);
    },
  );

  it.each([...languages, 'pseudo'])('says in %s why the phone is not ready', async (language) => {
    const phoneless = await gateway.company({ slug: `phoneless-${language}`, agents: 1 });
    await putTelephony(gateway, phoneless, pbx).expect(200);
    const page = await softphoneIn(language, phoneless.agents[0]!, phoneless);
    await page.getByTestId('status-line').getByText(catalogText(language, 'phone.trouble.no_account')).waitFor();
    await isWhole(page, `phone not ready ${language}`);
  });

  it('changes its language by the menu in mid-call, in every tab, and keeps it', async () => {
    const page = await softphoneIn('', company.agents.at(-1)!, company);
    await allIsWell(page).waitFor({ state: 'attached' });
    await page.getByLabel('Phone number').fill('+15551230002');
    await page.keyboard.press('Enter');
    await page.getByTestId('call-state').getByText('Dialing').waitFor();
    const console = await browser.open(`${gateway.url}/admin`);
    await console.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitem', { name: 'Français' }).click();
    await page.getByTestId('call-state').getByText('Numérotation').waitFor();
    await console.getByRole('button', { name: 'Se connecter' }).waitFor();
    await page.reload();
    await page.getByTestId('call-state').getByText('Numérotation').waitFor();
  });
});

describe('the language of a page', () => {
  it('is the browser’s, from the sign-in form on', async () => {
    const profile = await browser.profile({ context: { locale: 'es-MX' } });
    const page = await profile.open(`${gateway.url}/`);
    await page.getByRole('button', { name: 'Iniciar sesión' }).waitFor();
    await page.getByLabel('Código de agente o correo').fill('nobody');
    await page.getByRole('textbox', { name: 'Contraseña' }).fill('nothing');
    browser.expectTrouble(/401/);
    await page.getByRole('button', { name: 'Iniciar sesión' }).click();
    await page.getByText('Ninguna cuenta tiene este nombre y esta contraseña.').waitFor();
  });

  it('is the company’s where the browser has none of ours', async () => {
    const german = await gateway.company({ slug: 'german', agents: 1 });
    await gateway.api
      .patch('/api/company')
      .set({ authorization: `Bearer ${german.adminToken}` })
      .send({ language: 'de' })
      .expect(200);
    const profile = await browser.profile({ context: { locale: 'pl-PL' } });
    const page = await profile.open(`${gateway.url}/`);
    await signIn(page, german.agents[0]!, german.slug);
    await page.getByTestId('agent-state').getByText('Nicht bereit', { exact: true }).waitFor();
    const next = await profile.open(`${gateway.url}/admin`);
    await next.getByRole('button', { name: 'Anmelden' }).waitFor();
  });
});
