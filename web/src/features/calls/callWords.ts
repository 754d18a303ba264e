import type { CallCourse } from '../../../../src/contract/callRules.ts';
import type { CallSummary, CallView } from '../../../../src/contract/calls.ts';
import { type ReportedEndDetail, reportedEndDetails } from '../../../../src/contract/vocabulary.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import type { VoiceTrouble } from '../../lib/sip/phoneCall.ts';
import type { PhoneLine } from '../../lib/sip/phoneLine.ts';
import { refusalOf } from '../../lib/sip/refusals.ts';
import { endText } from '../../shared/callState.tsx';
import { callingEnd, otherEndText, type OtherEndOfCall } from '../../shared/otherEnd.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import type { PhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { CannotNow, type NoticeMessage, type OtherCall, type WorkplaceView } from '../workplace/workplace.ts';

/** How far a call is, or how it ended. */
type Ending = Pick<
  CallSummary,
  'state' | 'direction' | 'answered_at' | 'end_reason' | 'end_detail' | 'ended_by' | 'sip_code'
>;

/**
 * How a call ended, for a person: `Busy`, `Number not in service`, `Failed: the softphone was gone`, `Failed (482)`.
 */
export function resultText(t: Translate, call: Ending): string {
  if (call.state !== 'ended') return t(`shared.callState.${call.state}`);
  const told = toldDetail(call);
  if (told === 'voice_lost' && call.end_reason === 'completed') return t('softphone.end.audioLost');
  if (told !== null) return t(`softphone.endDetail.${told}`);
  if (call.end_reason === 'canceled' && call.direction === 'inbound' && call.ended_by === 'customer')
    return t('softphone.end.callerHungUp');
  const result = endText(t, call);
  if (call.end_detail !== null) {
    const detail = t(`softphone.endDetail.${call.end_detail as 'softphone_lost'}`, { defaultValue: call.end_detail });
    return t('softphone.end.because', { result, detail });
  }
  return call.end_reason === 'failed' && call.sip_code !== null
    ? t('softphone.end.withCode', { result, code: call.sip_code })
    : result;
}

/** Of softphones that tell no more than a code, what that means. */
function toldDetail({ direction, answered_at, end_reason, end_detail, sip_code }: Ending): ReportedEndDetail | null {
  if (end_detail !== null) return isTold(end_detail) ? end_detail : null;
  const wasRefused = direction === 'outbound' && answered_at === null && sip_code !== null && sip_code >= 300;
  if (!wasRefused || (end_reason !== 'failed' && end_reason !== 'rejected')) return null;
  return refusalOf(sip_code).detail ?? null;
}

function isTold(detail: string): detail is ReportedEndDetail {
  return (reportedEndDetails as readonly string[]).includes(detail);
}

/** How a call that is over counts: whether it was missed, and is wrapped up. */
export function courseOf({
  direction,
  answered_at,
  end_detail,
}: Pick<CallSummary, 'direction' | 'answered_at' | 'end_detail'>): CallCourse {
  return { direction, wasAnswered: answered_at !== null, endDetail: end_detail };
}

/**
 * What is wrong with the audio of the call that lasts, for a person.
 * @param now by the gateway's clock; null: however long
 */
export function troubleText(t: Translate, trouble: VoiceTrouble, now: number | null): string {
  if (trouble.kind === 'reconnecting') return t('softphone.audio.reconnecting');
  if (now === null) return t('softphone.audio.silent');
  return t('softphone.audio.silentFor', { seconds: Math.max(0, Math.round((now - trouble.since) / 1000)) });
}

/** The customer's name where it is known, else the number, else what the network told. */
export function whoIs(
  t: Translate,
  phoneText: PhoneText,
  call: Pick<CallSummary, 'phone' | 'caller' | 'customer_name'>,
): string {
  const name = call.customer_name?.trim();
  return name === undefined || name === '' ? otherEndText(t, phoneText, call) : name;
}

/** The customer's name: as the call's record has it, else as it popped. */
export function nameOf(call: Pick<CallSummary, 'id' | 'customer_name'>, pop: WorkplaceView['pop']): string {
  return (call.customer_name ?? (pop?.call_id === call.id ? pop.screen_pop.name : null) ?? '').trim();
}

/** Who calls: as the gateway has read it, before that as the network told it; null: nobody. */
export function ringingEnd({ call, caller }: Pick<WorkplaceView, 'call' | 'caller'>): OtherEndOfCall | null {
  if (call?.direction === 'inbound' && call.state === 'ringing') return { phone: call.phone, caller: call.caller };
  return caller === null ? null : callingEnd(caller);
}

/** The name of who calls: as it popped, else as the network told it; undefined or null: neither did. */
export function ringingName({ caller, pop }: Pick<WorkplaceView, 'caller' | 'pop'>): string | null | undefined {
  return pop?.screen_pop.name ?? caller?.displayName;
}

