/**
 * A call in the page, as a table: phase × event → what comes of it.
 *
 * Who is right about what, in this order:
 * - The phone about the audio: whether somebody rings, is connected, held, muted or gone. Of a call that is connected here,
 *   nothing that the gateway tells makes it less so; only its word that the call is over ends it.
 * - The gateway about the record: which call it is, whose, whether there is one at all, and that it is over. Where it has
 *   ended a call only because it heard nothing of the agent, the talk goes on without a record.
 * - Reports that wait to be told (progressReports.ts) about the end of calls that the gateway still counts as lasting.
 * - The tab that has the softphone about the other tabs: one that was replaced gives the audio away, and then says nothing.
 *
 * Pure: no clock, no phone, no network. `CallController` hands events in and does what comes out. docs/softphone-call.md has
 * the diagram of this table; a test compares them.
 */
import { deadlineBetween } from './callState.ts';
import type { CallEvent, EventOf, EventType } from './callEvents.ts';
import type { CallState, Phase, StateOf } from './callState.ts';
import * as gateway from './gatewaySteps.ts';
import * as phone from './phoneSteps.ts';
import { gone, idle, stay, type Step } from './stepParts.ts';
import * as tabs from './tabSteps.ts';

type Decide<P extends Phase, E extends EventType> = (state: StateOf<P>, event: EventOf<E>, now: number) => Step;
type Cell<P extends Phase, E extends EventType> = { to: readonly Phase[]; decide: Decide<P, E> };
type Table = { readonly [P in Phase]: { readonly [E in EventType]: Cell<P, E> } };

/** @param to the phases that it may lead to, beside the one it is in */
function go<S, E>(decide: (state: S, event: E, now: number) => Step, ...to: Phase[]) {
  return { to, decide };
}

/** Means nothing in this phase, on purpose. */
const no = go((state: CallState) => stay(state));
/** The agent has a call already. */
const busy = go(phone.turnAway);
const failClick = go(gateway.failClick);
const media = { caller_changed: go(phone.changeCaller), held_by_other: go(phone.setHeldByOther), transferring: go(phone.setTransferring), consulting: go(phone.setConsult), trouble: go(phone.setTrouble), measured: go(phone.setQuality) };
/** Nothing at the phone is of this call. */
const noMedia = { rings: no, connected: no, held: no, caller_changed: no, held_by_other: no, transferring: no, consulting: no, muted: no, trouble: no, measured: no, moved: no, ended: no, nothing_to_end: no };
/** No record of a call is waited for. */
const noRecord = { dial_refused: no, recorded: no, unrecorded: no, no_place: no };
/** Nothing that other tabs could have, or take. */
const noTabs = { dialog_found: no, dialog_asked: no, handover_settled: no, taken_back: no };
const forgotten = { replaced: go(tabs.letGo, 'idle'), left: go(tabs.leave, 'idle') };
const leaveRecovering = go(tabs.leaveRecovering, 'idle');
const learns = { recorded: go(gateway.takeRecord), unrecorded: go(gateway.goUnrecorded), no_place: go(gateway.leaveOut) };
const resync = go(gateway.resync, 'idle');
const hear = go(gateway.hear, 'idle');

