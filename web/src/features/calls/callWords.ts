import type { CallCourse } from '../../../../src/contract/callCourse.ts';
import type { CallSummary, CallView } from '../../../../src/contract/calls.ts';
import { type CallState, type EndReason, type ReportedEndDetail, reportedEndDetails } from '../../../../src/contract/vocabulary.ts';
import type { VoiceTrouble } from '../../lib/sip/phone.ts';
import { refusalOf } from '../../lib/sip/refusals.ts';
import { callingEnd, otherEndText } from '../../shared/otherEnd.ts';
import type { WorkplaceView } from '../workplace/workplace.ts';

export const callStateLabels: Readonly<Record<CallState, string>> = {
  queued: 'About to dial',
  dialing: 'Dialing',
  ringing: 'Ringing',
  connected: 'Connected',
  held: 'On hold',
  ended: 'Ended',
};

export const heldByOther = 'The other side put you on hold';

const endReasonLabels: Readonly<Record<EndReason, string>> = {
  completed: 'Completed',
  busy: 'Busy',
  no_answer: 'No answer',
  rejected: 'Declined',
  canceled: 'Canceled',
  failed: 'Failed',
  missed: 'Missed',
};

/** What the softphone told: it stands for the reason. */
const toldDetails: Readonly<Record<ReportedEndDetail, string>> = {
  not_in_service: 'Number not in service',
  number_incomplete: 'Number incomplete or wrong',
  not_reachable: 'Not reachable',
  not_allowed: 'Not allowed by the telephone network',
  service_unavailable: 'Service unavailable',
  no_common_voice: 'No voice that both sides understand',
  voice_lost: 'Connection lost',
};
/** What the gateway told: it explains the reason. */
const gatewayDetails: Readonly<Record<string, string>> = {
  softphone_lost: 'the softphone was gone',
};

/** How a call ended, for a person: `Busy`, `Number not in service`, `Failed: the softphone was gone`, `Failed (482)`. */
export function resultText(call: CallSummary): string {
  if (call.state !== 'ended') return callStateLabels[call.state];
  const told = toldDetail(call);
  if (told === 'voice_lost' && call.end_reason === 'completed') return `${endReasonLabels.completed}: the voice was lost`;
  if (told !== null) return toldDetails[told];
  if (call.end_reason === 'canceled' && call.direction === 'inbound' && call.ended_by === 'customer') return 'Caller hung up';
  const result = call.end_reason === null ? callStateLabels.ended : endReasonLabels[call.end_reason];
  if (call.end_detail !== null) return `${result}: ${gatewayDetails[call.end_detail] ?? call.end_detail.replaceAll('_', ' ')}`;
  return call.end_reason === 'failed' && call.sip_code !== null ? `${result} (${call.sip_code})` : result;
}

/** Of softphones that tell no more than a code, what that means. */
function toldDetail({ direction, answered_at, end_reason, end_detail, sip_code }: CallSummary): ReportedEndDetail | null {
  if (end_detail !== null) return isTold(end_detail) ? end_detail : null;
  const wasRefused = direction === 'outbound' && answered_at === null && sip_code !== null && sip_code >= 300;
  if (!wasRefused || (end_reason !== 'failed' && end_reason !== 'rejected')) return null;
  return refusalOf(sip_code).detail ?? null;
}

function isTold(detail: string): detail is ReportedEndDetail {
  return (reportedEndDetails as readonly string[]).includes(detail);
}

/** How a call that is over counts: whether it was missed, and is wrapped up. */
export function courseOf({ direction, answered_at, end_detail }: CallSummary): CallCourse {
  return { direction, wasAnswered: answered_at !== null, endDetail: end_detail };
}

/** What is wrong with the voice of the call that lasts, for a person. @param now by the gateway's clock; null: however long */
export function troubleText(trouble: VoiceTrouble, now: number | null): string {
  if (trouble.kind === 'reconnecting') return 'Reconnecting audio … You and the customer cannot hear each other at the moment.';
  if (now === null) return 'No audio from the customer';
  return `No audio from the customer for ${Math.max(0, Math.round((now - trouble.since) / 1000))} s`;
}

/** The customer's name where it is known, else the number, else what the network told. */
export function whoIs(call: Pick<CallSummary, 'phone' | 'caller' | 'customer_name'>): string {
  const name = call.customer_name?.trim();
  return name === undefined || name === '' ? otherEndText(call) : name;
}

/** The number of who calls, or what else is told of them: as the gateway has read it, before that as the network told it. */
export function callingText({ call, caller }: Pick<WorkplaceView, 'call' | 'caller'>): string {
  if (call?.direction === 'inbound' && call.state === 'ringing') return otherEndText(call);
  return caller === null ? '' : otherEndText(callingEnd(caller));
}

/** Whether there is a call at this moment. */
export function lasts(call: CallView | null): call is CallView {
  return call !== null && call.state !== 'ended';
}

/** Why nothing can be dialed by hand now, for a person; null: it can. */
export function dialBlocker({ line, phone, agent }: WorkplaceView): string | null {
  if (line !== 'connected' || agent === null) return 'Not connected to the gateway.';
  if (phone.state !== 'ready') return 'The telephone is not ready.';
  switch (agent.state) {
    case 'ready':
    case 'not_ready':
      return null;
    case 'wrap_up':
      return 'Wrap up first, then dial.';
    case 'reserved':
    case 'on_call':
      return 'There is a call already.';
    case 'offline':
      return 'You are logged out.';
  }
}

/** Whether a call keeps the agent from signing out. That of another tab, which has taken over, does not. */
export function keepsSignedIn({ agent, call, caller, line, isEngaged }: WorkplaceView): boolean {
  if (line === 'replaced') return isEngaged;
  return lasts(call) || caller !== null || agent?.state === 'on_call' || agent?.state === 'reserved';
}
