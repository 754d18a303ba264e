// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clockText, useNow } from '../../../web/src/shared/time.ts';
import { show } from '../../support/components/page.tsx';

const start = Date.parse('2026-03-02T09:00:00.000Z');

function Clock() {
  return <time>{clockText(useNow() - start)}</time>;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: start }));
afterEach(() => void vi.useRealTimers());

it('ticks every second, all clocks of the page together', () => {
  const page = show(
    <>
      <Clock />
      <Clock />
    </>,
  );
  const shown = () => [...page.container.querySelectorAll('time')].map(({ textContent }) => textContent);
  act(() => void vi.advanceTimersByTime(3_000));
  expect(shown()).toEqual(['0:03', '0:03']);
});

it('is right at once after a time in which the page had no clock', () => {
  const first = show(<Clock />);
  expect(first.getByText('0:00')).toBeTruthy();
  first.unmount();
  vi.advanceTimersByTime(3_723_000);
  expect(show(<Clock />).getByText('1:02:03')).toBeTruthy();
});

it.each([
  [0, '0:00'],
  [7_999, '0:07'],
  [754_000, '12:34'],
  [3_723_000, '1:02:03'],
  [-5_000, '0:00'],
])('shows %i ms as %s', (length, text) => {
  expect(clockText(length)).toBe(text);
});
