import type { AgentHistory } from '../../ports/agentHistory.ts';
import type { StoreParts } from './prisma.ts';
import { endAllStates, pruneChanges, stateChanges, writeStateChanges } from './statements/agentHistory.ts';

/** What the agents did when, in PostgreSQL. */
export function createAgentHistoryStore({ pool }: Pick<StoreParts, 'pool'>): AgentHistory {
  return {
    add: (changes) => writeStateChanges(pool, changes),
    list: (companyId, agentId, window, limit) => stateChanges(pool, companyId, agentId, window, limit),
    endAll: (at) => endAllStates(pool, at),
    prune: (before, limit) => pruneChanges(pool, before, limit),
  };
}
