import type { CallEvent, Connector } from '../../connectors/connector.ts';
import { callerText } from '../../contract/callRules.ts';
import type { Call, OtherEnd } from '../../domain/calls.ts';
import { type AgentId, type CallId, type CompanyId, toId } from '../../domain/ids.ts';
import type { PlatformNews } from '../../domain/platformCalls.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import type { HeardCall } from '../../ports/platformNews.ts';
import { callPop } from '../calls/lifecycle/callPop.ts';
import { addEvents } from '../calls/lifecycle/changeCall.ts';
import { newCall } from '../calls/lifecycle/newCall.ts';
import type { ChosenNeeds } from '../screenPops/chooseRecord.ts';
import { completeScreenPop } from '../screenPops/completeScreenPop.ts';
import { type ComposedPop, composeScreenPop, readPhone } from '../screenPops/lookUp.ts';
import type { CallServices, Services } from '../services.ts';
import { latestOf, roundsOf } from './clicksCall.ts';
import { longestText } from './meetAgent.ts';

export type TakeNeeds = CallServices & ChosenNeeds & Pick<Services, 'contacts' | 'crmLookup' | 'heardCalls' | 'platformAgents' | 'screenPops'>;

/** What is told, and by whom. */
export type Place = { services: TakeNeeds; connection: CtiConnection; connector: Connector; event: CallEvent };
/** `known`: the calls of ours that had the platform's name for it, the latest first. */
export type Room = Place & { known: Call[] };

/** A call that ended longer ago than this is another one, of which the new one has neither customer nor queue. Milliseconds. */
const sameCallMs = 600_000;

/** What began longer ago than this does not pop any more. Milliseconds. */
const popWithinMs = 120_000;

/**
 * Records the call of an agent of whom it is told for the first time, and shows its customer. What this news lacks is as it was told before.
 * @returns the call, whether its end was told before its beginning, and what is to be done once all is told
 */
export async function beginCall(room: Room, agentId: AgentId, news: PlatformNews): Promise<{ call: Call; hasEnded: boolean; complete: () => void }> {
  const { services, connection, connector, event } = room;
  const { companyId } = connection;
  const heard = await services.heardCalls.recall(keyOf(room));
  const since = services.clock.now() - sameCallMs;
  const before = room.known.find(({ endedAt }) => endedAt === null || endedAt.getTime() >= since);
  const other = await otherEnd(room, heard, before);
  const pop: ComposedPop = other.phone === null ? { found: false, screenPop: {} } : await composeScreenPop(services, companyId, other.phone);
  const [settings, agent] = await Promise.all([services.settings(companyId), services.agentCard(companyId, agentId)]);
  const direction = event.direction ?? heard?.direction ?? 'inbound';
  const queue = event.queue ?? heard?.queue ?? before?.platform?.queue ?? null;
  const call = newCall({
    id: toId<CallId>(services.newId()),
    companyId,
    agentId,
    direction,
    trigger: direction === 'inbound' ? 'inbound_ring' : 'manual_dial',
    ...other,
    screenPop: pop.screenPop,
    at: news.at,
    platform: { source: connector.id, callId: event.callId, round: roundsOf(room.known, agentId), queue: queue?.slice(0, longestText) ?? null, at: news.at },
  });
  const hasEnded = heard?.ended === true;
  const started = addEvents(services, call, ['call_started'], { settings, agent, at: new Date(services.clock.now()) });
  if ((await services.calls.create(started.call, started.events)) === 'known') {
    // Two gateways heard of it at once.
    const theirs = latestOf(await services.calls.ofPlatform(companyId, connector.id, event.callId), agentId);
    return { call: theirs ?? call, hasEnded, complete: () => undefined };
  }
  services.wakeDispatcher(companyId);
  const isNew = services.clock.now() - news.at.getTime() < popWithinMs;
  const isShown = isNew && !hasEnded && news.event !== 'ended' && news.event !== 'transferred';
  if (isShown) services.softphones.pop(companyId, agentId, callPop(services, call, pop));
  return { call: started.call, hasEnded, complete: () => isShown && void completeScreenPop(services, call, pop) };
}

/** Remembers what is told of a call that nobody of the company is known to be on, and of how one that rings would end. */
export async function hearOf(room: Place): Promise<void> {
  const { agent, cause, customer, direction, event, queue } = room.event;
  // Where one agent's part ends, the call may go on with another.
  const ended = event === 'ended' && agent === null;
  await room.services.heardCalls.hear(keyOf(room), { cause: event === 'ringing' ? cause : null, customer, direction, queue, ended });
}

/** Why a call that ends does so, where that was told before. */
export async function heardCause(room: Place): Promise<HeardCall['cause']> {
  return (await room.services.heardCalls.recall(keyOf(room)))?.cause ?? null;
}

function keyOf({ connection: { companyId, connector }, event: { callId } }: Place): { companyId: CompanyId; connector: string; callId: string } {
  return { companyId, connector, callId };
}

/** Who is at the other end: as told now, or before, or of the call that a colleague has of it. */
async function otherEnd({ services, connection: { companyId }, event }: Place, heard: HeardCall | null, before: Call | undefined): Promise<OtherEnd> {
  const told = event.customer ?? heard?.customer ?? null;
  if (told === null) return { phone: before?.phone ?? null, caller: before?.caller ?? null };
  const parsed = await readPhone(services, companyId, told, 'network');
  return parsed.kind === 'ok' ? { phone: parsed.value, caller: null } : { phone: null, caller: callerText(told) };
}
