import type { AgentId, CompanyId } from '../../../domain/ids.ts';
import type { Presence } from '../../../domain/presence.ts';
import { changeLeavingCall } from './endAbandonedCall.ts';
import type { CallServices } from '../../services.ts';
import { decideAndRelease } from '../click/dialFate.ts';
import { followStoredCalls } from '../lifecycle/reportProgress.ts';
import { forEachConcurrently } from '../../concurrency/forEachConcurrently.ts';
import { changePresence } from '../../agents/changePresence.ts';

/** Agents handled in one sweep. */
const batch = 1_000;

/**
 * Handles everything that has expired: claims and rings, wrap-ups, lost connections,
 * dials whose record must be checked. Any gateway may sweep, also several at once.
 */
export async function sweepPresence(services: CallServices): Promise<void> {
  await forEachConcurrently(await services.presence.due(batch), ({ companyId, agentId }) =>
    // One agent's failure must not stop the others.
    sweepAgent(services, companyId, agentId).catch((error: unknown) =>
      services.observer.problem('what was due for an agent could not be done', error),
    ),
  );
}

async function sweepAgent(services: CallServices, companyId: CompanyId, agentId: AgentId): Promise<void> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence === null) return;
  if (await checkRecord(services, presence)) return;
  const cause = presence.reservedFor === 'ring' ? 'ring_lapsed' : 'softphone_lost';
  await changeLeavingCall(services, companyId, agentId, { type: 'fall_due' }, cause);
}

/** The gateway may have died between confirm and record: a call that is not recorded by now is ruled out. */
async function checkRecord(services: CallServices, presence: Presence): Promise<boolean> {
  const { companyId, agentId, state, callId, expiresAt } = presence;
  if (state !== 'on_call' || callId === null || expiresAt === null || expiresAt > services.presence.now()) return false;
  const decided = await decideAndRelease(services, { companyId, agentId, callId });
  if (decided.kind === 'ruled_out') return true;
  const kept = await changePresence(services, companyId, agentId, { type: 'keep_recorded', callId }, presence);
  // The call may have ended without the agent's presence following.
  if (kept.kind === 'changed') await followStoredCalls(services, kept.after);
  return true;
}
