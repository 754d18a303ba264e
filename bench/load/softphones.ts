// Softphones, and whoever clicks, in one process: one clock dates the click, the pop and the answer.
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { serveVerbs } from '../worker.ts';
import { deferred } from './deferred.ts';
import { framesSoFar, openLine, type LoadedLine, type Stack } from './lines.ts';

export type Fleet = {
  stack: Stack;
  /** The softphones are dealt out among these. */
  urls: string[];
  tokens: string[];
  ready: boolean;
};
/** Where and how one clicks. */
export type Clicker = { url: string; path: string; apiKey: string; phones: string[] };
/**
 * One entry per click that was answered 201. Milliseconds from the request: to the pop on the screen, to the answer.
 */
export type ClickTimes = { toPop: number[]; toAnswer: number[] };
export type Softphones = {
  /** Adds softphones; resolves when all are connected and, if wanted, Ready. */
  connect(fleet: Fleet): Promise<void>;
  /** The frames that gateways have sent to the softphones since it was asked last, by what they tell. */
  framesSoFar(): Record<string, number>;
  /** One click after the other, each after the agent of the one before is Ready again. */
  clickInTurn(clicks: Clicker & { count: number }): Promise<ClickTimes>;
  /** Clicks at a steady rate, whether or not the ones before are answered. */
  clickSteadily(clicks: Clicker & { perSecond: number; seconds: number }): Promise<ClickTimes>;
};

/** Softphones that connect at a time. */
const connecting = 50;

type Waiting = { popped: (at: number) => void; finished: () => void };

const connections = new Agent({ connections: 64 });
const lines: LoadedLine[] = [];
/** By the phone number that was clicked: no two clicks under way have the same. */
const waiting = new Map<string, Waiting>();
let clicks = 0;

serveVerbs({
  async connect({ stack, urls, tokens, ready }: Fleet) {
    const listener = {
      popped: (phone: string) => waiting.get(phone)?.popped(performance.now()),
      finished: (phone: string) => waiting.get(phone)?.finished(),
    };
    const fresh = tokens.map((token, index) => openLine(stack, urls[index % urls.length] ?? '', token, listener));
    lines.push(...fresh);
    const rest = fresh.values();
    const workers = Array.from({ length: connecting }, async () => {
      for (const line of rest) {
        await line.connect();
        if (ready) await line.becomeReady();
      }
    });
    await Promise.all(workers);
  },

  framesSoFar,

  async clickInTurn({ count, ...clicker }: Clicker & { count: number }) {
    const times: ClickTimes = { toPop: [], toAnswer: [] };
    for (let done = 0; done < count; done++) await clickOnce(clicker, times);
    return times;
  },

  async clickSteadily({ perSecond, seconds, ...clicker }: Clicker & { perSecond: number; seconds: number }) {
    const times: ClickTimes = { toPop: [], toAnswer: [] };
    const underWay: Promise<void>[] = [];
    const begun = performance.now();
    for (let sent = 0; sent < perSecond * seconds; sent++) {
      // By the clock, not from the click before: a slow stack gets no fewer clicks.
      await delay(Math.max(0, begun + (sent * 1000) / perSecond - performance.now()));
      underWay.push(clickOnce(clicker, times));
    }
    await Promise.all(underWay);
    return times;
  },
} satisfies Softphones);

/** Resolves when the click is answered and its agent Ready again. */
async function clickOnce({ url, path, apiKey, phones }: Clicker, times: ClickTimes): Promise<void> {
  clicks += 1;
  const phone = phones[clicks % phones.length] ?? '';
  const popped = deferred<number>();
  const finished = deferred<void>();
  waiting.set(phone, { popped: popped.resolve, finished: finished.resolve });
  const sentAt = performance.now();
  const { statusCode, body } = await request(url + path, {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ phone_number: phone }),
    dispatcher: connections,
  });
  const answer = await body.text();
  const answeredAt = performance.now();
  if (statusCode !== 201) throw new Error(`a click was answered ${statusCode}: ${answer}`);
  times.toAnswer.push(answeredAt - sentAt);
  times.toPop.push((await popped.promise) - sentAt);
  await finished.promise;
  waiting.delete(phone);
}
