import type { CallEvent, Connector } from '../../connectors/connector.ts';
import type { Call } from '../../domain/calls.ts';
import type { AgentId } from '../../domain/ids.ts';
import { beginsAnew, datedAt, hearOfCall, type PlatformNews } from '../../domain/platformCalls.ts';
import type { CtiConnection, PlatformAgent } from '../../ports/cti.ts';
import { followPlatform, leavePlatform } from '../agents/platformState.ts';
import { addEvents, changeCall } from '../calls/lifecycle/changeCall.ts';
import { composeScreenPop, readPhone } from '../screenPops/lookUp.ts';
import { beginCall, hearOf, heardCause, type Place, type Room, type TakeNeeds } from './beginCall.ts';
import { callsOf, latestOf } from './clicksCall.ts';
import { meetAgent } from './meetAgent.ts';

/**
 * Brings the company's record in line with what a platform tells of a call: for the agent whom it names, else for everyone on that call.
 * The call is recorded when the first agent of the company is on it; each of them has a call of its own.
 * @param counts whether it is to count though a click's dial for that agent is not decided yet
 * @returns `waits`: for that, and nothing was changed
 */
export async function takeCallEvent(services: TakeNeeds, connection: CtiConnection, connector: Connector, event: CallEvent, counts = false): Promise<'taken' | 'waits'> {
  const met = await meetAgent(services, connection, event.agent);
  const agentId = met?.agentId ?? null;
  const place: Place = { services, connection, connector, event };
  const news = await newsOf(place);
  const known = await callsOf(services, { connection, connector, event, agentId, news }, counts);
  if (known === null) return 'waits';
  const room: Room = { ...place, known };
  if (agentId === null) {
    // A call of ours has what was told of it; that it is over counts for whoever comes to be on it, too.
    if (known.length === 0 || event.agent === null) await hearOf(room);
    // Of an agent whom nobody knows nothing is known; what names none is true for all.
    if (event.agent === null) for (const call of latestCalls(known)) await tell(room, call, news);
    await warmUp(room);
    return 'taken';
  }
  if (event.event === 'ringing' && event.cause !== null) await hearOf(room);
  const theirs = latestOf(known, agentId);
  if (theirs === undefined || beginsAnew(theirs, news, services.clock.now())) await begin(room, agentId, news);
  else await tell(room, theirs, news);
  if (news.event === 'answered') await endRingingElsewhere(room, agentId, news);
  if (news.event === 'transferred') await ringAtTarget(room, news);
  return 'taken';
}

/** Of each agent the call that the platform may mean now. */
function latestCalls(known: readonly Call[]): Call[] {
  return [...new Set(known.map(({ agentId }) => latestOf(known, agentId)))].filter((call) => call !== undefined);
}

/** What is told, dated by us where the platform does not date it; why a call ended may have been told while it rang. */
async function newsOf(room: Place): Promise<PlatformNews> {
  const { cause, event, at, talkMs } = room.event;
  const now = room.services.clock.now();
  const isUnexplained = event === 'ended' && cause === null;
  return { event, at: datedAt(at, now), isDated: at !== null, cause: isUnexplained ? await heardCause(room) : cause, talkMs };
}

/** A lookup by an agent who is not known yet makes the company's CRM ready for the one who answers. */
async function warmUp({ services, connection, event }: Room): Promise<void> {
  if (event.event !== 'ringing' || event.direction === 'outbound' || event.customer === null) return;
  const phone = await readPhone(services, connection.companyId, event.customer, 'network');
  if (phone.kind === 'ok') await composeScreenPop(services, connection.companyId, phone.value);
}

/** The first that is told of an agent on a call; perhaps its end, and perhaps the end came before. */
async function begin(room: Room, agentId: AgentId, news: PlatformNews): Promise<void> {
  const { call, hasEnded, complete } = await beginCall(room, agentId, news);
  await tell(room, call, news);
  if (hasEnded) await tell(room, call, { ...news, event: 'ended', at: new Date(room.services.clock.now()), talkMs: null });
  complete();
}

/** Changes the call as told, and the agent with it. */
async function tell({ services, connection }: Room, { companyId, id }: Call, news: PlatformNews): Promise<void> {
  const found = await changeCall(services, companyId, id, (call, context) => {
    const decision = hearOfCall(call, news);
    if (decision.kind === 'unchanged') return { kind: 'kept', why: null };
    return { kind: 'changed', ...addEvents(services, decision.next, decision.events, context) };
  });
  if (found.kind === 'found') await followCall(services, connection, found.value.call);
}

/** The agent is on the platform's call, or not any more; does nothing where that is so already. */
async function followCall(services: TakeNeeds, { dialVia }: CtiConnection, call: Call): Promise<void> {
  const { agentId, companyId, id: callId, platform } = call;
  if (platform === null) return;
  const shown = (await services.presence.find(companyId, agentId))?.platform?.callId ?? null;
  const about = { companyId, agentId, connector: platform.source, dialsBy: dialVia };
  // Of whom the platform tells no states, it tells nothing but calls.
  const told = (await services.platformAgents.ofAgent(companyId, agentId)).find(({ connector }) => connector === platform.source);
  if (call.state === 'ended') {
    if (shown !== callId) return;
    if (told === undefined) await leavePlatform(services, about);
    else await followPlatform(services, { ...about, ...afterCall(told), callId: null });
  } else {
    const isRinging = call.state === 'ringing' || call.state === 'dialing';
    // A second call that rings does not hide the one that is talked on.
    if (isRinging && shown !== null && shown !== callId) return;
    await followPlatform(services, { ...about, state: isRinging ? 'reserved' : 'on_call', reason: null, callId, onlyForCall: told === undefined });
  }
}

/** What the agent does when a call of the platform is over, until the platform says it: what it told last, but of no call. */
function afterCall({ state, reason }: Pick<PlatformAgent, 'state' | 'reason'>) {
  if (state === null || state === 'on_call' || state === 'reserved') return { state: 'not_ready', reason: null } as const;
  return { state, reason };
}

/** Somebody has answered: at the others it rings no more. */
async function endRingingElsewhere(room: Room, agentId: AgentId, news: PlatformNews): Promise<void> {
  const ringing = room.known.filter((call) => call.agentId !== agentId && call.state === 'ringing');
  for (const call of ringing) await tell(room, call, { ...news, event: 'ended', cause: 'answered_elsewhere', talkMs: null });
}

/** The call goes to a colleague, where it rings now. */
async function ringAtTarget({ services, connection, connector, event }: Room, { at }: PlatformNews): Promise<void> {
  const target = await meetAgent(services, connection, event.transferredTo);
  if (target === null || target.agentId === null) return;
  const ringing: CallEvent = { ...event, event: 'ringing', eventId: null, direction: 'inbound', agent: event.transferredTo, transferredTo: null, at: at.getTime(), talkMs: null, cause: null };
  await takeCallEvent(services, connection, connector, ringing);
}
