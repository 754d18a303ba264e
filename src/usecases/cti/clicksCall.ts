import type { CallEvent, Connector } from '../../connectors/connector.ts';
import type { Call } from '../../domain/calls.ts';
import type { AgentId, CompanyId } from '../../domain/ids.ts';
import { beginsAnew, type PlatformNews } from '../../domain/platformCalls.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import { changeCall } from '../calls/lifecycle/changeCall.ts';
import type { CallServices } from '../services.ts';

/** `agentId`: whose agent it is of whom is told; null: nobody's whom the company has. `news`: the event, with its time. */
type Told = { connection: CtiConnection; connector: Connector; event: CallEvent; agentId: AgentId | null; news: PlatformNews };

/** The call that the agent has under that name, or had last; undefined: none. */
export function latestOf(known: readonly Call[], agentId: AgentId): Call | undefined {
  const theirs = known.filter((call) => call.agentId === agentId);
  return theirs.find(({ state }) => state !== 'ended') ?? theirs.toSorted((one, other) => roundOf(other) - roundOf(one))[0];
}

/** How many calls with that name the agent has had. */
export function roundsOf(known: readonly Call[], agentId: AgentId): number {
  const latest = latestOf(known, agentId);
  return latest === undefined ? 0 : roundOf(latest) + 1;
}

const roundOf = ({ platform }: Call): number => platform?.round ?? 0;

/**
 * The calls of ours that had the platform's name for this call, the latest first. Null: a click has the platform dial for that agent, and it is not decided yet whether
 * this is the call that it makes. A call that comes in is not.
 * @param counts whether it is to count though that is not decided
 */
export async function callsOf(services: CallServices, { connection, connector, event, agentId, news }: Told, counts: boolean): Promise<Call[] | null> {
  const { companyId, dialVia } = connection;
  const known = await services.calls.ofPlatform(companyId, connector.id, event.callId);
  const theirs = agentId === null ? undefined : latestOf(known, agentId);
  const isTheirs = theirs !== undefined && !beginsAnew(theirs, news, services.clock.now());
  if (dialVia !== 'platform' || agentId === null || event.direction === 'inbound' || isTheirs) return known;
  if (!(await isDecided(services, companyId, agentId))) return counts ? known : null;
  const isNamed = await nameDialed(services, { companyId, agentId, connector, event, round: roundsOf(known, agentId) });
  return isNamed ? services.calls.ofPlatform(companyId, connector.id, event.callId) : known;
}

/** Whether no click's dial for the agent is under way. An agent may be passed to the platform before the call is recorded. */
async function isDecided({ calls, presence }: CallServices, companyId: CompanyId, agentId: AgentId): Promise<boolean> {
  const found = await presence.find(companyId, agentId);
  const callId = found?.platform?.callId ?? null;
  return found?.reservedFor !== 'offer' && (callId === null || (await calls.find(companyId, callId)).kind === 'found');
}

type Dialed = { companyId: CompanyId; agentId: AgentId; connector: Connector; event: CallEvent; round: number };

/**
 * The platform's name for the call that it began for a click, where its answer had none: what is told of an outbound call to that number is
 * told of that call. False: there is no such call.
 */
async function nameDialed(services: CallServices, { companyId, agentId, connector, event, round }: Dialed): Promise<boolean> {
  const dialed = await services.calls.unnamedOfPlatform(companyId, agentId, connector.id);
  if (dialed === null || !endsAlike(event.customer, dialed.phone)) return false;
  const named = await changeCall(services, companyId, dialed.id, (call) => {
    const { platform } = call;
    if (platform === null || platform.callId !== null || call.state === 'ended') return { kind: 'kept', why: null };
    return { kind: 'changed', call: { ...call, platform: { ...platform, callId: event.callId, round }, version: call.version + 1 }, events: [] };
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
