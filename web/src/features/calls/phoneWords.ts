import { messageOf } from '../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import type { PhoneLine } from '../../lib/sip/phoneLine.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';
import { otherEndText } from '../../shared/otherEnd.ts';
import type { PhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { CannotNow, type NoticeMessage } from '../workplace/workplace.ts';
import { whoIs } from './callWords.ts';

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
  switch (message.code) {
    case 'move':
      return t(`phone.notice.move_${message.step}`, {
        who: isolated(otherEndText(t, phoneText, { phone: message.who })),
      });
    case 'lost':
      return t(message.call.answered_at === null ? 'phone.notice.lost_unanswered' : 'phone.notice.lost', {
        who: isolated(otherEndText(t, phoneText, message.call)),
      });
    case 'turned_away':
      return t('phone.notice.turned_away', { who: isolated(whoIs(t, phoneText, message.who)) });
    case 'tones_unsent':
      return t('phone.notice.tones_unsent', { tones: message.tones });
    case 'message_unread':
      return t('phone.notice.message_unread', { what: message.what });
    case 'redirected_elsewhere':
      return t('phone.notice.redirected_elsewhere', { where: isolated(message.where) });
    case 'transfer_unanswered':
      return t('phone.notice.transfer_unanswered', {
        who: isolated(otherEndText(t, phoneText, { phone: message.who })),
      });
    case 'transfer_refused':
      return t('transfer.refused', {
        who: isolated(otherEndText(t, phoneText, { phone: message.who })),
        code: String(message.sipCode ?? 'none'),
      });
    case 'consult_over':
    case 'consult_unanswered':
      return t(`transfer.${message.code}`, { who: isolated(otherEndText(t, phoneText, { phone: message.who })) });
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
