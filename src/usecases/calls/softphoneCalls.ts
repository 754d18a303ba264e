import type { CrmScreenPop } from '../../contract/socket.ts';
import type { Direction, Trigger } from '../../contract/vocabulary.ts';
import type { Call } from '../../domain/calls.ts';
import { toId, type AgentId, type CallId, type ClaimId, type CompanyId, type Lease } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { PhoneNumber } from '../../domain/phoneNumbers.ts';
import { ringTtlMs, type Presence } from '../../domain/presence.ts';
import { changePresence, type PresenceChange } from '../agents/changePresence.ts';
import { refusedChange } from '../agents/refusedChange.ts';
import { composeScreenPop, type ComposedPop } from '../screenPops/composeScreenPop.ts';
import { readPhone } from '../screenPops/lookUp.ts';
import { insist } from '../insist.ts';
import type { Services } from '../services.ts';
import { isoTime } from '../views/agentStateView.ts';
import { callView } from '../views/callView.ts';
import { addEvent } from './callEvents.ts';
import type { CallServices } from './callServices.ts';
import { newCall } from './newCall.ts';
import { recordCall, undoRecord } from './recordCall.ts';

type Needs = CallServices & Pick<Services, 'screenPops'>;
type Caller = { companyId: CompanyId; agentId: AgentId; lease: Lease };
export type StartedCall = { call: Call; pop: ComposedPop };

/** The agent dials by hand: Ready or Not Ready becomes on_call, and the customer's record pops. */
export async function startCall(services: Needs, caller: Caller, phoneInput: string): Promise<Outcome<StartedCall>> {
  return begin(services, caller, phoneInput, { direction: 'outbound', trigger: 'manual_dial' }, (callId) =>
    changePresence(services, caller.companyId, caller.agentId, { type: 'dial_by_hand', callId, lease: caller.lease }),
  );
}

/** The softphone rings (inbound ring enrichment): the agent is reserved, and the customer's record pops. */
export async function incomingCall(
  services: Needs,
  caller: Caller,
  phoneInput: string,
  displayName: string | undefined,
): Promise<Outcome<StartedCall>> {
  const origin = { direction: 'inbound', trigger: 'inbound_ring', displayName } as const;
  return begin(services, caller, phoneInput, origin, (callId) => {
    const claimId = toId<ClaimId>(services.newId());
    const ring = { type: 'ring', callId, claimId, lease: caller.lease } as const;
    return changePresence(services, caller.companyId, caller.agentId, ring);
  });
}

type Origin = { direction: Direction; trigger: Trigger; displayName?: string | undefined };

async function begin(
  services: Needs,
  { companyId, agentId }: Caller,
  phoneInput: string,
  origin: Origin,
  takeAgent: (callId: CallId) => Promise<PresenceChange>,
): Promise<Outcome<StartedCall>> {
  const phone = await readPhone(services, companyId, phoneInput);
  if (phone.kind === 'refused') return phone;
  const callerId = origin.displayName === undefined ? {} : { name: origin.displayName };
  const known = await composeScreenPop(services, companyId, phone.value);
  // The network's display name serves only where the CRM has no name.
  const pop = { ...known, screenPop: { ...callerId, ...known.screenPop } };
  const callId = toId<CallId>(services.newId());
  const taken = await takeAgent(callId).catch(async (error: unknown) => {
    // It may have happened, though the answer was lost.
    await release(services, { companyId, agentId, callId, origin });
    throw error;
  });
  if (taken.kind !== 'changed') return refusedChange(taken, 'start a call');
  const about = { companyId, agentId, callId, phone: phone.value, pop, origin };
  const recording = record(services, about, taken.after);
  services.dialsUnderWay.set(callId, recording);
  const call = await recording.finally(() => services.dialsUnderWay.delete(callId));
  if (call === null) {
    return refuse('dependency_unavailable', 'The call could not be recorded.', { retryAfterSeconds: 5 });
  }
  services.softphones.pop(companyId, agentId, popOf(services, call, pop));
  // Whoever asked may not get the answer; the agent must not stay on a call that the page does not know.
  services.softphones.callChanged(companyId, agentId, callView(call));
  return ok({ call, pop });
}

type NewSoftphoneCall = {
  companyId: CompanyId;
  agentId: AgentId;
  callId: CallId;
  phone: PhoneNumber;
  pop: ComposedPop;
  origin: Origin;
};

/** Null: not recorded, and the agent is released. */
async function record(services: Needs, about: NewSoftphoneCall, taken: Presence): Promise<Call | null> {
  const { companyId, agentId, callId, origin } = about;
  try {
    const [settings, agent] = await Promise.all([
      services.settings(companyId),
      services.agentCard(companyId, agentId),
    ]);
    const at = new Date(services.clock.now());
    const { direction, trigger } = origin;
    const screenPop = about.pop.screenPop;
    const call = newCall({ id: callId, companyId, agentId, direction, trigger, phone: about.phone, screenPop, at });
    const started = addEvent(services, call, 'call_started', { settings, agent, at });
    if ((await recordCall(services, taken, { call: started.call, events: [started.event] })) === 'recorded') {
      services.wakeDispatcher();
      return started.call;
    }
  } catch (error) {
    services.observer.problem('a call of a softphone could not be recorded', error);
  }
  await release(services, about);
  return null;
}

async function release(
  services: Needs,
  { companyId, agentId, callId, origin }: Pick<NewSoftphoneCall, 'companyId' | 'agentId' | 'callId' | 'origin'>,
): Promise<void> {
  const type = origin.direction === 'inbound' ? 'cancel' : 'drop_unrecorded';
  await insist(services, 'an agent could not be released from a call that was not recorded', async () => {
    await changePresence(services, companyId, agentId, { type, callId });
    // Whoever found a record meanwhile has kept the agent on it; the softphone is told that there is no call.
    await undoRecord(services, { call: { companyId, agentId, id: callId } });
  });
}

function popOf({ newId, presence }: Pick<Services, 'newId' | 'presence'>, call: Call, pop: ComposedPop): CrmScreenPop {
  return {
    pop_id: newId(),
    call_id: call.id,
    trigger: call.trigger,
    direction: call.direction,
    phone_number: call.phone,
    found: pop.found,
    screen_pop: pop.screenPop,
    expires_at: isoTime(presence.now() + ringTtlMs),
  };
}
