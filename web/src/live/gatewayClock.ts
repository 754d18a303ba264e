import { useNow } from '../shared/time.ts';

let offsetMs: number | null = null;

/**
 * Notes a moment of the gateway's clock that was told as soon as it had come. It arrives late, never early: of all
 * moments told, the one that is furthest ahead is the nearest. @param since ISO 8601
 */
export function noteGatewayTime(since: string): void {
  offsetMs = Math.max(offsetMs ?? -Infinity, Date.parse(since) - Date.now());
}

/** Forgets what was noted: this machine's clock may have been set meanwhile. */
export function forgetGatewayTime(): void {
  offsetMs = null;
}

/** Milliseconds since the epoch by the gateway's clock, as far as it is known; a rendering for every second. */
export function useGatewayNow(): number {
  return useNow() + (offsetMs ?? 0);
}
