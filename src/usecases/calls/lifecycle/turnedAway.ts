import { callerName, callerText } from '../../../contract/callRules.ts';
import { type Call, reportCall } from '../../../domain/calls.ts';
import { type AgentId, type CallId, type CompanyId, type DeliveryId, type Lease, toId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../../domain/outcome.ts';
import { composeScreenPop, readEnd, readPhone } from '../../screenPops/lookUp.ts';
import type { CallServices, Services } from '../../services.ts';
import { addEvents } from './changeCall.ts';
import { newCall } from './newCall.ts';
import type { Ring } from './softphoneCalls.ts';

type Needs = CallServices & Pick<Services, 'contacts' | 'crmLookup' | 'screenPops'>;

/** Who is heard to be busy rings again at once, as do queues: so soon after it is the same call. Milliseconds. */
const sameCallMs = 5 * 60_000;
/** How long the softphone waits for its record. Milliseconds. */
const writtenWithinMs = 5_000;
/** So many calls of the agent's are looked at for it. */
const mostLookedAt = 50;

/**
 * Somebody called an agent who was on another call, and heard that they are busy: it is recorded as a call that was
 * missed, with its events and its entry in the CRM's log, and counts as one. Told again within five minutes it is the
 * same. The agent goes on with what they do. Refuses with `session_replaced` and, where it could not be written,
 * `dependency_unavailable`.
 */
export async function recordTurnedAway(
  services: Needs,
  { companyId, agentId, lease }: { companyId: CompanyId; agentId: AgentId; lease: Lease },
  { phone_number: phoneInput, display_name: displayName, sip_call_id: sipCallId, dialed_number: dialed, queue }: Ring,
): Promise<Outcome<Call>> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence?.lease !== lease) return refuse('session_replaced', 'Another softphone of this agent has taken over.');
  const parsed = await readPhone(services, companyId, phoneInput, 'network');
  const phone = parsed.kind === 'ok' ? parsed.value : null;
  const caller = phone === null ? callerText(phoneInput) : null;
  const at = new Date(services.clock.now());
  const before = await services.calls.list(
    companyId,
    { agentIds: [agentId], state: 'ended', since: new Date(at.getTime() - sameCallMs) },
    { cursor: null, limit: mostLookedAt },
  );
  const same = before.items.find(
    (call) => call.endDetail === 'agent_busy' && call.phone === phone && call.caller === caller,
  );
  if (same !== undefined) {
    const found = await services.calls.find(companyId, same.id);
    if (found.kind === 'found') return ok(found.value);
  }
  const [company, agent, known] = await Promise.all([
    services.companyOf(companyId),
    services.agentCard(companyId, agentId),
    phone === null ? null : composeScreenPop(services, companyId, phone),
  ]);
  const name = callerName(displayName);
  const screenPop = { ...(name === null ? {} : { name }), ...known?.screenPop };
  const rung = newCall({
    id: toId<CallId>(services.newId()),
    companyId,
    agentId,
    direction: 'inbound',
    trigger: 'inbound_ring',
    phone,
    caller,
    sipCallId,
    dialedNumber: await readEnd(services, companyId, dialed, 'network'),
    queue: queue ?? null,
    screenPop,
    at,
  });
  const decided = reportCall(
    rung,
    { state: 'ended', endReason: 'missed', endedBy: 'system', endDetail: 'agent_busy' },
    at,
  );
  if (decided.kind !== 'changed') throw new Error('a call that rings can end');
  const context = { company, agent, at };
  // As over from the beginning: the agent's softphone has another one that is not.
  const { call, events } = addEvents(
    services,
    { ...decided.next, version: 1 },
    ['call_started', 'call_ended'],
    context,
  );
  const log = { id: toId<DeliveryId>(services.newId()), dueAt: at };
  if ((await services.calls.create(call, events, { by: services.clock.now() + writtenWithinMs, log })) !== 'created')
    return refuse('dependency_unavailable', 'The call could not be recorded.', { retryAfterSeconds: 5 });
  services.wakeDispatcher(companyId);
  return ok(call);
}
