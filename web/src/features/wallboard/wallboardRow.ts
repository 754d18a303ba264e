import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';

/** One agent on the wallboard, with the call in progress. A new object for each change. */
export type WallboardRow = { agent: AgentStateView; call: LiveCall | null };
