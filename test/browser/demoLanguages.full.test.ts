import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/vocabulary.ts';
import { useBrowser } from '../support/browser/browser.ts';
import { catalogText } from '../support/browser/catalogText.ts';
import { isWhole } from '../support/browser/wholePage.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

const admin = { email: 'admin@demo.example', password: 'a-password-of-the-tests' };
const pseudo = 'pseudo';
let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway();
  company = await gateway.company({ slug: 'demo', agents: 1, wrapUpSeconds: 600 });
});
afterAll(() => gateway.close());

const browser = useBrowser({ profile: { permissions: ['microphone', 'clipboard-read', 'clipboard-write'] } });

const softphoneOf = (page: Page): FrameLocator => page.frameLocator('iframe').first();

/** The demo page in a language, by the link that the terminal prints; `pseudo` is asked for in the address. */
async function demoIn(language: string): Promise<Page> {
  const page = await browser.open('about:blank');
  await page.addInitScript((chosen) => localStorage.setItem('readyline.language', chosen), language);
  page.on('dialog', (dialog) => void dialog.accept());
  const asked = language === pseudo ? `?lng=${pseudo}` : '';
  await page.goto(`${gateway.url}/demo${asked}#admin=${admin.password}&agent=${company.agents[0]!.password}`);
  await softphoneOf(page).getByTestId('agent-state').waitFor();
  await page.getByText('Grace Hopper').first().waitFor();
  return page;
}

describe('the demo page', () => {
  it.each([...languages, pseudo])('is whole in %s, before a click and after one that was refused', async (language) => {
    const page = await demoIn(language);
    expect(await page.locator('html').getAttribute('lang')).toBe(language === pseudo ? 'en-XA' : language);
    await isWhole(page, `demo ${language}`);
    browser.expectTrouble(/503/);
    await page
      .getByRole('button', { name: catalogText(language, 'demo.customers.dialName').replace('{name}', 'Alan Turing') })
      .click();
    await page.getByText(catalogText(language, 'shared.problem.agent_not_ready')).waitFor();
    await isWhole(page, `demo refused ${language}`);
  });
});
