import type { ClickTally } from '../../contract/live.ts';
import type { QuarterOfClicks } from '../../ports/clickTallies.ts';

/** A quarter of an hour of clicks as the wallboard shows it. */
export function clickTally({ at, counts }: QuarterOfClicks): ClickTally {
  return {
    at: at.toISOString(),
    dialed: counts.dialed,
    no_ready_agent: counts.noReadyAgent,
    agent_not_ready: counts.agentNotReady,
    failed: counts.failed,
  };
}
