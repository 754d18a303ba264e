import type { CallEvent, Connector } from '../../connectors/connector.ts';
import { callerText } from '../../contract/callRules.ts';
import type { Call, OtherEnd } from '../../domain/calls.ts';
import { type AgentId, type CallId, type CompanyId, toId } from '../../domain/ids.ts';
import { datedAt, hearOfCall, type PlatformNews } from '../../domain/platformCalls.ts';
import type { CtiConnection, PlatformAgent } from '../../ports/cti.ts';
import { followPlatform, leavePlatform } from '../agents/platformState.ts';
import { callPop } from '../calls/lifecycle/callPop.ts';
import { addEvents, changeCall } from '../calls/lifecycle/changeCall.ts';
import { newCall } from '../calls/lifecycle/newCall.ts';
import type { ChosenNeeds } from '../screenPops/chooseRecord.ts';
import { completeScreenPop } from '../screenPops/completeScreenPop.ts';
import { type ComposedPop, composeScreenPop, readPhone } from '../screenPops/lookUp.ts';
import type { CallServices, Services } from '../services.ts';
import { longestText, meetAgent } from './meetAgent.ts';

export type TakeNeeds = CallServices & ChosenNeeds & Pick<Services, 'contacts' | 'counters' | 'crmLookup' | 'platformAgents' | 'screenPops'>;

/** An end is remembered for so long, for calls of which the beginning comes later. Seconds. */
const endKnownForSeconds = 3_600;
/** What began longer ago than this does not pop any more. Milliseconds. */
const popWithinMs = 120_000;

/**
 * Brings the company's record in line with what a platform tells of a call: for the agent whom it names, else for everyone on that call.
 * The call is recorded when the first agent of the company is on it; each of them has a call of its own.
 */
export async function takeCallEvent(services: TakeNeeds, connection: CtiConnection, connector: Connector, event: CallEvent): Promise<void> {
  const now = services.clock.now();
  const news: PlatformNews = { event: event.event, at: datedAt(event.at, now), cause: event.cause, talkMs: event.talkMs };
  const met = await meetAgent(services, connection, event.agent);
  const known = await callsOf(services, connection, connector, event, met?.agentId ?? null);
  const room: Room = { services, connection, connector, event };
  if (met === null || met.agentId === null) {
    if (isEnd(news)) await rememberEnd(room);
    // Of an agent whom nobody knows nothing is known; what names none is true for all.
    if (event.agent === null) for (const call of known) await tell(room, call, news);
    await warmUp(room);
    return;
  }
  const theirs = known.find(({ agentId }) => agentId === met.agentId);
  if (theirs === undefined) await begin(room, met.agentId, news);
  else await tell(room, theirs, news);
  if (news.event === 'answered') await endRingingElsewhere(room, known, met.agentId, news);
  if (news.event === 'transferred') await ringAtTarget(room, news);
}

/** A click's dial that this connection's platform makes is decided within this. Milliseconds. */
const dialWithinMs = 7_000;
/** Between two looks whether it is. Milliseconds. */
const lookAgainMs = 50;

/**
 * The calls of ours that this call of the platform is. While a click has the platform dial for that agent, the call may be the click's, which
 * is about to be recorded: what is told of it waits for that.
 */
async function callsOf(services: TakeNeeds, { companyId, dialVia }: CtiConnection, connector: Connector, event: CallEvent, agentId: AgentId | null): Promise<Call[]> {
  const until = services.clock.now() + dialWithinMs;
  for (;;) {
    const known = await services.calls.ofPlatform(companyId, connector.id, event.callId);
    if (dialVia !== 'platform' || agentId === null || known.some((call) => call.agentId === agentId) || services.clock.now() >= until) return known;
    const presence = await services.presence.find(companyId, agentId);
    const isDecided = presence?.reservedFor !== 'offer' && (await isRecorded(services, companyId, presence?.platform?.callId ?? null));
    if (isDecided && event.direction !== 'inbound') await nameDialed(services, { companyId, agentId, connector, event });
    if (isDecided) return services.calls.ofPlatform(companyId, connector.id, event.callId);
    await new Promise<void>((resolve) => services.clock.after(lookAgainMs, resolve));
  }
}

/** So many digits at the end tell two numbers apart that a dialplan writes in its own way. */
const digitsCompared = 7;

/** An agent may be passed to the platform before the call is recorded. */
async function isRecorded({ calls }: TakeNeeds, companyId: CompanyId, callId: CallId | null): Promise<boolean> {
  return callId === null || (await calls.find(companyId, callId)).kind === 'found';
}

/**
 * The platform's name for the call that it began for a click, where its answer had none: what is told of an outbound call to that number is
 * told of that call.
 */
