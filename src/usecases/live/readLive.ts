import type { AgentTimeline, ClickTally, LiveCall, TimelineQuery } from '../../contract/live.ts';
import { agentsWithin, type AgentScope, type Principal } from '../../domain/access.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Presence } from '../../domain/presence.ts';
import type { PastState } from '../../ports/wallboard.ts';
import { findShownAgent } from '../agents/findAgent.ts';
import type { Services } from '../services.ts';
import { clickTally, liveCall } from './liveViews.ts';

/** Two days, whose midnight is within them wherever the supervisor sits. */
const clicksShownMs = 48 * 3_600_000;

/** The calls of those agents that last. */
export async function listLiveCalls(
  { calls }: Pick<Services, 'calls'>,
  companyId: CompanyId,
  scope: AgentScope,
): Promise<LiveCall[]> {
  return (await calls.listInProgress(companyId, agentsWithin(scope, null))).map(liveCall);
}

/** The company's clicks of the last 48 hours. */
export async function listClicks(
  { clickTallies, clock }: Pick<Services, 'clickTallies' | 'clock'>,
  companyId: CompanyId,
): Promise<ClickTally[]> {
  return (await clickTallies.list(companyId, new Date(clock.now() - clicksShownMs))).map(clickTally);
}

const defaultSpanMs = 24 * 3_600_000;
/** More than an agent does in a long day. */
const mostEntries = 1_000;

/**
 * What an agent was doing in the time asked for. The history is written behind the changes; what the agent is doing now
 * is always told as it is.
 */
export async function readTimeline(
  services: Pick<Services, 'agents' | 'agentHistory' | 'clock' | 'ledAgents' | 'presence'>,
  principal: Principal,
  id: string,
  query: TimelineQuery,
): Promise<Outcome<AgentTimeline>> {
  const { companyId } = principal;
  const found = await findShownAgent(services, principal, id);
  if (found.kind === 'refused') return found;
  const agentId = found.value.id;
  const now = services.clock.now();
  const until = query.until === undefined ? now : Date.parse(query.until);
  const lasts = until >= now;
  const endsAt = Math.min(until, now);
  const since = query.since === undefined ? endsAt - defaultSpanMs : Date.parse(query.since);
  if (since >= endsAt) {
    return refuse('invalid_request', 'The time asked for ends before it begins.', {
      errors: [{ path: 'since', message: 'must be before until, and before now', code: 'ends_before_start' }],
    });
  }
  const window = { since: new Date(since), until: lasts ? endOfTime : new Date(endsAt) };
  const past = await services.agentHistory.list(companyId, agentId, window, mostEntries + 1);
  // Read after it, so that it is the newer.
  const present = lasts ? await services.presence.find(companyId, agentId) : null;
  const states = merged(lasts ? withPresent(past, present, now) : past);
  const shown = states.slice(-mostEntries);
  return ok({
    agent_id: agentId,
    entries: shown.map(({ state, reason, callId, since: begun }, index) => {
      const next = shown[index + 1]?.since ?? (lasts ? null : window.until);
      const from = new Date(Math.max(begun.getTime(), since));
      return { state, reason, call_id: callId, since: from.toISOString(), until: next?.toISOString() ?? null };
    }),
    truncated: past.length > mostEntries || states.length > mostEntries,
  });
}

/** The presence is dated by another clock than this gateway's: what happened just now must not be cut off. */
const endOfTime = new Date(8_640_000_000_000);

/** Adds what the agent is doing now, unless it is there. An agent of whom nothing is known was never there. */
function withPresent(past: PastState[], present: Presence | null, now: number): PastState[] {
  const last = past.at(-1);
  if (present === null) {
    if (last === undefined || last.state === 'offline') return past;
    return [...past, { since: new Date(now), version: last.version + 1, state: 'offline', reason: null, callId: null }];
  }
  const { since, version, state, reason, callId } = present;
  const noted = last?.since.getTime() ?? 0;
  if (last !== undefined && (noted > since || (noted === since && last.version >= version))) return past;
  return [...past, { since: new Date(since), version, state, reason, callId }];
}

/** A state that was noted twice in a row is one. */
function merged(states: PastState[]): PastState[] {
  return states.filter((state, index) => {
    const before = states[index - 1];
    return before === undefined || !isSame(state, before);
  });
}

function isSame(a: PastState, b: PastState): boolean {
  return a.state === b.state && a.reason === b.reason && a.callId === b.callId;
}
