import { otherEndText } from '../../shared/otherEnd.ts';
import type { CallNotice, EventOf } from './callEvents.ts';

const moveTexts: Readonly<Record<EventOf<'moved'>['step'], (who: string) => string>> = {
  begun: (who) => `The other side is transferring this call to ${who} …`,
  done: (who) => `The call was transferred: you are connected with ${who}.`,
  failed: (who) => `The call could not be transferred to ${who}. It goes on as before.`,
};

/** What the agent is told of a call, in words. */
export function noticeText(notice: CallNotice): string {
  switch (notice.code) {
    case 'move':
      return moveTexts[notice.step](notice.who);
    case 'not_fetched':
      return 'The voice of the call could not be fetched to this page, so the call was ended.';
    case 'lost': {
      const who = otherEndText(notice.call);
      return notice.call.answered_at === null
        ? `The call with ${who} was given up before anybody had answered: this page has no voice of it.`
        : `The voice of the call with ${who} could not be fetched to this page, so the call was ended.`;
    }
    case 'goes_on_unrecorded':
      return 'The gateway was out of reach for too long, and has recorded this call as over. You can go on talking.';
    case 'phone':
      return notice.text;
  }
}