async function nameDialed(services: TakeNeeds, { companyId, agentId, connector, event }: { companyId: CompanyId; agentId: AgentId; connector: Connector; event: CallEvent }): Promise<void> {
  const dialed = await services.calls.unnamedOfPlatform(companyId, agentId, connector.id);
  if (dialed === null || !endsAlike(event.customer, dialed.phone)) return;
  await changeCall(services, companyId, dialed.id, (call) => {
    const { platform } = call;
    if (platform === null || platform.callId !== null || call.state === 'ended') return { kind: 'kept', why: null };
    return { kind: 'changed', call: { ...call, platform: { ...platform, callId: event.callId }, version: call.version + 1 }, events: [] };
  });
}

/** A platform that does not say whom it calls is believed. */
function endsAlike(told: string | null, phone: string | null): boolean {
  const ends = [told, phone].map((text) => (text ?? '').replaceAll(/\D/g, '').slice(-digitsCompared));
  return told === null || ends[0] === ends[1];
}

type Room = { services: TakeNeeds; connection: CtiConnection; connector: Connector; event: CallEvent };

function isEnd({ event }: PlatformNews): boolean {
  return event === 'ended';
}

/** A lookup by an agent who is not known yet makes the company's CRM ready for the one who answers. */
async function warmUp({ services, connection, event }: Room): Promise<void> {
  if (event.event !== 'ringing' || event.customer === null) return;
  const phone = await readPhone(services, connection.companyId, event.customer);
  if (phone.kind === 'ok') await composeScreenPop(services, connection.companyId, phone.value);
}

function endKey({ connection, event }: Room): string {
  return `cti call ended ${connection.companyId} ${connection.connector} ${event.callId}`;
}

async function rememberEnd(room: Room): Promise<void> {
  await room.services.counters.add(endKey(room), 1, endKnownForSeconds);
}

/** The first that is told of an agent on a call; perhaps its end, and perhaps the end came before. */
async function begin(room: Room, agentId: AgentId, news: PlatformNews): Promise<void> {
  const { services, connection, connector, event } = room;
  const { companyId } = connection;
  const other = await otherEnd(services, companyId, event.customer);
  const pop: ComposedPop = other.phone === null ? { found: false, screenPop: {} } : await composeScreenPop(services, companyId, other.phone);
  const [settings, agent] = await Promise.all([services.settings(companyId), services.agentCard(companyId, agentId)]);
  const direction = event.direction ?? 'inbound';
  const call = newCall({
    id: toId<CallId>(services.newId()),
    companyId,
    agentId,
    direction,
    trigger: direction === 'inbound' ? 'inbound_ring' : 'manual_dial',
    ...other,
    screenPop: pop.screenPop,
    at: news.at,
    platform: { source: connector.id, callId: event.callId, queue: event.queue?.slice(0, longestText) ?? null, at: news.at },
  });
  const started = addEvents(services, call, ['call_started'], { settings, agent, at: new Date(services.clock.now()) });
  if ((await services.calls.create(started.call, started.events)) === 'known') {
    // Two gateways heard of it at once.
    const [theirs] = (await services.calls.ofPlatform(companyId, connector.id, event.callId)).filter((one) => one.agentId === agentId);
    if (theirs !== undefined) await tell(room, theirs, news);
    return;
  }
  services.wakeDispatcher();
  const hasEnded = (await services.counters.read(endKey(room))) !== null;
  const isNew = services.clock.now() - news.at.getTime() < popWithinMs;
  const isShown = isNew && !hasEnded && news.event !== 'ended' && news.event !== 'transferred';
  if (isShown) services.softphones.pop(companyId, agentId, callPop(services, call, pop));
  await tell(room, started.call, news);
  if (hasEnded) await tell(room, started.call, { ...news, event: 'ended', at: new Date(services.clock.now()), talkMs: null });
  if (isShown) void completeScreenPop(services, call, pop);
}

async function otherEnd(services: TakeNeeds, companyId: CompanyId, told: string | null): Promise<OtherEnd> {
  if (told === null) return { phone: null, caller: null };
  const parsed = await readPhone(services, companyId, told);
  return parsed.kind === 'ok' ? { phone: parsed.value, caller: null } : { phone: null, caller: callerText(told) };
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
async function endRingingElsewhere(room: Room, known: Call[], agentId: AgentId, news: PlatformNews): Promise<void> {
  const ringing = known.filter((call) => call.agentId !== agentId && call.state === 'ringing');
  for (const call of ringing) await tell(room, call, { ...news, event: 'ended', cause: 'answered_elsewhere', talkMs: null });
}

/** The call goes to a colleague, where it rings now. */
async function ringAtTarget(room: Room, { at }: PlatformNews): Promise<void> {
  const { services, connection, event } = room;
  const target = await meetAgent(services, connection, event.transferredTo);
  if (target === null || target.agentId === null) return;
  const ringing: CallEvent = { ...event, event: 'ringing', eventId: null, agent: event.transferredTo, transferredTo: null, at: at.getTime(), talkMs: null, cause: null };
  await takeCallEvent(services, connection, room.connector, ringing);
}
