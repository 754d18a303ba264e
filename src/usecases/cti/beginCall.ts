import type { CallEvent, Connector } from '../../connectors/connector.ts';
import { callerText } from '../../contract/callRules.ts';
import type { Call, OtherEnd } from '../../domain/calls.ts';
import { type AgentId, type CallId, type CompanyId, toId } from '../../domain/ids.ts';
import { endToldBefore, isOfAnother, nextRound, type RoundNews, tombstoneMs } from '../../domain/platformRounds.ts';
import type { CtiConnection } from '../../ports/cti.ts';
import type { HeardCall } from '../../ports/platformNews.ts';
import { callPop } from '../calls/lifecycle/callPop.ts';
import { addEvents } from '../calls/lifecycle/changeCall.ts';
import { newCall } from '../calls/lifecycle/newCall.ts';
import type { ChosenNeeds } from '../screenPops/chooseRecord.ts';
import { completeScreenPop } from '../screenPops/completeScreenPop.ts';
import { type ComposedPop, composeScreenPop, readEnd, readPhone } from '../screenPops/lookUp.ts';
import type { CallServices, Services } from '../services.ts';
import { longestText } from './meetAgent.ts';

export type TakeNeeds = CallServices &
  ChosenNeeds &
  Pick<Services, 'contacts' | 'crmLookup' | 'heardCalls' | 'platformAgents' | 'screenPops'>;

/** What is told, and by whom. */
export type Place = { services: TakeNeeds; connection: CtiConnection; connector: Connector; event: CallEvent };
/** `known`: the calls of ours that had the platform's name for it, of each agent the first one first. */
export type Room = Place & { known: Call[] };

/** What began longer ago than this does not pop any more. Milliseconds. */
const popWithinMs = 120_000;

/** The call, when it ended where that was told before its beginning, and what is to be done once all is told. */
type Begun = { call: Call; ended: Date | null; complete: () => void };

/**
 * Records the call of an agent of whom it is told for the first time, or again after its end, and shows its customer.
 * What this news lacks is as it was told before.
 */
export async function beginCall(room: Room, agentId: AgentId, news: RoundNews): Promise<Begun> {
  const { services, connection, connector, event, known } = room;
  const { companyId } = connection;
  const heard = await recall(room, news);
  // One that ended long ago only had the same name, and whom the agent calls meanwhile is not who called.
  const before = known.findLast(
    (one) =>
      isRecent(one, news) &&
      !(one.agentId === agentId && event.direction !== null && event.direction !== one.direction),
  );
  const other = await otherEnd(room, heard, before);
  const pop: ComposedPop =
    other.phone === null ? { found: false, screenPop: {} } : await composeScreenPop(services, companyId, other.phone);
  const [company, agent] = await Promise.all([services.companyOf(companyId), services.agentCard(companyId, agentId)]);
  const direction = event.direction ?? heard?.direction ?? 'inbound';
  const dialed = event.dialedNumber ?? heard?.dialedNumber ?? before?.dialedNumber ?? undefined;
  const queue = event.queue ?? heard?.queue ?? before?.queue ?? null;
  const rounds = known.filter((one) => one.agentId === agentId);
  const call = newCall({
    id: toId<CallId>(services.newId()),
    companyId,
    agentId,
    direction,
    trigger: direction === 'inbound' ? 'inbound_ring' : 'manual_dial',
    ...other,
    dialedNumber: direction === 'inbound' ? await readEnd(services, companyId, dialed, 'network') : null,
    queue: queue?.slice(0, longestText) ?? null,
    screenPop: pop.screenPop,
    at: news.at,
    platform: {
      source: connector.id,
      callId: event.callId,
      round: nextRound(rounds),
      at: news.saidAt ?? news.at,
      rangAt: news.event === 'ringing' ? news.saidAt : null,
      endedAt: null,
    },
  });
  const ended = heard?.endedAt ?? endToldBefore(rounds, news);
  const started = addEvents(services, call, ['call_started'], { company, agent, at: new Date(services.clock.now()) });
  if ((await services.calls.create(started.call, started.events)) === 'known') {
    // Two gateways heard of it at once.
    const theirs = (await services.calls.ofPlatform(companyId, connector.id, event.callId)).findLast(
      (one) => one.agentId === agentId,
    );
    return { call: theirs ?? call, ended, complete: () => undefined };
  }
  services.wakeDispatcher(companyId);
  const isNew = services.clock.now() - news.at.getTime() < popWithinMs;
  const isShown = isNew && ended === null && news.event !== 'ended' && news.event !== 'transferred';
  if (isShown) services.softphones.pop(companyId, agentId, callPop(services, call, pop));
  return { call: started.call, ended, complete: () => isShown && void completeScreenPop(services, call, pop) };
}

/**
 * Remembers what is told of a call that nobody of the company is known to be on, and of how one that rings would end.
 */
export async function hearOf(room: Place, news: RoundNews): Promise<void> {
  const { agent, cause, customer, dialedNumber, direction, event, queue } = room.event;
  const before = await room.services.heardCalls.recall(keyOf(room));
  // Where one agent's part ends, the call may go on with another.
  const endedAt = event === 'ended' && agent === null ? (news.saidAt ?? news.at) : null;
  const replaces = isOfEarlier(before, news) ? before.endedAt : null;
  await room.services.heardCalls.hear(
    keyOf(room),
    { cause: event === 'ringing' ? cause : null, customer, dialedNumber, direction, queue, endedAt },
    replaces,
  );
}

/** What was told of the same call before; null: nothing. */
export async function recall(room: Place, news: Omit<RoundNews, 'cause'>): Promise<HeardCall | null> {
  const heard = await room.services.heardCalls.recall(keyOf(room));
  return isOfEarlier(heard, news) ? null : heard;
}

/** Whether that is of a call that is over, and had the same name. */
function isOfEarlier(heard: HeardCall | null, news: Omit<RoundNews, 'cause'>): heard is HeardCall & { endedAt: Date } {
  return heard !== null && heard.endedAt !== null && isOfAnother({ ...heard, endedAt: heard.endedAt }, news);
}

function isRecent({ endedAt }: Call, { at }: RoundNews): boolean {
  return endedAt === null || at.getTime() - endedAt.getTime() < tombstoneMs;
}

function keyOf({ connection: { companyId, connector }, event: { callId } }: Place): {
  companyId: CompanyId;
  connector: string;
  callId: string;
} {
  return { companyId, connector, callId };
}

/** Who is at the other end: as told now, or before, or of the call that a colleague has of it. */
async function otherEnd(
  { services, connection: { companyId }, event }: Place,
  heard: HeardCall | null,
  before: Call | undefined,
): Promise<OtherEnd> {
  const told = event.customer ?? heard?.customer ?? null;
  if (told === null) return { phone: before?.phone ?? null, caller: before?.caller ?? null };
  const parsed = await readPhone(services, companyId, told, 'network');
  return parsed.kind === 'ok' ? { phone: parsed.value, caller: null } : { phone: null, caller: callerText(told) };
}
