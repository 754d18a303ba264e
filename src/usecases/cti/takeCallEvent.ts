import type { CallEvent, Connector } from '../../connectors/connector.ts';
import type { Call } from '../../domain/calls.ts';
import type { AgentId } from '../../domain/ids.ts';
import { datedAt, datedBy, hearOfCall, type PlatformNews } from '../../domain/platformCalls.ts';
import { nextRound, ringToldBefore, type RoundNews, roundsTold } from '../../domain/platformRounds.ts';
import type { CtiConnection, PlatformAgent } from '../../ports/cti.ts';
import { followPlatform, leavePlatform } from '../agents/platformState.ts';
import { addEvents, changeCall } from '../calls/lifecycle/changeCall.ts';
import { composeScreenPop, readPhone } from '../screenPops/lookUp.ts';
import { beginCall, hearOf, type Place, recall, type Room, type TakeNeeds } from './beginCall.ts';
import { clicksCall } from './clicksCall.ts';
import { meetAgent } from './meetAgent.ts';

/**
 * `counts`: though a click's dial for its agent is not decided yet. `heardAt`: when it was told;
 * now, unless it had to wait. `isHandedOver`: see `RoundNews`.
 */
type Taking = { counts?: boolean; heardAt?: Date; isHandedOver?: boolean };

/**
 * Brings the company's record in line with what a platform tells of a call: for the agent whom it names, else for
 * everyone on that call. The call is recorded when the first agent of the company is on it; each of them has a call of
 * its own, and another one each time that the call comes back, or that its name is used again.
 * @returns `waits`: for the dial of a click, and nothing was changed
 */
export async function takeCallEvent(
  services: TakeNeeds,
  connection: CtiConnection,
  connector: Connector,
  event: CallEvent,
  taking: Taking = {},
): Promise<'taken' | 'waits'> {
  const { companyId } = connection;
  const met = await meetAgent(services, connection, event.agent);
  const agentId = met?.agentId ?? null;
  const place: Place = { services, connection, connector, event };
  const [news, known] = await Promise.all([
    newsOf(place, taking),
    services.calls.ofPlatform(companyId, connector.id, event.callId),
  ]);
  const room: Room = { ...place, known };
  if (agentId === null) {
    // A call of ours has what was told of it; that it is over counts for whoever comes to be on it, too.
    if (known.length === 0 || event.agent === null) await hearOf(room, news);
    // Of an agent whom nobody knows nothing is known; what names none is true for all.
    if (event.agent === null) {
      for (const one of new Set(known.map((call) => call.agentId)))
        await tellAll(room, await roundsOf(room, one, { ...news, direction: null }), news);
    }
    await warmUp(room);
    return 'taken';
  }
  const told = await roundsOf(room, agentId, news);
  if (told.length === 0) {
    const clicks = await clicksCall(
      services,
      { connection, connector, event, agentId, round: nextRound(ofAgent(room, agentId)) },
      taking.counts === true,
    );
    if (clicks === 'waits') return 'waits';
    if (clicks !== null) told.push(clicks);
  }
  if (event.event === 'ringing' && event.cause !== null) await hearOf(room, news);
  const ringsSince = told.map((call) => ringToldBefore(call, news)).find((at) => at !== null) ?? null;
  const isChanged = told.length === 0 ? await begin(room, agentId, news) : await tellAll(room, told, news);
  if (ringsSince !== null) await ringAgain(room, agentId, news, ringsSince);
  if (news.event === 'answered') await endRingingElsewhere(room, agentId, news, told);
  if (news.event === 'transferred') await ringAtTarget(room, { ...taking, heardAt: news.at, isHandedOver: isChanged });
  return 'taken';
}

function ofAgent({ known }: Room, agentId: AgentId): Call[] {
  return known.filter((call) => call.agentId === agentId);
}

/** Which of the agent's calls is told of; none: another one. */
async function roundsOf(room: Room, agentId: AgentId, news: RoundNews): Promise<Call[]> {
  const rounds = ofAgent(room, agentId);
  // Where the times do not tell, it matters whether somebody may still be on the call.
  const asks = news.saidAt === null && rounds.length > 0 && rounds.every(({ state }) => state === 'ended');
  const isOver = asks && (await recall(room, news))?.endedAt != null;
  return roundsTold(
    rounds,
    room.known.filter((call) => call.agentId !== agentId),
    news,
    isOver,
  );
}

/** What is told, dated by us where the platform does not date it; why a call ended may have been told while it rang. */
async function newsOf(room: Place, { heardAt, isHandedOver = false }: Taking): Promise<RoundNews> {
  const { cause, customer, direction, event, at, talkMs } = room.event;
  const now = heardAt?.getTime() ?? room.services.clock.now();
  const news = { event, at: datedAt(at, now), saidAt: datedBy(at, now), customer, direction, talkMs, isHandedOver };
  const isUnexplained = event === 'ended' && cause === null;
  return { ...news, cause: isUnexplained ? ((await recall(room, news))?.cause ?? null) : cause };
}

/** A lookup by an agent who is not known yet makes the company's CRM ready for the one who answers. */
async function warmUp({ services, connection, event }: Room): Promise<void> {
  if (event.event !== 'ringing' || event.direction === 'outbound' || event.customer === null) return;
  const phone = await readPhone(services, connection.companyId, event.customer, 'network');
  if (phone.kind === 'ok') await composeScreenPop(services, connection.companyId, phone.value);
}

/**
 * The first that is told of an agent on a call; perhaps its end, and perhaps the end came before.
 * @returns true: something was changed
 */
