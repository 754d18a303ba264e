import type { CallView } from '../../../contract/calls.ts';
import type { Call } from '../../../domain/calls.ts';
import type { CallId, ClaimId, CompanyId } from '../../../domain/ids.ts';
import type { Presence, PresenceCommand } from '../../../domain/presence.ts';
import type { Fate } from '../../../ports/calls.ts';
import { changePresence } from '../../agents/changePresence.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import type { CallServices, Services } from '../../services.ts';
import { callView } from '../../views/callView.ts';
import { dialEndings, type EndingByClick, type RescindReason } from './dialEndings.ts';

/** An agent who has been claimed for a click. */
export type Claimed = Presence & { claimId: ClaimId; callId: CallId };

/** An agent, and the call that agent was claimed for. */
type About = Pick<Presence, 'companyId' | 'agentId'> & { callId: CallId };

type Decided = Exclude<Fate, { kind: 'open' }>;
type PresenceNeeds = Pick<Services, 'agentCard' | 'observer' | 'presence' | 'softphones'>;

/**
 * Ends a dial as its row in the table says: tells the softphone, frees the agent or sets them Not Ready,
 * rules the call out. Never rejects: what fails is retried until it succeeds.
 */
export async function endDial(services: CallServices, claimed: Claimed, name: EndingByClick): Promise<void> {
  const { softphone, record } = dialEndings[name];
  const { companyId, agentId, callId, claimId } = claimed;
  services.softphones.rescind(claimed, { call_id: callId, claim_id: claimId, reason: softphone });
  const command = commandOf(claimed, name);
  await Promise.all([
    retryUntilSuccess(services, 'an agent could not be released from a click', async () => {
      if (command === 'release') await releaseAgent(services, claimed);
      else await changePresence(services, companyId, agentId, command);
    }),
    // Should this gateway not reach the presence store, others learn from this that the call will not be made.
    record === 'ruled_out' &&
      retryUntilSuccess(services, 'a call that is not made could not be ruled out', () =>
        services.calls.ruleOut(companyId, callId),
      ),
  ]);
}

/** What frees the agent, or sets them Not Ready. */
function commandOf({ claimId }: Claimed, name: EndingByClick): PresenceCommand | 'release' {
  const { agent, softphone } = dialEndings[name];
  switch (agent) {
    case 'not_ready':
      return { type: 'fail_offer', claimId, reason: softphone === 'rejected' ? softphone : 'delivery_failed' };
    case 'suspected':
      return { type: 'offer_unreachable', claimId };
    case 'freed':
      // The claim may have been confirmed, with the answer lost.
      return 'release';
  }
}

/** The softphone may dial from here on: its call is recorded. */
export function orderDial({ softphones, wakeDispatcher }: CallServices, call: Call): void {
  wakeDispatcher(call.companyId);
  softphones.callChanged(call.companyId, call.agentId, callView(call));
}

/**
 * Whether a call is recorded or ruled out; rules it out if neither is decided.
 * Rejects while PostgreSQL cannot be asked.
 */
export async function decideFate(
  { calls }: Pick<Services, 'calls'>,
  { companyId, callId }: Pick<About, 'companyId' | 'callId'>,
): Promise<Decided> {
  for (;;) {
    const fate = await calls.fate(companyId, callId);
    if (fate.kind !== 'open') return fate;
    if ((await calls.ruleOut(companyId, callId)) === 'ruled_out') return { kind: 'ruled_out' };
    // Recorded in between: the next look finds it.
  }
}

/**
 * Decides whether a call is recorded, and frees its agent if it will never be recorded. Rejects while a store is away;
 * may be repeated.
 */
export async function decideAndRelease(
  services: PresenceNeeds & Pick<Services, 'calls'>,
  about: About,
): Promise<Decided> {
  const decided = await decideFate(services, about);
  if (decided.kind === 'ruled_out') await releaseAgent(services, about);
  return decided;
}

/** Releases the agent of a call that will never be recorded; does nothing if the agent is doing something else. */
export async function releaseAgent(services: PresenceNeeds, { companyId, agentId, callId }: About): Promise<void> {
  await changePresence(services, companyId, agentId, { type: 'cancel', callId });
  const dropped = await changePresence(services, companyId, agentId, { type: 'drop_unrecorded', callId });
  if (dropped.kind === 'changed') services.observer.repaired('unrecorded_dial');
}

/**
 * Finds out whether a click's call is recorded, after the click was answered with `outcome_unknown`,
 * however long it takes.
 */
export async function resolveUnknown(services: CallServices, claimed: Claimed): Promise<void> {
  await retryUntilSuccess(services, 'what became of a dial could not be found out', async () => {
    const decided = await decideFate(services, claimed);
    if (decided.kind === 'recorded') orderDial(services, decided.call);
    else await endDial(services, claimed, 'found_ruled_out');
  });
}

/**
 * What became of an offer that a softphone has acknowledged, when no message has arrived: `dialed`,
 * by the durable record; `over`, since nobody can record it any more; `open`, while it is being confirmed and recorded.
 */
export async function resolveOfferOutcome(
  services: PresenceNeeds & Pick<Services, 'calls'>,
  { companyId, agentId, callId }: Pick<Presence, 'companyId' | 'agentId' | 'callId'>,
): Promise<{ kind: 'dialed'; call: CallView } | { kind: 'over'; reason: RescindReason } | { kind: 'open' }> {
  const over = { kind: 'over', reason: dialEndings.offer_over.softphone } as const;
  if (callId === null) return over;
  const current = await services.presence.find(companyId, agentId);
  const fate = await services.calls.fate(companyId, callId);
  if (fate.kind === 'recorded') return { kind: 'dialed', call: callView(fate.call) };
  if (fate.kind === 'open' && current?.callId === callId) return { kind: 'open' };
  // The presence may show something else because the store lost data, while the call is about to be recorded.
  // Or it still shows the call because the click's gateway cannot reach the store.
  const decided = await decideAndRelease(services, { companyId, agentId, callId });
  return decided.kind === 'recorded' ? { kind: 'dialed', call: callView(decided.call) } : over;
}

/**
 * Frees the agent of a claim whose answer was lost: a store that stood still may execute it late. The agent
 * would look Ready until the claim expires, and be Not Ready afterwards. As soon as the store answers, all such
 * agents are looked for at once.
 */
export async function releaseUnansweredClaim(
  services: PresenceNeeds & Pick<Services, 'retries' | 'unansweredClaims'>,
  companyId: CompanyId,
  claimId: ClaimId,
): Promise<void> {
  const others = services.unansweredClaims.get(companyId);
  if (others !== undefined) {
    others.add(claimId);
    return;
  }
  const claims = new Set([claimId]);
  services.unansweredClaims.set(companyId, claims);
  const outcome = await retryUntilSuccess(services, 'agents of lost claims could not be released', async () => {
    while (claims.size > 0) {
      const sought = [...claims];
      for (const { agentId, claimId: held, callId } of await services.presence.list(companyId)) {
        if (callId === null || held === null || !sought.includes(held)) continue;
        await changePresence(services, companyId, agentId, { type: 'cancel', callId });
      }
      for (const found of sought) claims.delete(found);
    }
    services.unansweredClaims.delete(companyId);
  });
  // Nobody looks for these claims any more (they expire), so the next one must begin a search of its own.
  if (outcome === 'dropped') services.unansweredClaims.delete(companyId);
}
