import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import type { CallView } from '../../../src/contract/calls.ts';
import type { WorkplaceView } from '../../../web/src/features/workplace/workplace.ts';
import type { Whose } from './ears.ts';
import type { LabOptions } from './labPage.ts';
import { tone } from './tones.ts';
import type { Profile } from '../../support/browser/chromium.ts';
import type { Gateway, TestAgent, TestCompany } from '../../support/gateway/gateway.ts';
import { eventually } from '../../support/time/waiting.ts';

let script: Promise<string> | null = null;

/** The workplace and its ears as one script. */
async function buildPage(): Promise<string> {
  const outcome = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: {
        entry: fileURLToPath(new URL('labPage.ts', import.meta.url)),
        formats: ['iife'],
        name: 'callLab',
        fileName: () => 'page.js',
      },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [bundle] = Array.isArray(outcome) ? outcome : [outcome];
  const chunk = bundle !== undefined && 'output' in bundle ? bundle.output[0] : undefined;
  if (chunk === undefined) throw new Error('the page was not built');
  return chunk.code;
}

/**
 * An agent at the telephone, in a tab of that browser. @param options.storage what the tab's session storage holds at
 * the start; @param options.onPage called before anything is loaded
 */
export async function openCallLab(
  profile: Profile,
  gateway: Gateway,
  agent: TestAgent,
  options: LabOptions & { storage?: Record<string, string>; onPage?: (page: Page) => Promise<void> } = {},
): Promise<CallLab> {
  script ??= buildPage();
  const page = await profile.context.newPage();
  const { storage, onPage, ...lab } = options;
  await onPage?.(page);
  const kept = { ...storage, lab: JSON.stringify({ token: agent.token, agentId: agent.id, ...lab }) };
  const isFirst = "sessionStorage.getItem('lab') === null";
  await page.addInitScript(`if (${isFirst}) Object.assign(sessionStorage, ${JSON.stringify(kept)});\n${await script}`);
  // Of a call that lasts, the page asks before it goes.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  // Any document of the gateway's origin will do.
  await page.goto(`${gateway.url}/api/health/live`);
  return new CallLab(page);
}

/** What a test does with an agent's workplace, and waits for. */
export class CallLab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  view(): Promise<WorkplaceView> {
    return this.page.evaluate(() => window.lab.workplace.view());
  }

  /** Waits until the agent sees what fits. */
  async sees(what: string, fits: (view: WorkplaceView) => boolean): Promise<WorkplaceView> {
    return eventually(async () => {
      const view = await this.view();
      if (!fits(view)) throw new Error(`the agent does not see ${what}: ${JSON.stringify(view)}`);
      return view;
    });
  }

  async goReady(): Promise<void> {
    await this.sees('a telephone that is ready', ({ phone }) => phone.state === 'ready');
    await this.page.evaluate(() => window.lab.workplace.setReady());
  }

  /** Dials by hand. */
  async dial(number: string): Promise<CallView> {
    await this.sees('a telephone that is ready', ({ phone }) => phone.state === 'ready');
    return this.page.evaluate((to) => window.lab.workplace.dial(to), number);
  }

  /** Presses a button of the workplace that takes no words. */
  press(what: 'answer' | 'reject' | 'hangUp' | 'rejectOther' | 'turnToOther'): Promise<void> {
    return this.page.evaluate((name) => window.lab.workplace[name](), what);
  }

  /** Waits until these tones have gone out beside the audio, and no others. */
  async played(tones: string): Promise<void> {
    await eventually(async () => {
      const played = await this.page.evaluate(() => window.lab.tones.played());
      if (played !== tones) throw new Error(`${played} was played`);
    });
  }

  /** What has gone out so far, in bytes of audio. */
  async bytesSent(): Promise<number> {
    return (await this.page.evaluate(() => window.lab.carried()))?.sent ?? 0;
  }

  async isConnected(): Promise<CallView> {
    const view = await this.sees(
      'a connected call',
      ({ call, isRecovering }) => call?.state === 'connected' && !isRecovering,
    );
    return view.call!;
  }

  /** Waits for a tone that arrives, and answers its frequency in hertz. */
  hears(whose: Whose = 'all'): Promise<number> {
    return tone(() => this.page.evaluate((which) => window.lab.listen(400, which), whose));
  }

  /** Waits until that tone is heard, in hertz. */
  async hearsAt(hertz: number): Promise<void> {
    await eventually(async () => {
      const heard = await this.hears();
      if (Math.abs(heard - hertz) >= 50) throw new Error(`${heard} Hz are heard, and not ${hertz}`);
    });
  }

  /** Waits until audio arrives that is silent all the time. */
  async hearsNothing(whose: Whose = 'all'): Promise<void> {
    await eventually(async () => {
      const before = await this.#bytesReceived();
      const { hertz, decibels } = await this.page.evaluate((which) => window.lab.listen(1_500, which), whose);
      if (decibels > -70) throw new Error(`${decibels} dB are heard at ${hertz} Hz`);
      if ((await this.#bytesReceived()) <= before) throw new Error('no audio arrives at all');
    });
  }

  /**
   * Waits until no audio arrives, and nobody would hear the agent: as it is in a call on hold.
   * @param isHeard the other side holds it, and the agent's microphone is open
   */
  async receivesNothing({ isHeard = false } = {}): Promise<void> {
    await eventually(async () => {
      const before = await this.#bytesReceived();
      const { decibels } = await this.page.evaluate(() => window.lab.listen(400, 'all'));
      const heard = await this.page.evaluate(() => window.lab.microphone.heard());
      const arrived = (await this.#bytesReceived()) - before;
      if (decibels > -70 || arrived > 0 || heard > (isHeard ? 1 : 0))
        throw new Error(`${decibels} dB, ${arrived} bytes, ${heard} microphones`);
    });
  }

  async #bytesReceived(): Promise<number> {
    return (await this.page.evaluate(() => window.lab.carried()))?.received ?? 0;
  }
}

/** Waits for a call's end, as the gateway has recorded it. */
export async function recordedEnd(gateway: Gateway, { adminToken }: TestCompany, callId: string): Promise<CallView> {
  return eventually(async () => {
    const answer = await gateway.api.get(`/api/calls/${callId}`).set('authorization', `Bearer ${adminToken}`);
    const call = answer.body as CallView;
    if (call.state !== 'ended') throw new Error(`the call is ${call.state}`);
    return call;
  });
}
