import type { ClickToDialOffer, CrmScreenPop } from '../../../contract/socket.ts';
import type { CallId, ClaimId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phoneNumbers.ts';
import type { Presence } from '../../../domain/presence.ts';
import { changePresence } from '../../agents/changePresence.ts';
import type { ComposedPop } from '../../screenPops/lookUp.ts';
import type { OfferOutcome } from '../../../ports/softphones.ts';
import type { Services } from '../../services.ts';
import { isoTime } from '../../views/agentStateView.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import { exactTexts, plainScreenPop } from '../../views/screenPopView.ts';
import type { CallReferences } from '../lifecycle/newCall.ts';

/** How long a softphone may take to acknowledge; nothing is shown any more after that. Milliseconds. */
export const acknowledgeWithinMs = 2_000;

export type Claimed = Presence & { claimId: ClaimId; callId: CallId };
export type OfferedDial = { phone: PhoneNumber; pop: ComposedPop; references: CallReferences };

type Needs = Pick<Services, 'agentCard' | 'clock' | 'newId' | 'observer' | 'presence' | 'retries' | 'softphones'>;

/**
 * Offers a claimed agent's softphone the dial and confirms the claim when it acknowledges; takes the offer back
 * and releases the agent when it does not. Exactly one of the two happens, whoever else acts on the claim.
 * @param deadline when the request is to be decided, in milliseconds since the epoch
 * @returns `failed`: the agent is released, or is as soon as the store answers; `undecided`: the store did not say by the
 * deadline whether the agent was confirmed, and the caller gives the claim back
 */
export async function offerDial(
  services: Needs,
  claimed: Claimed,
  dial: OfferedDial,
  deadline: number,
): Promise<'confirmed' | 'failed' | 'undecided'> {
  const { clock, softphones } = services;
  const timeoutMs = Math.min(acknowledgeWithinMs, Math.max(0, deadline - clock.now()));
  const { pop, offer } = messages(services, claimed, dial, timeoutMs);
  const asked = withDeadline(clock, deadline, softphones.offer(claimed, pop, offer, timeoutMs));
  const outcome: OfferOutcome['kind'] = (await asked)?.kind ?? 'undelivered';
  services.observer.offer(outcome);
  if (outcome === 'acknowledged' && claimed.sessionId !== null) {
    const confirm = { type: 'confirm', claimId: claimed.claimId, sessionId: claimed.sessionId } as const;
    const confirming = changePresence(services, claimed.companyId, claimed.agentId, confirm, claimed);
    const confirmed = await withDeadline(clock, deadline, confirming);
    if (confirmed === null) return 'undecided';
    if (confirmed.kind === 'changed') return 'confirmed';
  }
  await withDeadline(clock, deadline, rescindOffer(services, claimed, outcome));
  return 'failed';
}

/**
 * Takes the offer off the screen and releases the agent: as Not Ready, except where the agent's gateway does not
 * answer. That one counts as a lost connection, which keeps the state for the softphone's return. Never rejects.
 */
async function rescindOffer(services: Needs, claimed: Claimed, outcome: OfferOutcome['kind']): Promise<void> {
  const { companyId, agentId, claimId, callId } = claimed;
  const reason = outcome === 'declined' ? 'rejected' : 'delivery_failed';
  services.softphones.rescind(claimed, { call_id: callId, claim_id: claimId, reason });
  const release =
    outcome === 'unreachable'
      ? ({ type: 'offer_unreachable', claimId } as const)
      : ({ type: 'fail_offer', claimId, reason } as const);
  await retryUntilSuccess(services, 'an agent could not be released from an offer', () =>
    changePresence(services, companyId, agentId, release),
  );
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
    ...(references.metadata === null ? {} : { metadata: references.metadata.plain() }),
    // A softphone that hears of it after the offer was given up shows nothing.
    expires_at: isoTime(Math.min(claimed.expiresAt ?? 0, presence.now() + timeoutMs)),
  };
  return {
    offer: { ...about, ...exactTexts(null, references.metadata) },
    pop: {
      pop_id: newId(),
      trigger: 'click_to_dial',
      direction: 'outbound',
      found: pop.found,
      screen_pop: plainScreenPop(pop.screenPop),
      ...about,
      ...exactTexts(pop.screenPop, references.metadata),
    },
  };
}