async function begin(room: Room, agentId: AgentId, news: RoundNews): Promise<boolean> {
  const { call, ended, complete } = await beginCall(room, agentId, news);
  await tell(room, call, news);
  if (ended !== null) {
    await tell(room, call, {
      ...news,
      event: 'ended',
      at: new Date(Math.min(ended.getTime(), room.services.clock.now())),
      saidAt: ended,
      talkMs: null,
    });
  }
  complete();
  return true;
}

/** It rings again, which was told before the end of the ring before. */
async function ringAgain(room: Room, agentId: AgentId, news: RoundNews, saidAt: Date): Promise<void> {
  const { services, connection, connector, event } = room;
  const after: Room = {
    ...room,
    event: { ...event, event: 'ringing', cause: null },
    known: await services.calls.ofPlatform(connection.companyId, connector.id, event.callId),
  };
  // Somebody else heard of it meanwhile.
  if (nextRound(ofAgent(after, agentId)) !== nextRound(ofAgent(room, agentId))) return;
  const at = new Date(Math.min(saidAt.getTime(), services.clock.now()));
  await begin(after, agentId, { ...news, event: 'ringing', at, saidAt, cause: null, talkMs: null });
}

/** @returns whether something was changed */
async function tellAll(room: Room, calls: readonly Call[], news: PlatformNews): Promise<boolean> {
  let isChanged = false;
  for (const call of calls) isChanged = (await tell(room, call, news)) || isChanged;
  return isChanged;
}

/** Changes the call as told, and the agent with it. @returns whether it was changed */
async function tell(
  { services, connection, known }: Room,
  { companyId, id }: Call,
  news: PlatformNews,
): Promise<boolean> {
  const found = await changeCall(services, companyId, id, (call, context) => {
    const decision = hearOfCall(call, news);
    if (decision.kind === 'unchanged') return { kind: 'kept', why: null };
    return { kind: 'changed', ...addEvents(services, decision.next, decision.events, context) };
  });
  if (found.kind !== 'found') return false;
  await followCall(services, connection, found.value.call, known);
  return found.value.kind === 'changed';
}

/** The agent is on the platform's call, or not any more; does nothing where that is so already. */
async function followCall(
  services: TakeNeeds,
  connection: CtiConnection,
  call: Call,
  known: readonly Call[],
): Promise<void> {
  const { dialVia } = connection;
  const { agentId, companyId, id: callId, platform } = call;
  if (platform === null) return;
  const shown = (await services.presence.find(companyId, agentId))?.platform?.callId ?? null;
  const about = { companyId, agentId, connector: platform.source, dialsBy: dialVia };
  // Of whom the platform tells no states, it tells nothing but calls.
  const told = (await services.platformAgents.ofAgent(companyId, agentId)).find(
    ({ connector }) => connector === platform.source,
  );
  if (call.state === 'ended') {
    if (shown !== callId) return;
    const lasting = await lastingBeside(services, call, known);
    if (lasting !== null) await followCall(services, connection, lasting, []);
    else if (told === undefined) await leavePlatform(services, about);
    else await followPlatform(services, { ...about, ...afterCall(told), callId: null });
  } else {
    const isRinging = call.state === 'ringing' || call.state === 'dialing';
    // A second call that rings does not hide the one that is talked on.
    if (isRinging && shown !== null && shown !== callId) return;
    await followPlatform(services, {
      ...about,
      state: isRinging ? 'reserved' : 'on_call',
      reason: null,
      callId,
      onlyForCall: told === undefined,
    });
  }
}

/** The agent's call of the same name that goes on, e.g. on hold while the agent asked a colleague; null: none. */
async function lastingBeside(
  { calls }: TakeNeeds,
  { agentId, companyId, id }: Call,
  known: readonly Call[],
): Promise<Call | null> {
  const lasting = known.findLast((one) => one.id !== id && one.agentId === agentId && one.state !== 'ended');
  const found = lasting === undefined ? null : await calls.find(companyId, lasting.id);
  return found?.kind === 'found' && found.value.state !== 'ended' ? found.value : null;
}

/**
 * What the agent does when a call of the platform is over, until the platform says it: what it told last,
 * but of no call.
 */
function afterCall({ state, reason }: Pick<PlatformAgent, 'state' | 'reason'>) {
  if (state === null || state === 'on_call' || state === 'reserved')
    return { state: 'not_ready', reason: null } as const;
  return { state, reason };
}

/**
 * Somebody has answered: at the others it rings no more, where it rang then.
 * An answer without a time that is told of a call which is over may be old.
 * @param told which calls it was told of; none: one that began by it
 */
async function endRingingElsewhere(
  room: Room,
  agentId: AgentId,
  news: RoundNews,
  told: readonly Call[],
): Promise<void> {
  if (news.saidAt === null && told.length > 0 && told.every(({ state }) => state === 'ended')) return;
  const ringing = room.known.filter(
    (call) => call.agentId !== agentId && call.state === 'ringing' && call.createdAt <= news.at,
  );
  for (const call of ringing)
    await tell(room, call, { ...news, event: 'ended', cause: 'answered_elsewhere', talkMs: null });
}

/** The call goes to a colleague, where it rings now. */
async function ringAtTarget({ services, connection, connector, event }: Room, taking: Taking): Promise<void> {
  const target = await meetAgent(services, connection, event.transferredTo);
  if (target === null || target.agentId === null) return;
  const ringing: CallEvent = {
    ...event,
    event: 'ringing',
    eventId: null,
    direction: 'inbound',
    agent: event.transferredTo,
    transferredTo: null,
    talkMs: null,
    cause: null,
  };
  await takeCallEvent(services, connection, connector, ringing, taking);
}
