import type { ClickToDialAnswer } from '../../contract/clickToDial.ts';
import type { Call } from '../../domain/calls.ts';
import type { Presence } from '../../domain/presence.ts';
import { changePresence } from '../agents/changePresence.ts';
import type { RememberedAnswer } from '../../ports/calls.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import { callView } from '../views/callView.ts';
import { addEvent } from './callEvents.ts';
import { rememberForMs } from './idempotency.ts';
import { newCall } from './newCall.ts';
import type { Claimed, OfferedDial } from './offerDial.ts';

type Needs = Pick<
  Services,
  'calls' | 'settings' | 'agentCard' | 'clock' | 'newId' | 'presence' | 'softphones' | 'observer' | 'wakeDispatcher'
>;

export type RecordedDial = { kind: 'recorded'; answer: ClickToDialAnswer } | { kind: 'not_recorded' };

/**
 * Records a confirmed dial, its two events and the answer to remember in one transaction, and only then lets the
 * softphone dial. If the record cannot be made, the agent is released: no dial stays unrecorded, and none is
 * recorded that never was.
 */
export async function recordDial(
  services: Needs,
  claimed: Claimed,
  confirmed: Presence,
  dial: OfferedDial,
  idempotencyKey: string | null,
): Promise<RecordedDial> {
  let written: DescribedDial | null = null;
  try {
    written = await describeDial(services, claimed, dial);
    await services.calls.create(written.call, written.events, remembered(written, idempotencyKey));
  } catch (error) {
    services.observer.problem('a confirmed dial could not be recorded', error);
    if (written === null || !(await isRecorded(services, written.call))) {
      await dropDial(services, claimed, confirmed);
      return { kind: 'not_recorded' };
    }
  }
  services.wakeDispatcher();
  services.softphones.callChanged(claimed.companyId, claimed.agentId, callView(written.call));
  return { kind: 'recorded', answer: written.answer };
}

type DescribedDial = { call: Call; events: OutboxEvent[]; answer: ClickToDialAnswer };

async function describeDial(services: Needs, claimed: Claimed, dial: OfferedDial): Promise<DescribedDial> {
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

function remembered({ call, answer }: DescribedDial, key: string | null): RememberedAnswer | undefined {
  if (key === null) return undefined;
  return { key, status: 201, body: answer, expiresAt: new Date(call.createdAt.getTime() + rememberForMs) };
}

/** A commit whose answer was lost may have happened. */
async function isRecorded(services: Needs, call: Call): Promise<boolean> {
  try {
    return (await services.calls.find(call.companyId, call.id)).kind === 'found';
  } catch {
    // Not to be known: the softphone is told not to dial, and the reaper ends a record that was made after all.
    return false;
  }
}

async function dropDial(services: Needs, claimed: Claimed, confirmed: Presence) {
  const { companyId, agentId, claimId, callId } = claimed;
  services.softphones.rescind(claimed, { call_id: callId, claim_id: claimId, reason: 'not_recorded' });
  await changePresence(services, companyId, agentId, { type: 'drop_unrecorded', callId }, confirmed);
  services.observer.repaired('unrecorded_dial');
}
