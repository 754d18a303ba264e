import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from '../../../scripts/chromium.mjs';
import { wholePatienceMs } from '../time/pace.ts';

const builtPage = fileURLToPath(new URL('../../../web/dist/index.html', import.meta.url));

/** It speaks to nobody but the pages, has a microphone that beeps, and says yes when a page asks for it. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
  '--autoplay-policy=no-user-gesture-required',
];

/** `panel`: a CRM's side panel, 380 px wide. `desk`: a whole screen. */
export type Size = 'panel' | 'desk';
export const sizes: Record<Size, { width: number; height: number }> = {
  panel: { width: 380, height: 720 },
  desk: { width: 1280, height: 800 },
};

export type ProfileOptions = {
  /** What the person prefers; `light` unless told. */
  theme?: 'light' | 'dark';
  /** `desk` unless told. */
  size?: Size;
  /** What pages may do unasked; `['microphone']` unless told. E.g. `clipboard-read`, `clipboard-write`. */
  permissions?: string[];
  /** Whatever else Playwright knows of a context. */
  context?: BrowserContextOptions;
};

/** Starts a browser. Throws when there is none, or the pages are not built. @param extra further flags */
export async function launchChromium(extra: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('chromium is not installed');
  if (!existsSync(builtPage)) throw new Error('the pages are not built: run "npm run build"');
  return chromium.launch({ executablePath, headless: true, args: [...flags, ...extra], timeout: wholePatienceMs() });
}

/** One person's browser: its tabs share storage, locks and channels with each other and with nobody else's. */
export class Profile {
  readonly context: BrowserContext;
  /** What went wrong on the pages so far: one line each, e.g. `http://…/: console error: …`. */
  readonly troubles: string[] = [];

  private constructor(context: BrowserContext) {
    this.context = context;
    context.on('weberror', (error) => {
      this.troubles.push(
        `${error.page()?.url() ?? 'a page'}: uncaught: ${error.error().stack ?? error.error().message}`,
      );
    });
    // What a policy forbids arrives here as well: chromium tells it as an error of the console.
    context.on('console', (message) => {
      if (message.type() !== 'error') return;
      const kind = message.text().includes('Content Security Policy') ? 'policy violation' : 'console error';
      this.troubles.push(
        `${message.page()?.url() ?? 'a page'}: ${kind}: ${message.text()} (${message.location().url})`,
      );
    });
  }

  static async create(browser: Browser, options: ProfileOptions = {}): Promise<Profile> {
    const { theme = 'light', size = 'desk', permissions = ['microphone'] } = options;
    const context = await browser.newContext({
      colorScheme: theme,
      viewport: sizes[size],
      permissions,
      ...options.context,
    });
    context.setDefaultTimeout(wholePatienceMs());
    return new Profile(context);
  }

  /** A new tab with a page in it. */
  async open(url: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(url);
    return page;
  }
}
