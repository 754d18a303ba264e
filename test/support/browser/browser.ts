import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { launchChromium, Profile, sizes, type ProfileOptions, type Size } from './chromium.ts';
import { eventually } from '../time/waiting.ts';

/**
 * The pages in a real browser:
 *
 *     const gateway = await startGateway();   // in beforeAll; it serves the pages of web/dist
 *     const browser = useBrowser();           // after the hooks that close the gateway
 *     it('…', async () => {
 *       const page = await browser.open(`${gateway.url}/`);        // a tab of the test's own profile
 *       await signIn(page, agent);                                 // through the form
 *       await page.getByRole('button', { name: 'Ready' }).click();
 *       expect(await seriousFindings(page)).toEqual([]);           // test/support/browser/accessibility.ts
 *       await shot(page, 'ready');                                 // with `--mode pictures`: into screenshots/
 *     });
 *
 * Further tabs of the same person: `browser.open` again. Another person: `browser.profile()`. A test fails when a page
 * threw, wrote an error to the console or met the policy, unless it has said so: `browser.expectTrouble(/401/)`.
 * Files are fresh with `npm test -- test/browser`; `npx vitest run` takes web/dist as it is (`npm run build`).
 */
export type BrowserRoom = {
  /** A page in a new tab of the test's own profile, which is made with these options when there is none yet. */
  open: (url: string, options?: ProfileOptions) => Promise<Page>;
  /** One more person's browser, with storage and permissions of its own; closed with the test. */
  profile: (options?: ProfileOptions) => Promise<Profile>;
  /**
   * From now on, troubles that match are what the test wants; each pattern has to be met until the test's end.
   * Answers a wait for the first, for tests that take away its cause.
   */
  expectTrouble: (pattern: RegExp) => { met: () => Promise<void> };
  /** Likewise what the test brings about, but not at a time of its choosing: it may come or not. */
  allowTrouble: (pattern: RegExp) => void;
  /** What went wrong so far and was not declared, one line each. */
  troubles: () => string[];
};

/** Where `shot` puts its pictures. */
export const screenshots = fileURLToPath(new URL('../../browser/screenshots/', import.meta.url));

/**
 * One browser for a test file: started when a test first needs it, closed with the file; every test has profiles of
 * its own. @param options.flags further flags of chromium, e.g. `--use-file-for-fake-audio-capture=/tmp/tone.wav`;
 * @param options.profile what profiles are made with unless the test says otherwise
 */
export function useBrowser(options: { flags?: readonly string[]; profile?: ProfileOptions } = {}): BrowserRoom {
  let browser: Promise<Browser> | null = null;
  let own: Promise<Profile> | null = null;
  let profiles: Profile[] = [];
  let expected: RegExp[] = [];
  let allowed: RegExp[] = [];

  beforeEach(() => {
    own = null;
    profiles = [];
    expected = [];
    allowed = [];
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await picture(profiles, task.name);
    for (const profile of profiles) await profile.context.close();
    const unmet = expected.filter((pattern) => !isMet(pattern));
    expect(troubles(), 'what went wrong on the pages').toEqual([]);
    expect(unmet, 'troubles that were declared and did not come').toEqual([]);
  });

  afterAll(async () => {
    await (await browser)?.close();
  });

  async function profile(wish: ProfileOptions = {}): Promise<Profile> {
    browser ??= launchChromium(options.flags);
    const created = await Profile.create(await browser, { ...options.profile, ...wish });
    profiles.push(created);
    return created;
  }

  const all = () => profiles.flatMap((one) => one.troubles);
  const isMet = (pattern: RegExp) => all().some((trouble) => pattern.test(trouble));

  function troubles(): string[] {
    return all().filter((trouble) => ![...expected, ...allowed].some((pattern) => pattern.test(trouble)));
  }

  return {
    open: async (url, wish) => {
      own ??= profile(wish);
      return (await own).open(url);
    },
    profile,
    expectTrouble: (pattern) => {
      expected.push(pattern);
      return { met: () => eventually(() => expect(isMet(pattern), `${pattern} was met`).toBe(true)) };
    },
    allowTrouble: (pattern) => void allowed.push(pattern),
    troubles,
  };
}

/** Signs a person in through the form of the page. @param company its slug, for a code that several companies use */
export async function signIn(
  page: Page,
  person: { agentCode: string; password: string } | { email: string; password: string },
  company?: string,
): Promise<void> {
  await page.getByLabel('Agent code or e-mail').fill('email' in person ? person.email : person.agentCode);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  if (company !== undefined) {
    await page.getByRole('button', { name: 'My account is in several companies' }).click();
    await page.getByLabel('Company').fill(company);
  }
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' });
}

/** What the person of this tab prefers from now on. */
export async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor({ state: 'attached' });
}

/** Makes the page as large as a CRM's side panel (380 px wide) or a whole screen. */
export async function setSize(page: Page, size: Size): Promise<void> {
  await page.setViewportSize(sizes[size]);
}

/** Resolves when the page has been drawn as it stands there now: what follows from a new size is done by then. */
export async function isDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Whether somebody wants to look at them: each costs the processor a tenth of a second and more. */
const arePicturesWanted = import.meta.env.MODE === 'pictures';

/** A picture for looking at, where they are wanted: `npm test -- test/browser --mode pictures`. */
export async function shot(page: Page, name: string): Promise<void> {
  if (arePicturesWanted) await take(page, name);
}

/** A picture as `<test file>.<name>.<theme>.<width>.png`; answers its path. */
async function take(page: Page, name: string): Promise<string> {
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`);
  const file = basename(expect.getState().testPath ?? 'test', '.test.ts').replace('.full', '');
  const width = page.viewportSize()?.width ?? 0;
  const path = join(screenshots, `${file}.${slug(name)}.${isDark ? 'dark' : 'light'}.${width}.png`);
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path });
  return path;
}

/** How the pages looked, and what they said, when a test failed. */
async function picture(profiles: readonly Profile[], test: string): Promise<void> {
  const pages = profiles.flatMap((profile) => profile.context.pages());
  for (const [index, page] of pages.entries()) {
    const path = await take(page, `failed ${test} ${index}`).catch(() => 'no picture');
    const said = await page
      .locator('body')
      .ariaSnapshot({ timeout: 2_000 })
      .catch(() => 'nothing');
    console.error(`"${test}" failed at ${page.url()} (${path}):\n${said}`);
  }
}

/** A name of a test or a picture as a file's name: lower case, words joined by hyphens. */
function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
}