export const callTable = {
  idle: {
    dial: go(phone.request, 'requesting'), answer: no, decline: no, hang_up: go(phone.endOrphan),
    incoming: go(phone.ring, 'ringing'), phone_changed: no, ...noMedia,
    make_way: no, offer: go(gateway.accept, 'offered'), offer_withdrawn: no, transfer_offered: go(gateway.expect, 'expecting'), dial_confirmed: go(gateway.dialClick, 'dialing'), ...noRecord,
    call_told: go(gateway.hearOfOther), resynced: no, orphan_found: go(tabs.recover, 'awaiting_ring', 'recovering'),
    ...noTabs, ...forgotten, replaced: go(tabs.letGo), leaving: no, left: go(tabs.leave), timeout: no,
  },
  offered: {
    dial: no, answer: no, decline: no, hang_up: go(phone.endOrphan),
    incoming: busy, phone_changed: no, ...noMedia,
    make_way: no, offer: go(gateway.accept), offer_withdrawn: go(gateway.forgetOffer, 'idle'), transfer_offered: no, dial_confirmed: go(gateway.dialClick, 'dialing'), ...noRecord,
    call_told: go(gateway.hearOfOther), resynced: no, orphan_found: go(tabs.recover, 'awaiting_ring', 'recovering'),
    ...noTabs, ...forgotten, leaving: no, timeout: go(() => stay(idle), 'idle'),
  },
  expecting: {
    dial: no, answer: no, decline: no, hang_up: go(phone.endOrphan),
    incoming: go(phone.ringExpected, 'ringing'), phone_changed: no, ...noMedia,
    make_way: no, offer: no, offer_withdrawn: go(gateway.forgetTransfer, 'idle'), transfer_offered: go(gateway.expect), dial_confirmed: failClick, ...noRecord,
    call_told: go(gateway.hearOfExpected, 'awaiting_ring', 'idle'), resynced: no, orphan_found: go(tabs.recover, 'awaiting_ring', 'recovering'),
    ...noTabs, ...forgotten, leaving: no, timeout: go(() => stay(idle), 'idle'),
  },
  awaiting_ring: {
    dial: no, answer: no, decline: no, hang_up: go(phone.giveUpAwaited, 'idle'),
    incoming: go(phone.ring, 'ringing'), phone_changed: no, ...noMedia,
    make_way: no, offer: go(gateway.accept, 'offered'), offer_withdrawn: no, transfer_offered: no, dial_confirmed: go(gateway.dialClick, 'dialing'), ...noRecord,
    call_told: go(gateway.hearOfOther, 'idle'), resynced: go(gateway.resyncAwaited, 'idle'), orphan_found: go(tabs.recover, 'recovering'),
    ...noTabs, ...forgotten, leaving: no, timeout: go(phone.stopAwaiting, 'idle'),
  },
  requesting: {
    dial: no, answer: no, decline: no, hang_up: go(phone.dropRequest, 'idle'),
    // Who is declined meanwhile ends nothing of this call.
    incoming: busy, phone_changed: no, ...noMedia,
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick,
    dial_refused: go(() => stay(idle, ...gone), 'idle'), recorded: go(gateway.takeRecord, 'dialing'), unrecorded: no, no_place: no,
    call_told: go(gateway.hear, 'dialing'), resynced: no, orphan_found: go(gateway.adopt, 'dialing'),
    ...noTabs, ...forgotten, leaving: go(tabs.unlessByHand(phone.dropRequest), 'idle'), timeout: no,
  },
  dialing: {
    dial: no, answer: no, decline: no, hang_up: go(phone.endCanceled),
    incoming: busy, phone_changed: no, rings: go(phone.ringBack), connected: go(phone.connect, 'connected'), held: go(phone.setHeld), ...media,
    muted: go(phone.setMuted), moved: go(phone.move), ended: go(phone.end, 'idle'), nothing_to_end: go(phone.end, 'idle'),
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, ...noRecord,
    call_told: hear, resynced: resync, orphan_found: no,
    ...noTabs, ...forgotten, leaving: go(tabs.unlessByHand(phone.endCanceled)), timeout: no,
  },
  ringing: {
    dial: no, answer: go(phone.answer, 'answering'), decline: go(phone.decline), hang_up: go(phone.decline),
    incoming: busy, phone_changed: no, rings: no, connected: go(phone.connect, 'connected'), held: go(phone.setHeld), ...media,
    muted: go(phone.setMuted), moved: go(phone.move), ended: go(phone.end, 'idle'), nothing_to_end: no,
    make_way: go(gateway.makeWay), offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, dial_refused: no, ...learns,
    call_told: hear, resynced: resync, orphan_found: go(gateway.adopt),
    ...noTabs, ...forgotten, leaving: go(tabs.unlessByHand(tabs.leaveCaller), 'idle'), timeout: no,
  },
  answering: {
    dial: no, answer: no, decline: go(phone.decline), hang_up: go(phone.decline),
    incoming: busy, phone_changed: no, rings: no, connected: go(phone.connect, 'connected'), held: go(phone.setHeld), ...media,
    muted: go(phone.setMuted), moved: go(phone.move), ended: go(phone.end, 'idle'), nothing_to_end: no,
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, dial_refused: no, ...learns,
    call_told: hear, resynced: resync, orphan_found: go(gateway.adopt),
    ...noTabs, ...forgotten, leaving: go(tabs.unlessByHand(tabs.leaveCaller), 'idle'), timeout: no,
  },
  connected: {
    dial: no, answer: no, decline: no, hang_up: go(phone.endCompleted),
    incoming: busy, phone_changed: no, rings: no, connected: no, held: go(phone.setHeld), ...media,
    muted: go(phone.setMuted), moved: go(phone.move), ended: go(phone.end, 'idle'), nothing_to_end: go(phone.end, 'idle'),
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, dial_refused: no, ...learns,
    call_told: hear, resynced: resync, orphan_found: go(gateway.adopt),
    ...noTabs, replaced: go(tabs.standBy, 'standing_by'), leaving: no, left: go(tabs.leaveToNextPage, 'idle'), timeout: no,
  },
  standing_by: {
    dial: no, answer: no, decline: no, hang_up: go(phone.endCompleted),
    incoming: busy, phone_changed: no, rings: no, connected: no, held: go(phone.setHeld), ...media,
    muted: go(phone.setMuted), moved: go(phone.move), ended: go(tabs.endStandingBy, 'idle'), nothing_to_end: go(tabs.endStandingBy, 'idle'),
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, dial_refused: no, ...learns,
    call_told: hear, resynced: resync, orphan_found: go(gateway.adopt),
    dialog_found: no, dialog_asked: go(tabs.handOver, 'handed_over'), handover_settled: no, taken_back: go(tabs.takeBack, 'connected'),
    replaced: no, leaving: no, left: go(tabs.leave, 'idle'), timeout: go(tabs.letGo, 'idle'),
  },
  handed_over: {
    dial: no, answer: no, decline: no, hang_up: go(phone.endCompleted),
    incoming: busy, phone_changed: no, rings: no, connected: no, held: go(tabs.holdHandedOver), ...media,
    caller_changed: no, muted: go(tabs.muteHandedOver), moved: no, ended: go(tabs.endHandedOver, 'idle'), nothing_to_end: go(tabs.endHandedOver, 'idle'),
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, ...noRecord,
    call_told: hear, resynced: resync, orphan_found: no,
    dialog_found: no, dialog_asked: go(tabs.handOver), handover_settled: go(tabs.settleHandover, 'idle'), taken_back: go(tabs.takeBack, 'connected'),
    replaced: no, leaving: no, left: go(tabs.leaveHandedOver, 'idle'), timeout: go(tabs.letGo, 'idle'),
  },
  recovering: {
    dial: no, answer: no, decline: no, hang_up: go(tabs.hangUpRecovering, 'idle'),
    // Who is declined meanwhile ends nothing of this call.
    incoming: busy, phone_changed: go(tabs.search, 'searching', 'dialing', 'connected'), ...noMedia,
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, ...noRecord,
    call_told: hear, resynced: resync, orphan_found: no,
    ...noTabs, ...forgotten, leaving: no, left: leaveRecovering, timeout: go(tabs.search, 'searching'),
  },
  searching: {
    dial: no, answer: no, decline: no, hang_up: go(tabs.hangUpRecovering, 'idle'),
    incoming: busy, phone_changed: no, ...noMedia,
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, ...noRecord,
    call_told: hear, resynced: resync, orphan_found: no,
    ...noTabs, dialog_found: go(tabs.takeDialog, 'fetching', 'awaiting_phone', 'idle'), ...forgotten, leaving: no, left: leaveRecovering, timeout: go(tabs.beLate),
  },
  awaiting_phone: {
    dial: no, answer: no, decline: no, hang_up: go(tabs.hangUpRecovering, 'idle'),
    incoming: busy, phone_changed: go(tabs.fetchWhenReady, 'fetching', 'idle'), ...noMedia,
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, ...noRecord,
    call_told: hear, resynced: resync, orphan_found: no,
    ...noTabs, ...forgotten, leaving: no, left: leaveRecovering, timeout: go(tabs.giveUp, 'idle'),
  },
  fetching: {
    dial: no, answer: no, decline: no, hang_up: go(tabs.hangUpRecovering, 'idle'),
    incoming: busy, phone_changed: no, rings: no, connected: go(phone.connect, 'connected'), held: go(phone.setHeld), ...media,
    muted: go(phone.setMuted), moved: go(phone.move), ended: go(tabs.failFetching, 'idle'), nothing_to_end: no,
    make_way: no, offer: no, offer_withdrawn: no, transfer_offered: no, dial_confirmed: failClick, ...noRecord,
    call_told: hear, resynced: resync, orphan_found: no,
    ...noTabs, ...forgotten, leaving: no, left: leaveRecovering, timeout: no,
  },
} as const satisfies Table;

/**
 * What comes of an event.
 * @param now milliseconds since the epoch, by this machine's clock
 */
export function transition(state: CallState, event: CallEvent, now: number): Step {
  const row = callTable[state.phase] as Record<EventType, Cell<Phase, EventType>>;
  const step = row[event.type].decide(state, event, now);
  const ms = deadlineBetween(state.phase, step.state.phase);
  return ms === undefined ? step : { ...step, effects: [...step.effects, { do: 'set_deadline', ms }] };
}
