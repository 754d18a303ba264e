import type { Locator, Page } from 'playwright-core';
import type { ProfileOptions } from './chromium.ts';
import { signIn, type BrowserRoom } from './browser.ts';
import { platformToken, type Gateway } from '../gateway/gateway.ts';

const adminOf = (slug: string) => ({ email: `admin@${slug}.example`, password: 'a-password-of-the-tests' });

/** What an admin's browser may do in these tests: copy and paste. */
export const clipboard: ProfileOptions = { permissions: ['clipboard-read', 'clipboard-write'] };

/** A company that has not connected anything yet; answers its admin's token. */
export async function unconnectedCompany(gateway: Gateway, slug: string): Promise<string> {
  await gateway.api
    .post('/api/companies')
    .set('authorization', `Bearer ${platformToken}`)
    .send({ name: slug, slug, admin: adminOf(slug) })
    .expect(201);
  return gateway.logIn(adminOf(slug));
}

/** The console with the company's admin signed in. @param path below `/admin`, e.g. `/agents` */
export async function openConsole(
  browser: Pick<BrowserRoom, 'open'>,
  gateway: Gateway,
  slug: string,
  path = '',
): Promise<Page> {
  const page = await browser.open(`${gateway.url}/admin${path}`, clipboard);
  await signIn(page, adminOf(slug));
  await page.getByRole('navigation', { name: 'Console' }).waitFor({ state: 'attached' });
  return page;
}

/** Goes on with the Tab key until that element has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not lead to ${String(target)}`);
}
