import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LineDiagnosis, type Trouble } from '../../../../web/src/lib/sip/lineDiagnosis.ts';

const page = new EventTarget();
const network = { onLine: true };
const reach = vi.fn<() => Promise<void>>();
let told: Trouble[] = [];
let diagnosis: LineDiagnosis;
const lastTold = () => told.at(-1);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  vi.stubGlobal('navigator', network);
  vi.stubGlobal('fetch', reach);
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  network.onLine = true;
  reach.mockReset().mockRejectedValue(new TypeError('Failed to fetch'));
  told = [];
  diagnosis = new LineDiagnosis('wss://pbx.example/ws', (trouble) => told.push(trouble));
});
afterEach(() => {
  diagnosis.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('says no longer that the computer is offline once the network is back, though the PBX is not', async () => {
  network.onLine = false;
  diagnosis.down();
  await vi.advanceTimersByTimeAsync(0);
  expect(lastTold()).toMatchObject({ why: 'offline' });
  network.onLine = true;
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(lastTold()).toMatchObject({ why: 'untrusted_or_no_network', host: 'pbx.example' });
});

it('looks for the reason again as the outage lasts, at most every thirty seconds', async () => {
  diagnosis.down();
  await vi.advanceTimersByTimeAsync(29_000);
  diagnosis.down();
  expect(reach).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1_000);
  reach.mockResolvedValue();
  diagnosis.down();
  await vi.advanceTimersByTimeAsync(0);
  expect(reach).toHaveBeenCalledTimes(2);
  expect(lastTold()).toMatchObject({ why: 'not_a_network', host: 'pbx.example' });
});

it.each([
  ['the network was reached', () => diagnosis.recovered()],
  ['the telephone has stopped', () => diagnosis.close()],
])('tells nothing more once %s', async (_what, ends) => {
  diagnosis.down();
  ends();
  page.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toHaveLength(1);
});
