import { eventually } from '../../time/waiting.ts';
import type { ScriptedPhone } from '../scriptedPhone.ts';
import type { Desk } from './desk.ts';

/** The phone without a page. @param troubles what went wrong in it */
export function phoneDesk({ phone, told }: ScriptedPhone, window: EventTarget, troubles: () => string[]): Desk {
  let seen: 'nothing' | 'ring' | 'call' = 'nothing';
  let isConnected = false;
  phone.on('incoming', () => (seen = 'ring'));
  phone.on('connected', () => (isConnected = true));
  phone.on('ended', () => {
    seen = 'nothing';
    isConnected = false;
  });
  return {
    sees: () => Promise.resolve(seen),
    press: async (what) => {
      await eventually(() => seen === (what === 'hang up' ? 'call' : 'ring'));
      if (what === 'answer') {
        seen = 'call';
        phone.answer();
      } else if (what === 'decline') phone.reject();
      else phone.hangUp();
    },
    dial: (phoneNumber) => {
      seen = 'call';
      phone.dial(phoneNumber, 'the-call');
      return Promise.resolve();
    },
    isConnected: () => eventually(() => isConnected),
    isReady: () => eventually(() => phone.line.state === 'ready'),
    isRegistered: () => Promise.resolve(phone.line.state === 'ready'),
    hurry: () => Promise.resolve(void window.dispatchEvent(new Event('online'))),
    troubles,
    shows: () => Promise.resolve(JSON.stringify({ seen, line: phone.line, told: told.slice(-5) })),
  };
}
