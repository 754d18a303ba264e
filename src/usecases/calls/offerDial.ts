import type { ClickToDialOffer, CrmScreenPop } from '../../contract/socket.ts';
import type { CallId, ClaimId } from '../../domain/ids.ts';
import type { PhoneNumber } from '../../domain/phoneNumbers.ts';
import type { Presence } from '../../domain/presence.ts';
import { changePresence } from '../agents/changePresence.ts';
import type { ComposedPop } from '../screenPops/composeScreenPop.ts';
import type { OfferOutcome } from '../../ports/softphones.ts';
import type { Services } from '../services.ts';
import { isoTime } from '../views/agentStateView.ts';
import type { CallReferences } from './newCall.ts';

/** How long a softphone may take to acknowledge; nothing is shown any more after that. Milliseconds. */
export const acknowledgeWithinMs = 2_000;

export type Claimed = Presence & { claimId: ClaimId; callId: CallId };
export type OfferedDial = { phone: PhoneNumber; pop: ComposedPop; references: CallReferences };

type Needs = Pick<Services, 'presence' | 'softphones' | 'agentCard' | 'observer' | 'newId'>;

/**
 * Offers a claimed agent's softphone the dial and confirms the claim when it acknowledges; takes the offer back
 * and releases the agent when it does not. Exactly one of the two happens, whoever else acts on the claim.
 * @param remainingMs what is left of the request's time
 */
export async function offerDial(
  services: Needs,
  claimed: Claimed,
  dial: OfferedDial,
  remainingMs: number,
): Promise<{ kind: 'confirmed'; presence: Presence } | { kind: 'failed' }> {
  const timeoutMs = Math.min(acknowledgeWithinMs, Math.max(0, remainingMs));
  const { pop, offer } = messages(services, claimed, dial, timeoutMs);
  const outcome = await services.softphones.offer(claimed, pop, offer, timeoutMs);
  services.observer.offer(outcome.kind);
  if (outcome.kind === 'acknowledged' && claimed.sessionId !== null) {
    const confirm = { type: 'confirm', claimId: claimed.claimId, sessionId: claimed.sessionId } as const;
    const confirmed = await changePresence(services, claimed.companyId, claimed.agentId, confirm, claimed);
    if (confirmed.kind === 'changed') return { kind: 'confirmed', presence: confirmed.after };
  }
  await rescindOffer(services, claimed, outcome.kind);
  return { kind: 'failed' };
}

/**
 * Takes the offer off the screen and releases the agent: as Not Ready, except where the agent's gateway does not
 * answer. That one counts as a lost connection, which keeps the state for the softphone's return.
 */
async function rescindOffer(services: Needs, claimed: Claimed, outcome: OfferOutcome['kind']): Promise<void> {
  const { companyId, agentId, claimId, callId } = claimed;
  const reason = outcome === 'declined' ? 'rejected' : 'delivery_failed';
  services.softphones.rescind(claimed, { call_id: callId, claim_id: claimId, reason });
  const release =
    outcome === 'unreachable'
      ? ({ type: 'strand_offer', claimId } as const)
      : ({ type: 'fail_offer', claimId, reason } as const);
  await changePresence(services, companyId, agentId, release);
}

function messages(
  { newId, presence }: Pick<Services, 'newId' | 'presence'>,
  claimed: Claimed,
  { phone, pop, references }: OfferedDial,
  timeoutMs: number,
): { pop: CrmScreenPop; offer: ClickToDialOffer } {
  const about = {
    call_id: claimed.callId,
    claim_id: claimed.claimId,
    phone_number: phone,
    ...(references.contactId === null ? {} : { contact_id: references.contactId }),
    ...(references.externalId === null ? {} : { external_id: references.externalId }),
    ...(references.campaignId === null ? {} : { campaign_id: references.campaignId }),
    ...(references.metadata === null ? {} : { metadata: references.metadata }),
    // A softphone that hears of it after the offer was given up shows nothing.
    expires_at: isoTime(Math.min(claimed.expiresAt ?? 0, presence.now() + timeoutMs)),
  };
  return {
    offer: about,
    pop: {
      pop_id: newId(),
      trigger: 'click_to_dial',
      direction: 'outbound',
      found: pop.found,
      screen_pop: pop.screenPop,
      ...about,
    },
  };
}
