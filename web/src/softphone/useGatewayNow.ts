import { useNow } from '../shared/time.ts';
import { useDesk } from './workplaceContext.ts';

/** Milliseconds since the epoch by the gateway's clock, a rendering for every second. */
export function useGatewayNow(): number {
  useNow();
  return useDesk().workplace.now();
}
