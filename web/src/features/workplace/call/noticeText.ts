import { otherEndText } from '../../../shared/otherEnd.ts';
import type { CallNotice, EventOf } from './callEvents.ts';

const moveTexts: Readonly<Record<EventOf<'moved'>['step'], (who: string) => string>> = {
  begun: (who) => `The other side is transferring this call to ${who} …`,
  done: (who) => `The call was transferred: you are connected with ${who}.`,
  failed: (who) => `The call could not be transferred to ${who}. It goes on as before.`,
};

const texts = {
  not_fetched: 'The voice of the call could not be fetched to this page, so the call was ended.',
  goes_on_unrecorded: 'The gateway was out of reach for too long, and has recorded this call as over. You can go on talking.',
  no_sound_yet: 'The browser plays no sound yet: click anywhere on this page to hear the other side.',
  microphone_lost: 'Your microphone is gone: the other side does not hear you. Plug in a headset.',
  microphone_replaced: 'Your microphone was gone: another one is used now.',
  microphone_not_replaced: 'The other microphone could not be used.',
  between_calls: 'Nobody is in the call yet: it is being transferred. Try again when you are connected.',
  hold_lost: 'The call is not on hold any more: this page could not hold it again. You are muted.',
  hold_refused: 'The telephone network did not do that: the call goes on as before.',
  tone_lost: 'The telephone network did not take the tone.',
  network_unreachable: 'The telephone network cannot be reached at the moment. Try again when the telephone is ready.',
  settings_refused: 'There is no voice for the call: the browser refuses the settings. Ask your admin to check the STUN and TURN servers.',
  no_webrtc_audio:
    'There is no voice for the call: the telephone network offers none that a browser takes. Ask your admin to set your account at the PBX up for WebRTC.',
  no_interface:
    'There is no voice for the call: the browser found no network connection to send it through. Check the network, a VPN or the browser’s privacy settings.',
  no_microphone: 'There is no voice for the call: the microphone cannot be used. Plug in a headset, and allow the microphone in the address bar.',
  connection_lost: 'The connection of the call was lost.',
  connection_lost_ringing: 'The line to the telephone network was lost while it rang.',
  not_taken_over: 'The call could not be fetched back: the telephone network does not hand calls over.',
} as const satisfies Partial<Record<CallNotice['code'], string>>;

/** What the agent is told of a call, in words. */
export function noticeText(notice: CallNotice): string {
  switch (notice.code) {
    case 'move':
      return moveTexts[notice.step](notice.who);
    case 'lost': {
      const who = otherEndText(notice.call);
      return notice.call.answered_at === null
        ? `The call with ${who} was given up before anybody had answered: this page has no voice of it.`
        : `The voice of the call with ${who} could not be fetched to this page, so the call was ended.`;
    }
    case 'tones_unsent':
      return `The call was hung up before these tones were sent: ${notice.tones}`;
    case 'transfer_unanswered':
      return `The call was handed over to ${notice.who}, who could not be reached.`;
    case 'phone_not_ready':
      return notice.detail ?? 'The telephone is not ready.';
    default:
      return texts[notice.code];
  }
}
