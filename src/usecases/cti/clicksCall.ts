import type { CallEvent, Connector } from '../../connectors/connector.ts';
import type { Call } from '../../domain/calls.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import { changeCall } from '../calls/lifecycle/changeCall.ts';
import type { CallServices } from '../services.ts';

/** Whose agent it is of whom is told; null: nobody's whom the company has. */
type Told = { connection: CtiConnection; connector: Connector; event: CallEvent; agentId: AgentId | null };

/**
 * The calls of ours that this call of the platform is. Null: a click has the platform dial for that agent, and it is not decided yet whether
 * this is the call that it makes. A call that comes in is not.
 * @param counts whether it is to count though that is not decided
 */
export async function callsOf(services: CallServices, { connection, connector, event, agentId }: Told, counts: boolean): Promise<Call[] | null> {
  const { companyId, dialVia } = connection;
  const known = await services.calls.ofPlatform(companyId, connector.id, event.callId);
  if (dialVia !== 'platform' || agentId === null || event.direction === 'inbound' || known.some((call) => call.agentId === agentId)) return known;
  if (!(await isDecided(services, companyId, agentId))) return counts ? known : null;
  const isNamed = await nameDialed(services, { companyId, agentId, connector, event });
  return isNamed ? services.calls.ofPlatform(companyId, connector.id, event.callId) : known;
}

/** Whether no click's dial for the agent is under way. An agent may be passed to the platform before the call is recorded. */
async function isDecided({ calls, presence }: CallServices, companyId: CompanyId, agentId: AgentId): Promise<boolean> {
  const found = await presence.find(companyId, agentId);
  const callId = found?.platform?.callId ?? null;
  return found?.reservedFor !== 'offer' && (callId === null || (await calls.find(companyId, callId)).kind === 'found');
}

/**
 * The platform's name for the call that it began for a click, where its answer had none: what is told of an outbound call to that number is
 * told of that call. False: there is no such call.
 */
async function nameDialed(services: CallServices, { companyId, agentId, connector, event }: { companyId: CompanyId; agentId: AgentId; connector: Connector; event: CallEvent }): Promise<boolean> {
  const dialed = await services.calls.unnamedOfPlatform(companyId, agentId, connector.id);
  if (dialed === null || !endsAlike(event.customer, dialed.phone)) return false;
  const named = await changeCall(services, companyId, dialed.id, (call) => {
    const { platform } = call;
    if (platform === null || platform.callId !== null || call.state === 'ended') return { kind: 'kept', why: null };
    return { kind: 'changed', call: { ...call, platform: { ...platform, callId: event.callId }, version: call.version + 1 }, events: [] };
  });
  return named.kind === 'found' && named.value.kind === 'changed';
}

/** So many digits at the end tell two numbers apart that a dialplan writes in its own way. */
const digitsCompared = 7;

/** A platform that does not say whom it calls is believed. */
function endsAlike(told: string | null, phone: string | null): boolean {
  const ends = [told, phone].map((text) => (text ?? '').replaceAll(/\D/g, '').slice(-digitsCompared));
  return told === null || ends[0] === ends[1];
}
