import type { ClickToDialAnswer } from '../../../contract/clickToDial.ts';
import type { Call } from '../../../domain/calls.ts';
import type { RememberedAnswer } from '../../../ports/calls.ts';
import type { ClaimedKey } from '../../../ports/idempotency.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import { callView } from '../../views/callView.ts';
import { writtenScreenPop } from '../../views/screenPopView.ts';
import { addEvents } from '../lifecycle/callEvents.ts';
import type { CallServices } from '../../services.ts';
import { awaitCleanup, withDeadline } from '../../concurrency/withDeadline.ts';
import { releaseAgent, settleFate } from './fate.ts';
import { rememberForMs } from './idempotency.ts';
import { newCall } from '../lifecycle/newCall.ts';
import type { Claimed, OfferedDial } from './offerDial.ts';
import { recordCall } from './recordCall.ts';

/** How long after the click's deadline the record may still come. The click is answered 0.4 s later at the latest. */
const graceMs = 600;

/** `not_sent`: nothing was sent to be recorded; the others as `fate.ts` says. */
export type RecordedDial = { kind: 'recorded'; answer: ClickToDialAnswer } | { kind: 'not_sent' | 'ruled_out' | 'unknown' };
type ConfirmedDial = {
  dial: OfferedDial;
  /** CompanyCache with the answer. */
  key: ClaimedKey | null;
  /** When the click is to be answered, in milliseconds since the epoch. */
  deadline: number;
};

/**
 * Records a confirmed dial, its two events and the answer to remember in one transaction, and only then lets the
 * softphone dial. No dial stays unrecorded, and none is made that was ruled out. What is not known in time is settled
 * behind the answer. Rejects only where nothing was sent to be recorded.
 */
export async function recordDial(
  services: CallServices,
  claimed: Claimed,
  { dial, key, deadline }: ConfirmedDial,
): Promise<RecordedDial> {
  const described = await withDeadline(services.clock, deadline, describeDial(services, claimed, dial));
  if (described === null) return { kind: 'not_sent' };
  const { call, events, answer } = described;
  const made = await recordCall(services, { call, events, remember: remembered(described, key) }, deadline + graceMs);
  if (made === 'recorded') {
    orderDial(services, call);
    return { kind: 'recorded', answer };
  }
  const settling = retryUntilSuccess(services, 'what became of a dial could not be settled', () => settleDial(services, claimed));
  // The answer does not wait for a store that is slow.
  if (made === 'ruled_out') await awaitCleanup(services.clock, deadline, settling);
  return { kind: made };
}

/** The softphone may dial from here on. */
function orderDial({ softphones, wakeDispatcher }: CallServices, call: Call): void {
  wakeDispatcher();
  softphones.callChanged(call.companyId, call.agentId, callView(call));
}

async function settleDial(services: CallServices, claimed: Claimed): Promise<void> {
  const settled = await settleFate(services, claimed);
  if (settled.kind === 'recorded') return orderDial(services, settled.call);
  const { callId, claimId } = claimed;
  services.softphones.rescind(claimed, { call_id: callId, claim_id: claimId, reason: 'not_recorded' });
  await releaseAgent(services, claimed);
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
  const announced = addEvents(services, call, ['cti_click_to_dial', 'call_started'], { settings, agent, at });
  const answer: ClickToDialAnswer = {
    call_id: id,
    status: 'dialing',
    phone_number: dial.phone,
    agent: { id: agent.id, agent_code: agent.agentCode, name: agent.name },
    screen_pop: writtenScreenPop(screenPop),
    created_at: at.toISOString(),
  };
  return { ...announced, answer };
}

function remembered({ call, answer }: DescribedDial, key: ClaimedKey | null): RememberedAnswer | undefined {
  if (key === null) return undefined;
  return { key, status: 201, body: answer, expiresAt: new Date(call.createdAt.getTime() + rememberForMs) };
}
