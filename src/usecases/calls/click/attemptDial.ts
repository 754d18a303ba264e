import type { ClickToDialAnswer } from '../../../contract/clickToDial.ts';
import type { ClickToDialOffer, CrmScreenPop } from '../../../contract/socket.ts';
import type { Call } from '../../../domain/calls.ts';
import type { PhoneNumber } from '../../../domain/phones/phoneNumbers.ts';
import type { DoNotCallOverride, HeldKey } from '../../../ports/calls.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import { changePresence } from '../../agents/changePresence.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import { usualCallerId } from '../../dialing/callerId.ts';
import type { ComposedPop } from '../../screenPops/lookUp.ts';
import type { CallServices, Services } from '../../services.ts';
import { isoTime } from '../../views/agentViews.ts';
import { exactTexts, plainScreenPop, writtenScreenPop } from '../../views/callView.ts';
import { addEvents } from '../lifecycle/changeCall.ts';
import { type CallReferences, newCall } from '../lifecycle/newCall.ts';
import type { EndingOf } from './dialEndings.ts';
import type { Claimed } from './dialFate.ts';
import { rememberForMs } from '../../concurrency/idempotencyKey.ts';
import { recordCall } from './recordCall.ts';

/** How long after the click's deadline the record may still come. The click is answered 0.4 s later at the latest. */
const recordGraceMs = 600;

/** `otherwise`: as which number the digits could be read as well; null: as none. */
export type OfferedDial = {
  phone: PhoneNumber;
  otherwise: PhoneNumber | null;
  /** By which number; null: the agent's usual one. */
  callerId: PhoneNumber | null;
  pop: ComposedPop;
  references: CallReferences;
  override: DoNotCallOverride | null;
};

type Attempt = {
  offered: OfferedDial;
  /** The Idempotency-Key under which the answer is stored. */
  key: HeldKey | null;
  /** Until when the softphone may acknowledge; nothing is shown any more after that. */
  acknowledgeBy: number;
  /** When the click is to be answered. Both in milliseconds since the epoch. */
  deadline: number;
};

export type AttemptedDial =
  | { ending: 'recorded'; call: Call; answer: ClickToDialAnswer }
  /** `error`: a store failed; only where nothing was sent to be recorded. */
  | { ending: Exclude<EndingOf<'offer' | 'confirm' | 'record'>, 'recorded'>; error?: Error };

/**
 * One attempt at a claimed agent: offers the dial to the softphone, confirms the claim when that acknowledges, and
 * records the call with its two events and the answer to remember in one transaction. The first step that fails names
 * the ending; whoever asked brings it about. Never rejects.
 */
export async function attemptDial(
  services: CallServices & Pick<Services, 'ledAgents'>,
  claimed: Claimed,
  attempt: Attempt,
): Promise<AttemptedDial> {
  const { clock, observer, softphones } = services;
  const { offered, key, acknowledgeBy, deadline } = attempt;
  let failed: 'unconfirmed' | 'not_sent' = 'unconfirmed';
  try {
    const seen = await withDeadline(clock, acknowledgeBy, callerIdOf(services, claimed, offered));
    if (seen === null) return { ending: 'unconfirmed' };
    const { callerId } = seen;
    const timeoutMs = Math.max(0, acknowledgeBy - clock.now());
    const { pop, offer } = offerMessages(services, claimed, offered, callerId, timeoutMs);
    const shown = await withDeadline(clock, deadline, softphones.offer(claimed, pop, offer, timeoutMs));
    const outcome = shown?.kind ?? 'unreachable';
    observer.offer(outcome);
    if (outcome !== 'acknowledged') return { ending: outcome };
    if (claimed.sessionId === null) return { ending: 'overtaken' };

    const confirm = { type: 'confirm', claimId: claimed.claimId, sessionId: claimed.sessionId } as const;
    const confirming = changePresence(services, claimed.companyId, claimed.agentId, confirm, claimed);
    const confirmed = await withDeadline(clock, deadline, confirming);
    if (confirmed === null) return { ending: 'unconfirmed' };
    if (confirmed.kind !== 'changed') return { ending: 'overtaken' };

    failed = 'not_sent';
    const described = await withDeadline(clock, deadline, describeDial(services, claimed, offered, callerId));
    if (described === null) return { ending: 'not_sent' };
    const { call, events, answer } = described;
    const expiresAt = new Date(call.createdAt.getTime() + rememberForMs);
    const remember = key === null ? undefined : { key, status: 201, body: answer, expiresAt };
    const ending = await recordCall(
      services,
      { call, events, remember, override: offered.override },
      deadline + recordGraceMs,
    );
    return ending === 'recorded' ? { ending, call, answer } : { ending };
  } catch (error) {
    return { ending: failed, error: error instanceof Error ? error : new Error('a store failed', { cause: error }) };
  }
}

/** By which number the agent is to call; null: whoever dials decides. Who is in a team may have to be looked up. */
async function callerIdOf(
  services: Pick<Services, 'companyOf' | 'ledAgents'>,
  { companyId, agentId }: Claimed,
  { callerId }: OfferedDial,
): Promise<{ callerId: string | null }> {
  return { callerId: callerId ?? (await usualCallerId(services, companyId, agentId)) };
}

function offerMessages(
  { newId, presence }: Pick<Services, 'newId' | 'presence'>,
  claimed: Claimed,
  { phone, pop, references }: OfferedDial,
  callerId: string | null,
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
    // A softphone that gets this after the offer was given up shows nothing.
    expires_at: isoTime(Math.min(claimed.expiresAt ?? 0, presence.now() + timeoutMs)),
  };
  return {
    offer: {
      ...about,
      ...(callerId === null ? {} : { caller_id: callerId }),
      ...exactTexts(null, references.metadata),
    },
    pop: {
      pop_id: newId(),
      trigger: 'click_to_dial',
      direction: 'outbound',
      found: pop.found,
      screen_pop: plainScreenPop(pop.screenPop),
      ...about,
      ...exactTexts(pop.screenPop, references.metadata),
      ...(pop.isLookingUp === true ? { looking_up: true } : {}),
    },
  };
}

type DescribedDial = { call: Call; events: OutboxEvent[]; answer: ClickToDialAnswer };

/**
 * The call that a dial becomes, with its events, and the click's answer.
 * @param callerId the number that the customer is to see; null: whoever dials decides
 */
export async function describeDial(
  services: CallServices,
  claimed: Claimed,
  dial: OfferedDial,
  callerId: string | null = null,
): Promise<DescribedDial> {
  const { companyId, agentId, callId: id } = claimed;
  const [company, agent] = await Promise.all([services.companyOf(companyId), services.agentCard(companyId, agentId)]);
  const at = new Date(services.clock.now());
  const screenPop = dial.pop.screenPop;
  const origin = {
    id,
    companyId,
    agentId,
    phone: dial.phone,
    callerId,
    screenPop,
    at,
    overrideBy: dial.override?.by ?? null,
  } as const;
  const call = newCall({ ...origin, direction: 'outbound', trigger: 'click_to_dial' }, dial.references);
  const announced = addEvents(services, call, ['cti_click_to_dial', 'call_started'], { company, agent, at });
  const answer: ClickToDialAnswer = {
    call_id: id,
    status: 'dialing',
    phone_number: dial.phone,
    ...(dial.otherwise === null ? {} : { read_otherwise: dial.otherwise }),
    agent: { id: agent.id, agent_code: agent.agentCode, name: agent.name },
    screen_pop: writtenScreenPop(screenPop),
    created_at: at.toISOString(),
  };
  return { ...announced, answer };
}
