import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let ticker: ReturnType<typeof setInterval> | undefined;
let second = Math.floor(Date.now() / 1000);

function look(): void {
  second = Math.floor(Date.now() / 1000);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (ticker === undefined) {
    // Nobody has looked since the last clock was taken off the page.
    look();
    ticker = setInterval(() => {
      look();
      for (const tick of listeners) tick();
    }, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticker);
    ticker = undefined;
  };
}

/** Milliseconds since the epoch, a rendering for every second; all clocks of a page tick together. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => second) * 1000;
}

/** Time as a clock shows it: `0:07`, `12:34`, `1:02:03`. Never negative. @param milliseconds a length of time */
export function clockText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (number: number) => String(number).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
