import { useNow } from '../../shared/time.ts';
import { useWorkplace } from './workplaceContext.ts';

/** Milliseconds since the epoch by the gateway's clock, a rendering for every second. */
export function useGatewayNow(): number {
  useNow();
  return useWorkplace().workplace.now();
}
