import type { WorkplaceView } from '../workplace/workplace.ts';
import { lasts } from '../calls/callWords.ts';

/** Whether a call keeps the agent from signing out. That of another tab, which has taken over, does not. */
export function keepsSignedIn({ agent, call, caller, line, isEngaged }: WorkplaceView): boolean {
  if (line === 'replaced') return isEngaged;
  return lasts(call) || caller !== null || agent?.state === 'on_call' || agent?.state === 'reserved';
}
