import { eventually } from '../../time/waiting.ts';
import type { ScriptedPhone } from '../scriptedPhone.ts';
import type { Desk } from './desk.ts';

/** The phone without a page. @param troubles what went wrong in it */
export function phoneDesk(at: ScriptedPhone, window: EventTarget, troubles: () => string[]): Desk {
  const { phone, told } = at;
  let seen: 'nothing' | 'ring' | 'call' = 'nothing';
  let isConnected = false;
  phone.on('incoming', () => (seen = 'ring'));
  phone.on('call', (_key, { type }) => {
    if (type === 'connected') isConnected = true;
    if (type !== 'ended') return;
    seen = 'nothing';
    isConnected = false;
  });
  return {
    sees: () => Promise.resolve(seen),
    press: async (what) => {
      await eventually(() => seen === (what === 'hang up' ? 'call' : 'ring'));
      if (what === 'answer') {
        seen = 'call';
        at.call?.answer();
      } else if (what === 'decline') at.call?.reject();
      else at.call?.hangUp();
    },
    dial: () => {
      seen = 'call';
      at.dial();
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
