import type { MessageNotice } from '../../../../src/contract/messages.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { isolated } from '../../shared/phoneNumbers/direction.ts';

/** Whether it is for the reader alone, a team or everybody, for the reader. */
export function audienceText(t: Translate, { to }: Pick<MessageNotice, 'to'>): string {
  return to.kind === 'team'
    ? t('messages.unread.toTeam', { team: isolated(to.name ?? '') })
    : t(to.kind === 'agent' ? 'messages.unread.toYou' : 'messages.unread.toEverybody');
}

/** For whom a message is, for who writes. */
export function recipientText(t: Translate, { to }: Pick<MessageNotice, 'to'>): string {
  if (to.kind === 'everybody') return t('messages.write.everybody');
  return to.kind === 'team' ? t('messages.write.team', { name: isolated(to.name ?? '') }) : (to.name ?? '');
}
