import type { Call } from '../../domain/calls.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import { hearOfCall } from '../../domain/platformCalls.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import { followPlatform, leavePlatform } from '../agents/platformState.ts';
import { addEvents, changeCall } from '../calls/lifecycle/changeCall.ts';
import { forEachConcurrently } from '../concurrency/forEachConcurrently.ts';
import type { CallServices } from '../services.ts';

/** A call that rings and of which nothing is told any more ends after this. Milliseconds. */
const longestRingMs = 600_000;
/** The same of one that was answered, or is on hold. Milliseconds. */
const longestCallMs = 12 * 3_600_000;
const batch = 500;

/** Ends the calls of platforms whose end was never told. @returns how many */
export async function endSilentCalls(services: CallServices): Promise<number> {
  const now = services.clock.now();
  const calls = await services.calls.silent({
    ringingSince: new Date(now - longestRingMs),
    since: new Date(now - longestCallMs),
    limit: batch,
  });
  let ended = 0;
  await forEachConcurrently(calls, async (call) => {
    // One call's failure must not stop the others.
    await endSilent(services, call, new Date(now)).then(
      (done) => void (ended += done ? 1 : 0),
      (error: unknown) =>
        services.observer.problem('a call that a platform tells nothing of could not be ended', error),
    );
  });
  return ended;
}

/** Ends all calls of a platform that will tell nothing more of them. */
export async function endCallsOf(services: CallServices, companyId: CompanyId, connector: string): Promise<void> {
  const at = new Date(services.clock.now());
  const lasting = (await services.calls.listInProgress(companyId, null)).filter(({ source }) => source === connector);
  await forEachConcurrently(lasting, async ({ id }) => {
    const found = await services.calls.find(companyId, id);
    if (found.kind === 'found') await endSilent(services, found.value, at);
  });
}

/**
 * Ends the calls of that platform which an agent is on by our record, where the platform says that the agent is free.
 * @param at since when; what was told of a call later stands
 */
export async function endCallsLeftBehind(
  services: CallServices,
  { companyId, connector }: CtiConnection,
  agentId: AgentId,
  at: Date,
): Promise<void> {
  const presence = await services.presence.find(companyId, agentId);
  const callId = presence?.platform?.connector === connector ? presence.platform.callId : null;
  if (callId === null) return;
  const found = await services.calls.find(companyId, callId);
  if (found.kind !== 'found') return;
  const { platform, state } = found.value;
  if (platform === null || (state !== 'ended' && platform.at >= at)) return;
  await endSilent(services, found.value, at);
}

/** Ends a call whose end a platform has not told. */
async function endSilent(services: CallServices, { companyId, id }: Call, at: Date): Promise<boolean> {
  const found = await changeCall(services, companyId, id, (call, context) => {
    const decision = hearOfCall(call, { event: 'ended', at, saidAt: null, cause: null, talkMs: null });
    if (decision.kind === 'unchanged') return { kind: 'kept', why: null };
    const next = { ...decision.next, endDetail: 'platform_silent' };
    return { kind: 'changed', ...addEvents(services, next, decision.events, context) };
  });
  if (found.kind !== 'found') return false;
  await leaveCall(services, found.value.call);
  return found.value.kind === 'changed';
}

/** The agent is not on that call any more. */
async function leaveCall(services: CallServices, { agentId, companyId, id, platform }: Call): Promise<void> {
  const owner = (await services.presence.find(companyId, agentId))?.platform;
  if (owner == null || platform === null || owner.callId !== id) return;
  const about = { companyId, agentId, connector: platform.source };
  if (owner.before !== null) {
    await leavePlatform(services, about);
  } else {
    await followPlatform(services, {
      ...about,
      state: 'not_ready',
      reason: null,
      callId: null,
      dialsBy: owner.dialsBy,
    });
  }
}
