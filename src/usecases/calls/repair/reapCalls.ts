import { isAtCall, isBusyHere, type Presence } from '../../../domain/presence.ts';
import type { ActiveCall } from '../../../ports/calls.ts';
import type { Page } from '../../../ports/queryResults.ts';
import { forEachConcurrently } from '../../concurrency/forEachConcurrently.ts';
import { changePresence } from '../../agents/changePresence.ts';
import { callView } from '../../views/callView.ts';
import type { CallServices } from '../../services.ts';
import { reportFor } from './endAbandonedCall.ts';
import { applyReport } from '../lifecycle/reportProgress.ts';

/** Younger calls may be recorded while their agent's presence does not show them yet. Milliseconds. */
const minAgeMs = 30_000;
const batch = 500;

/**
 * Finds calls that no agent is on any more. Where the presence was lost (a restart of the embedded gateway, of Redis),
 * the agent is put back on the call with a lost connection: the softphone finds the call when it returns, or the grace
 * ends it. Where the agent is doing something else, the call is ended.
 * @param everything at start: calls of any age, since no click of this process is under way yet
 * @returns how many calls were put right
 */
export async function reapCalls(services: CallServices, everything: boolean): Promise<number> {
  const before = new Date(services.clock.now() - (everything ? 0 : minAgeMs));
  let repaired = 0;
  let cursor: string | null = null;
  do {
    const page: Page<ActiveCall> = await services.calls.listActive(before, { cursor, limit: batch });
    await forEachConcurrently(page.items, async (call) => {
      // One call's failure must not stop the others.
      const done = await reapCall(services, call).catch((error: unknown) => {
        services.observer.problem('a call that nobody may be on could not be looked at', error);
        return false;
      });
      if (done) repaired += 1;
    });
    cursor = page.nextCursor;
  } while (cursor !== null);
  return repaired;
}

async function reapCall(services: CallServices, call: ActiveCall): Promise<boolean> {
  const { companyId, agentId, id: callId } = call;
  const presence = await services.presence.find(companyId, agentId);
  if (presence !== null && isAtCall(presence, callId)) {
    // The gateway that was to order the dial may have died: the softphone dials now,
    // or ends the call if it is too late.
    if (call.state === 'dialing' && call.version === 1) await tellSoftphone(services, call);
    return false;
  }
  if (presence === null || mayBeOnIt(presence)) {
    const lostSince = services.presence.now();
    const restore = { type: 'restore_call', companyId, agentId, callId, lostSince } as const;
    const restored = await changePresence(services, companyId, agentId, restore);
    return restored.kind === 'changed';
  }
  const ended = await applyReport(services, companyId, callId, reportFor('softphone_lost'), agentId);
  if (ended.kind === 'ok') services.observer.repaired('abandoned_call');
  return ended.kind === 'ok';
}

/** At work at a platform alone, or put back on another call of its softphone, which may have had two. */
function mayBeOnIt(presence: Presence): boolean {
  if (presence.sessionId !== null) return false;
  return isBusyHere(presence) ? presence.state === 'on_call' && presence.second === null : presence.platform !== null;
}

async function tellSoftphone(
  { calls, softphones }: CallServices,
  { companyId, agentId, id }: ActiveCall,
): Promise<void> {
  const found = await calls.find(companyId, id);
  if (found.kind === 'found') softphones.callChanged(companyId, agentId, callView(found.value));
}
