import { useEffect, useRef } from 'react';
import { isTalking } from '../../shared/callState.tsx';
import { lasts } from '../calls/callWords.ts';
import { useWorkplace, type WorkplaceContextValue } from '../workplace/workplaceContext.ts';

type Shortcut = {
  key: string;
  text:
    | `softphone.call.${'answer' | 'decline' | 'hangUp' | 'mute' | 'hold'}`
    | 'softphone.shortcut.ready'
    | 'softphone.other.turn';
  act: (context: WorkplaceContextValue) => void;
};

/** With Alt, so that they work while notes are typed. None of them is one that browsers keep for themselves. */
export const shortcuts: readonly Shortcut[] = [
  { key: 'R', text: 'softphone.shortcut.ready', act: toggleReady },
  { key: 'A', text: 'softphone.call.answer', act: answer },
  {
    key: 'X',
    text: 'softphone.call.decline',
    act: ({ view, workplace }) => {
      if (view.caller !== null) workplace.reject();
      else if (view.other?.caller != null) workplace.rejectOther();
    },
  },
  { key: 'H', text: 'softphone.call.hangUp', act: hangUp },
  {
    key: 'M',
    text: 'softphone.call.mute',
    act: ({ view, workplace }) => view.can.mute && isTalking(view.call) && workplace.setMuted(!view.isMuted),
  },
  {
    key: 'L',
    text: 'softphone.call.hold',
    act: ({ view, workplace }) => view.can.hold && isTalking(view.call) && workplace.setHeld(!view.isHeld),
  },
  {
    key: 'S',
    text: 'softphone.other.turn',
    act: ({ view, workplace }) => view.other?.caller === null && workplace.turnToOther(),
  },
];

function toggleReady({ view, workplace, run }: WorkplaceContextValue): void {
  if (view.agent === null || view.line !== 'connected') return;
  const { state, pending_state } = view.agent;
  const isIdle = state === 'ready' || state === 'not_ready';
  const requested = isIdle ? state : (pending_state ?? 'ready');
  run(() => (requested === 'ready' ? workplace.setNotReady() : workplace.setReady()));
}

function answer({ view, workplace }: WorkplaceContextValue): void {
  if (view.caller !== null) workplace.answer();
  else if (view.other?.caller != null) workplace.turnToOther();
  else if (view.can.reportsByHand && lasts(view.call) && !isTalking(view.call)) workplace.reportAnswered();
}

function hangUp({ view, workplace }: WorkplaceContextValue): void {
  if (lasts(view.call) && !view.can.reportsByHand) workplace.hangUp();
}

/** Listens to the shortcuts for as long as the page is the agent's softphone. */
export function useShortcuts(): void {
  const context = useWorkplace();
  const latest = useRef(context);
  useEffect(() => void (latest.current = context));
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      // AltGr, which types characters, reports Ctrl too.
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat) return;
      // By the place of the key: with Alt, macOS types another character.
      const shortcut = shortcuts.find(({ key }) => event.code === `Key${key}`);
      if (shortcut === undefined || latest.current.view.line === 'replaced') return;
      event.preventDefault();
      shortcut.act(latest.current);
    }
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
