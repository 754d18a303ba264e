import type { ClickToDialAnswer } from '../../contract/clickToDial.ts';
import type { Call } from '../../domain/calls.ts';
import type { Presence } from '../../domain/presence.ts';
import { changePresence } from '../agents/changePresence.ts';
import type { RememberedAnswer } from '../../ports/calls.ts';
import type { ClaimedKey } from '../../ports/idempotency.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import { callView } from '../views/callView.ts';
import { addEvent } from './callEvents.ts';
import type { CallServices } from './callServices.ts';
import { doneBy } from './doneBy.ts';
import { rememberForMs } from './idempotency.ts';
import { newCall } from './newCall.ts';
import type { Claimed, OfferedDial } from './offerDial.ts';
import { recordCall } from './recordCall.ts';

/** How long after the click's deadline the record may still come. */
const graceMs = 1_000;

export type RecordedDial = { kind: 'recorded'; answer: ClickToDialAnswer } | { kind: 'not_recorded' };
type ConfirmedDial = {
  dial: OfferedDial;
  /** Remembered with the answer. */
  key: ClaimedKey | null;
  /** When the click is to be answered, in milliseconds since the epoch. */
  deadline: number;
};

/**
 * Records a confirmed dial, its two events and the answer to remember in one transaction, and only then lets the
 * softphone dial. If the record is not made in time, the agent is released, and a record that comes later is ended:
 * no dial stays unrecorded, and none is made that the click was not told of.
 */
export async function recordDial(
  services: CallServices,
  claimed: Claimed,
  confirmed: Presence,
  { dial, key, deadline }: ConfirmedDial,
): Promise<RecordedDial> {
  const attempt: Attempt = { isWanted: true, described: null };
  const recording = record(services, claimed, confirmed, dial, key, attempt);
  const giveUp = () => (attempt.isWanted = false);
  const outcome = (await doneBy(services.clock, deadline + graceMs, recording, giveUp)) ?? 'not_recorded';
  if (outcome === 'not_recorded' && (await dropDial(services, claimed, confirmed)) === 'released') {
    return { kind: 'not_recorded' };
  }
  // Recorded; or somebody has found the record and vouched for it before its answer came here.
  const { described } = attempt;
  if (described === null) throw new Error('what is recorded was described before');
  services.wakeDispatcher();
  services.softphones.callChanged(claimed.companyId, claimed.agentId, callView(described.call));
  return { kind: 'recorded', answer: described.answer };
}

type Attempt = {
  /** Whether the click still waits for the record. */
  isWanted: boolean;
  /** What is to be recorded, as soon as that is known. */
  described: DescribedDial | null;
};

/** Never rejects, since nobody may listen any more. */
async function record(
  services: CallServices,
  claimed: Claimed,
  confirmed: Presence,
  dial: OfferedDial,
  key: ClaimedKey | null,
  attempt: Attempt,
): Promise<'recorded' | 'not_recorded'> {
  try {
    const described = await describeDial(services, claimed, dial);
    attempt.described = described;
    const { call, events } = described;
    const remember = remembered(described, key);
    return await recordCall(services, confirmed, { call, events, remember }, () => attempt.isWanted);
  } catch (error) {
    services.observer.problem('a confirmed dial could not be recorded', error);
    return 'not_recorded';
  }
}

type DescribedDial = { call: Call; events: OutboxEvent[]; answer: ClickToDialAnswer };

async function describeDial(services: CallServices, claimed: Claimed, dial: OfferedDial): Promise<DescribedDial> {
  const { companyId, agentId, callId: id } = claimed;
  const [settings, agent] = await Promise.all([
    services.settings(companyId),
    services.agentCard(companyId, agentId),
  ]);
  const at = new Date(services.clock.now());
  const screenPop = dial.pop.screenPop;
  const origin = { id, companyId, agentId, phone: dial.phone, screenPop, at } as const;
  const call = newCall({ ...origin, direction: 'outbound', trigger: 'click_to_dial' }, dial.references);
  const clicked = addEvent(services, call, 'cti_click_to_dial', { settings, agent, at });
  const started = addEvent(services, clicked.call, 'call_started', { settings, agent, at });
  const answer: ClickToDialAnswer = {
    call_id: id,
    status: 'dialing',
    phone_number: dial.phone,
    agent: { id: agent.id, agent_code: agent.agentCode, name: agent.name },
    screen_pop: screenPop,
    created_at: at.toISOString(),
  };
  return { call: started.call, events: [clicked.event, started.event], answer };
}

function remembered({ call, answer }: DescribedDial, key: ClaimedKey | null): RememberedAnswer | undefined {
  if (key === null) return undefined;
  return { key, status: 201, body: answer, expiresAt: new Date(call.createdAt.getTime() + rememberForMs) };
}

/** `kept`: the record was found and vouched for, so that its dial is made. */
async function dropDial(services: CallServices, claimed: Claimed, confirmed: Presence): Promise<'released' | 'kept'> {
  const { companyId, agentId, claimId, callId } = claimed;
  const dropped = await changePresence(services, companyId, agentId, { type: 'drop_unrecorded', callId }, confirmed);
  if (dropped.kind === 'unchanged' && dropped.current?.state === 'on_call' && dropped.current.callId === callId) return 'kept';
  services.softphones.rescind(claimed, { call_id: callId, claim_id: claimId, reason: 'not_recorded' });
  services.observer.repaired('unrecorded_dial');
  return 'released';
}