/** Who is in the call beside, as of `ringingEnd`. */
export function besideEnd({ call, caller }: OtherCall): OtherEndOfCall | null {
  return call === null ? caller && callingEnd(caller) : { phone: call.phone, caller: call.caller };
}

/** Their name, as of `ringingName`. */
export function besideName({ call, caller }: OtherCall): string {
  return (call?.customer_name ?? caller?.displayName ?? '').trim();
}

/**
 * Who calls at this moment, be it beside a call, for a person; null: nobody.
 * `isBeside`: see `Workplace.turnToOther`.
 */
export function whoCalls(
  t: Translate,
  phoneText: PhoneText,
  view: WorkplaceView,
): { who: string; isBeside: boolean } | null {
  const { caller, other } = view;
  const end = caller === null ? null : ringingEnd(view);
  if (end !== null) return { who: ringingName(view) ?? otherEndText(t, phoneText, end), isBeside: false };
  const beside = other?.caller == null ? null : besideEnd(other);
  if (other === null || beside === null) return null;
  const name = besideName(other);
  return { who: name === '' ? otherEndText(t, phoneText, beside) : name, isBeside: true };
}

/** Whether there is a call at this moment. */
export function lasts(call: CallView | null): call is CallView {
  return call !== null && call.state !== 'ended';
}

/** Why nothing can be dialed by hand now, for a person; null: it can. */
export function dialBlocker(t: Translate, { line, phone, agent }: WorkplaceView): string | null {
  if (line === 'closed') return t('softphone.dial.elsewhere');
  if (line !== 'connected' || agent === null) return t('softphone.dial.notConnected');
  if (phone.state !== 'ready') return t('phone.notReady');
  switch (agent.state) {
    case 'ready':
    case 'not_ready':
      return null;
    case 'wrap_up':
      return t('softphone.dial.wrapUpFirst');
    case 'reserved':
    case 'on_call':
      return t('phone.cannot.in_call');
    case 'offline':
      return t('softphone.dial.loggedOut');
  }
}

/** Whether a call keeps the agent from signing out. That of another tab, which has taken over, does not. */
export function keepsSignedIn({ agent, call, caller, line, isEngaged }: WorkplaceView): boolean {
  if (line === 'replaced') return isEngaged;
  return lasts(call) || caller !== null || agent?.state === 'on_call' || agent?.state === 'reserved';
}

/** Why the phone cannot be used, and what to do about it, for its agent. */
export function phoneTroubleText(t: Translate, line: PhoneLine): string {
  switch (line.state) {
    case 'ready':
      return t('phone.notReady');
    case 'starting':
      return t('phone.starting');
    case 'unavailable':
      return t(`phone.trouble.${line.why}`, line);
  }
}

/** What the agent is told by a notice. */
export function noticeText(t: Translate, phoneText: PhoneText, message: NoticeMessage): string {
  const named = (end: OtherEndOfCall) => isolated(otherEndText(t, phoneText, end));
  switch (message.code) {
    case 'move':
      return t(`phone.notice.move_${message.step}`, { who: named({ phone: message.who }) });
    case 'lost':
      return t(`phone.notice.lost${message.call.answered_at === null ? '_unanswered' : ''}`, {
        who: named(message.call),
      });
    case 'turned_away':
      return t('phone.notice.turned_away', { who: isolated(whoIs(t, phoneText, message.who)) });
    case 'tones_unsent':
    case 'message_unread':
      return t(`phone.notice.${message.code}`, message);
    case 'redirected_elsewhere':
      return t('phone.notice.redirected_elsewhere', { where: isolated(message.where) });
    case 'transfer_unanswered':
      return t('phone.notice.transfer_unanswered', { who: named({ phone: message.who }) });
    case 'transfer_refused':
      return t('transfer.refused', {
        who: named({ phone: message.who }),
        code: String(message.sipCode ?? 'none'),
      });
    case 'consult_over':
    case 'consult_unanswered':
      return t(`transfer.${message.code}`, { who: named({ phone: message.who }) });
    case 'phone_not_ready':
      return phoneTroubleText(t, message.line);
    case 'cannot_go_ready':
    case 'paused':
      return t(`phone.notice.${message.code}`, { why: phoneTroubleText(t, message.line) });
    default:
      return t(`phone.notice.${message.code}`);
  }
}

/** What to tell the agent about something that was thrown at what they wanted to do. */
export function failureText(t: Translate, error: unknown): string {
  if (!(error instanceof CannotNow)) return messageOf(t, error);
  return typeof error.why === 'string' ? t(`phone.cannot.${error.why}`) : phoneTroubleText(t, error.why);
}
