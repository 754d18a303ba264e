import type { ClickToDialOffer, CrmScreenPop } from '../../contract/socket.ts';
import type { CallId, ClaimId } from '../../domain/ids.ts';
import type { PhoneNumber } from '../../domain/phoneNumbers.ts';
import type { Presence } from '../../domain/presence.ts';
import { changePresence } from '../agents/changePresence.ts';
import type { ComposedPop } from '../screenPops/composeScreenPop.ts';
import type { Services } from '../services.ts';
import { isoTime } from '../views/agentStateView.ts';
import type { CallReferences } from './newCall.ts';

/** How long a softphone may take to acknowledge. */
const acknowledgeWithinMs = 2_000;

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
  const { pop, offer } = messages(services, claimed, dial);
  const timeoutMs = Math.min(acknowledgeWithinMs, Math.max(0, remainingMs));
  const outcome = await services.softphones.offer(claimed, pop, offer, timeoutMs);
  services.observer.offer(outcome.kind);
  if (outcome.kind === 'acknowledged' && claimed.sessionId !== null) {
    const confirm = { type: 'confirm', claimId: claimed.claimId, sessionId: claimed.sessionId } as const;
    const confirmed = await changePresence(services, claimed.companyId, claimed.agentId, confirm, claimed);
    if (confirmed.kind === 'changed') return { kind: 'confirmed', presence: confirmed.after };
  }
  await rescindOffer(services, claimed, outcome.kind === 'declined' ? 'rejected' : 'delivery_failed');
  return { kind: 'failed' };
}

/** Releases a claimed agent as Not Ready and takes the offer off the screen. */
async function rescindOffer(
  services: Needs,
  claimed: Claimed,
  reason: 'delivery_failed' | 'rejected',
): Promise<void> {
  const { companyId, agentId, claimId, callId } = claimed;
  services.softphones.rescind(companyId, agentId, { call_id: callId, claim_id: claimId, reason });
  await changePresence(services, companyId, agentId, { type: 'fail_offer', claimId, reason });
}

function messages(
  { newId }: Pick<Services, 'newId'>,
  claimed: Claimed,
  { phone, pop, references }: OfferedDial,
): { pop: CrmScreenPop; offer: ClickToDialOffer } {
  const about = {
    call_id: claimed.callId,
    claim_id: claimed.claimId,
    phone_number: phone,
    ...(references.contactId === null ? {} : { contact_id: references.contactId }),
    ...(references.externalId === null ? {} : { external_id: references.externalId }),
    ...(references.campaignId === null ? {} : { campaign_id: references.campaignId }),
    ...(references.metadata === null ? {} : { metadata: references.metadata }),
    expires_at: isoTime(claimed.expiresAt ?? 0),
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
