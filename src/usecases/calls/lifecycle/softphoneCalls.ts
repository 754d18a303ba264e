import { callerName, callerText } from '../../../contract/callRules.ts';
import type { Direction, Trigger } from '../../../contract/vocabulary.ts';
import type { Call, OtherEnd } from '../../../domain/calls.ts';
import { type AgentId, type CallId, type ClaimId, type CompanyId, type Lease, toId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../../domain/outcome.ts';
import type { Principal } from '../../../domain/access.ts';
import type { DoNotCallOverride } from '../../../ports/calls.ts';
import type { ContactScope } from '../../../ports/contacts.ts';
import { changePresence, type PresenceChange, refusedChange } from '../../agents/changePresence.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import type { ChosenNeeds } from '../../screenPops/chooseRecord.ts';
import { completeScreenPop } from '../../screenPops/completeScreenPop.ts';
import { type ComposedPop, composeScreenPop, readEnd, readPhone } from '../../screenPops/lookUp.ts';
import type { CallServices, Services } from '../../services.ts';
import { callView } from '../../views/callView.ts';
import { releaseAgent } from '../click/dialFate.ts';
import { scopeOf } from '../../contacts/contactScope.ts';
import { readCallerId, usualCallerId } from '../../dialing/callerId.ts';
import { mayDialNumber } from '../../dialing/mayDialNumber.ts';
import { recordCall } from '../click/recordCall.ts';
import { endUndialed } from '../repair/endAbandonedCall.ts';
import { callPop } from './callPop.ts';
import { addEvents } from './changeCall.ts';
import { newCall, referencesOf } from './newCall.ts';

/** How long a softphone waits for its call to be recorded. Milliseconds. */
const recordWithinMs = 5_000;

type Needs = CallServices &
  ChosenNeeds &
  Pick<Services, 'contacts' | 'crmLookup' | 'doNotDial' | 'ledAgents' | 'screenPops'>;
type Caller = { companyId: CompanyId; agentId: AgentId; lease: Lease };
export type StartedCall = { call: Call; pop: ComposedPop };

/** Who dials by hand, and what it says of the call. `contactId`: whom of the built-in CRM it is with, or null. */
export type AskedDial = {
  principal: Principal;
  isOverridden: boolean;
  contactId: string | null;
  /** By which of the company's numbers; missing: by the agent's. */
  callerId: string | undefined;
};

/** The agent dials by hand: Ready or Not Ready becomes on_call, and the customer's record pops. */
export async function startCall(
  services: Needs,
  caller: Caller,
  phoneInput: string,
  asked: AskedDial,
): Promise<Outcome<StartedCall>> {
  return begin(services, caller, phoneInput, { direction: 'outbound', trigger: 'manual_dial', asked }, (callId) =>
    changePresence(services, caller.companyId, caller.agentId, { type: 'dial_by_hand', callId, lease: caller.lease }),
  );
}

/**
 * The softphone rings (inbound ring enrichment): the agent is reserved, or stays on the call that it is on, and the
 * customer's record pops.
 */
export async function incomingCall(
  services: Needs,
  caller: Caller,
  { phone_number: phoneInput, ...ring }: Ring,
): Promise<Outcome<StartedCall>> {
  const origin = { direction: 'inbound', trigger: 'inbound_ring', ring } as const;
  const { call_waiting: takesSecond } = (await services.companyOf(caller.companyId)).settings;
  return begin(services, caller, phoneInput, origin, (callId) => {
    const claimId = toId<ClaimId>(services.newId());
    const ring = { type: 'ring', callId, claimId, lease: caller.lease, takesSecond } as const;
    return changePresence(services, caller.companyId, caller.agentId, ring);
  });
}

/** What the telephone network told of a call that comes in, as the softphone passes it on. */
export type Ring = {
  phone_number: string;
  display_name?: string | undefined;
  sip_call_id?: string | undefined;
  dialed_number?: string | undefined;
  queue?: string | undefined;
};

type Origin =
  | { direction: Direction & 'outbound'; trigger: Trigger; asked: AskedDial; ring?: undefined }
  | { direction: Direction & 'inbound'; trigger: Trigger; asked?: undefined; ring: Omit<Ring, 'phone_number'> };

async function begin(
  services: Needs,
  { companyId, agentId }: Caller,
  phoneInput: string,
  origin: Origin,
  takeAgent: (callId: CallId) => Promise<PresenceChange>,
): Promise<Outcome<StartedCall>> {
  const parsed = await readPhone(
    services,
    companyId,
    phoneInput,
    origin.direction === 'inbound' ? 'network' : 'people',
  );
  // A caller without a number is recorded too; dialing needs a number.
  if (parsed.kind === 'refused' && origin.direction === 'outbound') return parsed;
  const other: OtherEnd =
    parsed.kind === 'ok' ? { phone: parsed.value, caller: null } : { phone: null, caller: callerText(phoneInput) };
  const named = await namedBy(services, origin);
  const allowed =
    origin.direction === 'outbound' && other.phone !== null
      ? await mayDialNumber(services, { ...origin.asked, phone: other.phone, named })
      : ok(null);
  if (allowed.kind === 'refused') return allowed;
  const callerId = await callerIdOf(services, { companyId, agentId }, origin);
  if (callerId.kind === 'refused') return callerId;
  const dialedNumber = await readEnd(services, companyId, origin.ring?.dialed_number, 'network');
  const name = callerName(origin.ring?.display_name);
  const networkName = name === null ? {} : { name };
  const known: ComposedPop =
    other.phone === null
      ? { found: false, screenPop: {} }
      : await composeScreenPop(services, companyId, other.phone, {}, { contact: named, externalId: null });
  // The network's display name serves only where the CRM has no name.
  const pop = { ...known, screenPop: { ...networkName, ...known.screenPop } };
  const callId = toId<CallId>(services.newId());
  const taken = await takeAgent(callId).catch(async (error: unknown) => {
    // It may have happened, with the answer lost.
    void release(services, { companyId, agentId, callId });
    throw error;
  });
  if (taken.kind !== 'changed') return refusedChange(taken, 'start a call');
  const about = {
    companyId,
    agentId,
    callId,
    ...other,
    dialedNumber,
    callerId: callerId.value,
    pop,
    origin,
    override: allowed.value,
    first: taken.after.second?.callId === callId ? taken.after.callId : null,
  };
  const recording = record(services, about);
  services.dialsUnderWay.set(callId, recording);
  const call = await recording.finally(() => services.dialsUnderWay.delete(callId));
  if (call === 'unknown') {
    return refuse('outcome_unknown', 'The database went away, so the call was not made.', { retryAfterSeconds: 5 });
  }
  if (call === null) {
    return refuse('dependency_unavailable', 'The call could not be recorded.', { retryAfterSeconds: 5 });
  }
  services.softphones.pop(companyId, agentId, callPop(services, call, pop));
  // The page may not get this answer, and the agent must not stay on a call that the page does not know.
  services.softphones.callChanged(companyId, agentId, callView(call));
  void completeScreenPop(services, call, pop);
  return ok({ call, pop });
}

/** The contact that the agent names, and which contacts it sees; null: none. */
async function namedBy(services: Needs, origin: Origin): Promise<{ id: string; scope: ContactScope } | null> {
  if (origin.direction === 'inbound' || origin.asked.contactId === null) return null;
  return { id: origin.asked.contactId, scope: await scopeOf(services, origin.asked.principal) };
}

/** The number that the customer is to see of a call that goes out; null: as the PBX has it. */
async function callerIdOf(
  services: Needs,
  { companyId, agentId }: Pick<Caller, 'companyId' | 'agentId'>,
  origin: Origin,
): Promise<Outcome<string | null>> {
  if (origin.direction === 'inbound') return ok(null);
  const asked = await readCallerId(services, companyId, origin.asked.callerId);
  return asked.kind === 'ok' && asked.value === null ? ok(await usualCallerId(services, companyId, agentId)) : asked;
}

type NewSoftphoneCall = OtherEnd & {
  companyId: CompanyId;
  agentId: AgentId;
  callId: CallId;
  dialedNumber: string | null;
  callerId: string | null;
  pop: ComposedPop;
  origin: Origin;
  override: DoNotCallOverride | null;
  /** The call that this one is a second one beside; null: none. */
  first: CallId | null;
};

/** Null: not recorded; `unknown`: perhaps. The agent is released either way, and what was recorded is ended. */
async function record(services: Needs, about: NewSoftphoneCall): Promise<Call | 'unknown' | null> {
  const { companyId, agentId, callId, origin } = about;
  const by = services.clock.now() + recordWithinMs;
  let made: Awaited<ReturnType<typeof recordCall>> | null = null;
  try {
    const [company, agent] = await Promise.all([services.companyOf(companyId), services.agentCard(companyId, agentId)]);
    const at = new Date(services.clock.now());
    const { direction, trigger } = origin;
    const screenPop = about.pop.screenPop;
    const references = referencesOf({ contact_id: origin.asked?.contactId ?? undefined });
    const call = newCall(
      {
        id: callId,
        companyId,
        agentId,
        direction,
        trigger,
        phone: about.phone,
        caller: about.caller,
        sipCallId: origin.ring?.sip_call_id,
        dialedNumber: about.dialedNumber,
        queue: origin.ring?.queue ?? null,
        callerId: about.callerId,
        screenPop,
        at,
        overrideBy: about.override?.by ?? null,
        slot: await freeSlot(services, companyId, about.first),
      },
      references,
    );
    const started = addEvents(services, call, ['call_started'], { company, agent, at });
    made = await recordCall(services, { ...started, override: about.override }, by);
    if (made === 'recorded') {
      services.wakeDispatcher(companyId);
      return started.call;
    }
  } catch (error) {
    services.observer.problem('a call of a softphone could not be recorded', error);
  }
  const releasing = made === 'unknown' ? endIfRecorded(services, about) : release(services, about);
  if (made === 'unknown') return 'unknown';
  await withDeadline(services.clock, by, releasing);
  return null;
}

/**
 * Where a call has its place beside the first one, which is a second one that stayed, where it has the second place.
 */
async function freeSlot(services: Needs, companyId: CompanyId, first: CallId | null): Promise<Call['slot']> {
  if (first === null) return 0;
  const recalled = services.calls.recall(companyId, first);
  if (recalled !== null) return recalled.slot === 0 ? 1 : 0;
  const found = await services.calls.find(companyId, first);
  return found.kind === 'found' && found.value.slot === 1 ? 0 : 1;
}

type Taken = Pick<NewSoftphoneCall, 'companyId' | 'agentId' | 'callId'>;

/** From a call that is not, and never will be, recorded. Never rejects. */
async function release(services: Needs, { companyId, agentId, callId }: Taken): Promise<void> {
  await retryUntilSuccess(services, 'an agent could not be released from a call that was not recorded', () =>
    releaseAgent(services, { companyId, agentId, callId }),
  );
}

/** Ends the call if it was recorded after all: the softphone was told that there is none. Never rejects. */
async function endIfRecorded(services: Needs, { companyId, agentId, callId }: Taken): Promise<void> {
  await retryUntilSuccess(services, 'what became of a call of a softphone could not be found out', () =>
    endUndialed(services, { companyId, agentId, callId }),
  );
}
