import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whenOnline } from '../../../../web/src/lib/gateway/whenOnline.ts';

const page = new EventTarget();
const act = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => {
  act.mockReset();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const comesOnline = () => page.dispatchEvent(new Event('online'));

it('acts once within a second, however often the network comes', () => {
  const end = whenOnline(act);
  comesOnline();
  comesOnline();
  vi.advanceTimersByTime(1_000);
  expect(act).toHaveBeenCalledOnce();
  end();
});

it('does nothing any more once it has ended', () => {
  const end = whenOnline(act);
  comesOnline();
  end();
  comesOnline();
  vi.advanceTimersByTime(1_000);
  expect(act).not.toHaveBeenCalled();
});
