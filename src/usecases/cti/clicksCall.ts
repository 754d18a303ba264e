import type { CallEvent, Connector } from '../../connectors/connector.ts';
import type { Call } from '../../domain/calls.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import { endsAlike } from '../../domain/phones/phoneSpellings.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import { changeCall } from '../calls/lifecycle/changeCall.ts';
import type { CallServices } from '../services.ts';

/** `round`: how many calls with the platform's name for this one the agent has had. */
type Told = { connection: CtiConnection; connector: Connector; event: CallEvent; agentId: AgentId; round: number };

/**
 * The call that a click had the platform make for an agent, where what is told of a call that is not known yet is told
 * of that one; it has the platform's name from now on. Null: it is another call. `waits`: a click has the platform dial
 * for that agent, and it is not decided yet whether this is the call that it makes. A call that comes in is not.
 * @param counts whether it is to count though that is not decided
 */
export async function clicksCall(services: CallServices, told: Told, counts: boolean): Promise<Call | 'waits' | null> {
  const { connection, event, agentId } = told;
  if (connection.dialVia !== 'platform' || event.direction === 'inbound') return null;
  if (!(await isDecided(services, connection.companyId, agentId))) return counts ? null : 'waits';
  return nameDialed(services, told);
}

/**
 * Whether no click's dial for the agent is under way.
 * An agent may be passed to the platform before the call is recorded.
 */
async function isDecided({ calls, presence }: CallServices, companyId: CompanyId, agentId: AgentId): Promise<boolean> {
  const found = await presence.find(companyId, agentId);
  const callId = found?.platform?.callId ?? null;
  return found?.reservedFor !== 'offer' && (callId === null || (await calls.find(companyId, callId)).kind === 'found');
}

/**
 * The platform's name for the call that it began for a click, where its answer had none: what is told of an
 * outbound call to that number is told of that call. A platform that does not say whom it calls is believed.
 * Null: there is no such call.
 */
async function nameDialed(
  services: CallServices,
  { connection: { companyId }, agentId, connector, event, round }: Told,
): Promise<Call | null> {
  const dialed = await services.calls.unnamedOfPlatform(companyId, agentId, connector.id);
  if (dialed === null || (event.customer !== null && !endsAlike(event.customer, dialed.phone ?? ''))) return null;
  const named = await changeCall(services, companyId, dialed.id, (call) => {
    const { platform } = call;
    if (platform === null || platform.callId !== null || call.state === 'ended') return { kind: 'kept', why: null };
    return {
      kind: 'changed',
      call: { ...call, platform: { ...platform, callId: event.callId, round }, version: call.version + 1 },
      events: [],
    };
  });
  return named.kind === 'found' && named.value.kind === 'changed' ? named.value.call : null;
}
