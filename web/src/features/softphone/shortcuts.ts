import { lasts } from '../calls/callWords.ts';
import type { WorkplaceContextValue } from '../workplace/workplaceContext.ts';

export type Shortcut = { key: string; label: string; act: (context: WorkplaceContextValue) => void };

/** With Alt, so that they work while notes are typed. None of them is one that browsers keep for themselves. */
export const shortcuts: readonly Shortcut[] = [
  { key: 'R', label: 'Ready, or Not Ready', act: toggleReady },
  { key: 'A', label: 'Answer', act: answer },
  { key: 'X', label: 'Decline', act: ({ view, workplace }) => view.caller !== null && workplace.reject() },
  { key: 'H', label: 'Hang up', act: hangUp },
  { key: 'M', label: 'Mute', act: ({ view, workplace }) => view.can.mute && isTalking(view) && workplace.setMuted(!view.isMuted) },
  { key: 'L', label: 'Hold', act: ({ view, workplace }) => view.can.hold && isTalking(view) && workplace.setHeld(!view.isHeld) },
];

function toggleReady({ view, workplace, run }: WorkplaceContextValue): void {
  if (view.agent === null || view.line !== 'connected') return;
  const { state, pending_state } = view.agent;
  const isIdle = state === 'ready' || state === 'not_ready';
  const wished = isIdle ? state : (pending_state ?? 'ready');
  run(() => (wished === 'ready' ? workplace.setNotReady() : workplace.setReady()));
}

function answer({ view, workplace }: WorkplaceContextValue): void {
  if (view.caller !== null) workplace.answer();
  else if (view.can.reportsByHand && lasts(view.call) && !isTalking(view)) workplace.reportAnswered();
}

function hangUp({ view, workplace }: WorkplaceContextValue): void {
  if (lasts(view.call) && !view.can.reportsByHand) workplace.hangUp();
}

function isTalking({ call }: WorkplaceContextValue['view']): boolean {
  return call?.state === 'connected' || call?.state === 'held';
}
