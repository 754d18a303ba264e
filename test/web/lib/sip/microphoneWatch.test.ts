import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MicrophoneWatch } from '../../../../web/src/lib/sip/microphoneWatch.ts';
import { eventually } from '../../../support/time/waiting.ts';

/** Which error the browser answers with; null: the microphone is free. */
let refusal: string | null;
let asked: number;
let watch: MicrophoneWatch;
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  const getUserMedia = () => {
    asked += 1;
    if (refusal !== null) return Promise.reject(new DOMException('', refusal));
    return Promise.resolve({ getTracks: () => [], getAudioTracks: () => [] });
  };
  const permissions = { query: () => Promise.resolve(new EventTarget()) };
  vi.stubGlobal('navigator', { mediaDevices: Object.assign(new EventTarget(), { getUserMedia }), permissions });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('document', page);
  watch = new MicrophoneWatch({ onState: () => {}, onDevices: () => {} });
});
afterEach(() => {
  watch.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function begin(name: string, why: string): Promise<void> {
  refusal = name;
  watch.start();
  await eventually(() => expect(watch.state).toMatchObject({ why }));
}

it('finds a microphone that another program has let go of, and then asks no more', async () => {
  await begin('NotReadableError', 'microphone_busy');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(watch.state).not.toBe('usable');
  refusal = null;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(watch.state).toBe('usable');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(3);
});

it('looks for a missing one when the agent comes back to the page, and not by itself', async () => {
  await begin('NotFoundError', 'microphone_missing');
  refusal = null;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
  page.dispatchEvent(new Event('visibilitychange'));
  await eventually(() => expect(watch.state).toBe('usable'));
});

it('does not ask an agent again who has to allow it', async () => {
  await begin('NotAllowedError', 'microphone_forbidden');
  window.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
});

it('asks no more once it is stopped', async () => {
  await begin('NotReadableError', 'microphone_busy');
  watch.stop();
  window.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
});
