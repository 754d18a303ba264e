import { createContext, useContext } from 'react';
import type { Workplace, WorkplaceView } from '../workplace/workplace.ts';

/** The workplace of who is signed in, and what it looks like now. `run` does something and tells why it failed. */
export type WorkplaceContextValue = {
  workplace: Workplace;
  view: WorkplaceView;
  /** The agent's id. */
  agentId: string;
  run: (what: () => Promise<unknown>) => void;
};

export const WorkplaceContext = createContext<WorkplaceContextValue | null>(null);

/** For components inside the softphone page only. */
export function useWorkplace(): WorkplaceContextValue {
  const value = useContext(WorkplaceContext);
  if (value === null) throw new Error('there is no workplace around this component');
  return value;
}
