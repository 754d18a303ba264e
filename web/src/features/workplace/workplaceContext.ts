import { createContext, useContext } from 'react';
import { useNow } from '../../shared/time.ts';
import type { DialOptions, Workplace, WorkplaceView } from './workplace.ts';

/**
 * The workplace of who is signed in, and what it looks like now. `run` does something and tells why it failed; a dial
 * that was refused because the number is not to be called is done again with other options, where who is signed in may
 * have it called all the same.
 */
export type WorkplaceContextValue = {
  workplace: Workplace;
  view: WorkplaceView;
  /** The agent's id. */
  agentId: string;
  run: (what: (options: DialOptions) => Promise<unknown>) => void;
};

export const WorkplaceContext = createContext<WorkplaceContextValue | null>(null);

/** For components inside the softphone page only. */
export function useWorkplace(): WorkplaceContextValue {
  const value = useContext(WorkplaceContext);
  if (value === null) throw new Error('there is no workplace around this component');
  return value;
}

/** Milliseconds since the epoch by the gateway's clock, a rendering for every second. */
export function useGatewayNow(): number {
  useNow();
  return useWorkplace().workplace.now();
}
