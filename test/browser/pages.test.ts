import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { seriousFindings } from '../support/browser/accessibility.ts';
import { setSize, setTheme, shot, signIn, useBrowser } from '../support/browser/browser.ts';
import { type Gateway, startGateway, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  // As newcomers have it: only then is there a demo.
  gateway = await startGateway('embedded');
  company = await gateway.company({ slug: 'acme', agents: 1 });
});
afterAll(() => gateway.close());

const browser = useBrowser();
const pages = [
  { path: '/', file: 'index.html' },
  { path: '/admin', file: 'admin.html' },
  { path: '/crm', file: 'index.html' },
  { path: '/demo', file: 'demo.html' },
];

describe.each(pages)('the page $path', ({ path, file }) => {
  it('loads from the gateway alone, within its policy', async () => {
    const page = await browser.open('about:blank');
    const asked: URL[] = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    await page.goto(`${gateway.url}${path}`, { waitUntil: 'networkidle' });
    await page.getByRole('heading').first().waitFor();
    expect(asked.filter((url) => !url.protocol.startsWith('data') && !url.href.startsWith(gateway.url))).toEqual([]);
    await shot(page, `page ${path}`);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('tells browsers to run its own files only', async () => {
    const answer = await gateway.api.get(path).expect(200);
    const policy = new Map(
      String(answer.headers['content-security-policy'])
        .split('; ')
        .map((directive) => {
          const [name = '', ...values] = directive.split(' ');
          return [name, values];
        }),
    );
    expect(policy.get('default-src')).toEqual([`'none'`]);
    expect(policy.get('script-src')).toEqual([`'self'`]);
    expect(answer.text).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(answer.text).toMatch(/<html lang="en"[^>]* translate="no"/);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('has its files compressed and kept for good', async () => {
    const files = filesOf(file);
    expect(files.some((asset) => asset.endsWith('.js'))).toBe(true);
    for (const asset of files) {
      for (const encoding of ['br', 'gzip']) {
        const answer = await gateway.api.get(`/${asset}`).set('accept-encoding', encoding).expect(200);
        expect(answer.headers['content-encoding'], asset).toBe(encoding);
        expect(answer.headers['cache-control'], asset).toBe('public,max-age=31536000,immutable');
      }
    }
  });
});

it('shows the softphone in both themes and in a side panel', async () => {
  const page = await browser.open(`${gateway.url}/`);
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(page, theme);
    await setSize(page, 'panel');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
    expect(await seriousFindings(page)).toEqual([]);
    await shot(page, 'sign in');
  }
});

it('signs an agent in by the form', async () => {
  const page = await browser.open(`${gateway.url}/`);
  await signIn(page, company.agents[0]!);
  const signedIn = await page.evaluate(() => sessionStorage.getItem('readyline.sign-in'));
  expect(JSON.parse(signedIn ?? '{}')).toMatchObject({ agent: { agent_code: 'a100' } });
});

it('has a softphone of less than 200 KB, its telephone and what puts it into the reader’s language aside', () => {
  const weights = filesOf('index.html').map((path) => [path, gzipBytes(path)] as const);
  const sum = (files: typeof weights) => files.reduce((total, [, bytes]) => total + bytes, 0);
  const i18n = weights.filter(([path]) => /\/(?:i18n|texts-[a-z]+)-[^/]+\.js$/.test(path));
  const others = weights.filter((file) => !i18n.includes(file));
  expect(sum(i18n), JSON.stringify(i18n)).toBeLessThan(40 * 1024);
  expect(sum(others), JSON.stringify(others)).toBeLessThan(200 * 1024);
});

it('loads the formats of phone numbers of all countries apart from every page, in less than 32 KB', () => {
  const formats = readdirSync(join(built, 'assets'))
    .filter((name) => /^internationalFormat-[^/]+\.js$/.test(name))
    .map((name) => `assets/${name}`);
  expect(formats).toHaveLength(1);
  expect(gzipBytes(formats[0]!), formats[0]).toBeLessThan(32 * 1024);
  for (const { file } of pages) expect(filesOf(file), file).not.toContain(formats[0]);
});

describe('the browser of the tests', () => {
  it('notices what the policy forbids, what is thrown and what the console is told', async () => {
    const page = await browser.open(`${gateway.url}/`);
    browser.expectTrouble(/policy violation: .*script-src/);
    browser.expectTrouble(/uncaught: Error: by accident/);
    browser.expectTrouble(/console error: so it goes/);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.forbidden = true';
      document.body.append(script);
      setTimeout(() => {
        throw new Error('by accident');
      });
      console.error('so it goes');
    });
    await eventually(() => expect(browser.troubles()).toEqual([]));
    expect(await page.evaluate(() => 'forbidden' in window)).toBe(false);
  });

  it('has a microphone, and one profile knows nothing of another', async () => {
    const page = await browser.open(`${gateway.url}/`);
    const tracks = page.evaluate(
      async () => (await navigator.mediaDevices.getUserMedia({ audio: true })).getAudioTracks().length,
    );
    expect(await tracks).toBe(1);
    await page.evaluate(() => localStorage.setItem('whose', 'mine'));
    const other = await (await browser.profile()).open(`${gateway.url}/`);
    const sameProfile = await browser.open(`${gateway.url}/`);
    expect(await other.evaluate(() => localStorage.getItem('whose'))).toBeNull();
    expect(await sameProfile.evaluate(() => localStorage.getItem('whose'))).toBe('mine');
  });
});

const built = fileURLToPath(new URL('../../web/dist/', import.meta.url));

/**
 * The files that a page of web/dist needs before it shows anything: its scripts and styles and all that these import
 * statically. What a script asks for later by `import()` is not among them.
 * @param page e.g. `index.html`; @returns paths below web/dist, e.g. `assets/index-DPV_oFTh.js`, each once
 */
function filesOf(page: string): string[] {
  const html = readFileSync(join(built, page), 'utf8');
  const found = new Set<string>();
  const open = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    if (!path.endsWith('.js')) continue;
    const script = readFileSync(join(built, path), 'utf8');
    for (const [, name = ''] of script.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+)["'`]/g))
      open.push(`assets/${name}`);
  }
  return [...found];
}

/** What a file of web/dist weighs on the wire, in bytes, compressed by gzip. */
function gzipBytes(path: string): number {
  return gzipSync(readFileSync(join(built, path)), { level: 9 }).length;
}
