import { createContext, use } from 'react';
import { useNow } from '../../shared/time.ts';

let offsetMs: number | null = null;

/**
 * Notes a moment of the gateway's clock that was told as soon as it had come. It arrives late, never early: of all
 * moments told, the one that is furthest ahead is the nearest. @param since ISO 8601
 */
export function noteGatewayTime(since: string): void {
  offsetMs = Math.max(offsetMs ?? -Infinity, Date.parse(since) - Date.now());
}

/**
 * Begins anew, since this machine's clock may have been set meanwhile.
 * @param serverTime now by the gateway's clock (ISO 8601); null: it was not told
 */
export function restartGatewayTime(serverTime: string | null): void {
  offsetMs = null;
  if (serverTime !== null) noteGatewayTime(serverTime);
}

/**
 * What the gateway's clock shows when this machine's shows that, as far as it is known. Milliseconds since the epoch.
 */
export function gatewayTimeAt(here: number): number {
  return here + (offsetMs ?? 0);
}

/** When the line went down, in milliseconds since the epoch by this machine; null while it is up. */
export const DownSince = createContext<number | null>(null);

/**
 * Milliseconds since the epoch by the gateway's clock, as far as it is known; a rendering for every second.
 * Stands still while the line is down: what ticks looks live.
 */
export function useGatewayNow(): number {
  const now = useNow();
  return gatewayTimeAt(use(DownSince) ?? now);
}
