import { sessionOf, type CallState } from './callState.ts';

// What two calls of a page do at once. The one in front is what the agent talks in, or all that there is; the one
// behind it rings, or is on hold. Each is a row of the table in callMachine.ts for itself.

/**
 * Whether the agent wants to talk in the call behind, and how far that is: the one in front is to be put on hold first,
 * which is asked of the network. `returning`: whoever was to be talked to is gone, and the hold comes too late.
 */
export type Turn = 'none' | 'wanted' | 'holding' | 'returning';

/** What is to be done next. `exchange`: the call behind is in front from then on, and the other behind it. */
export type TurnStep = 'hold_front' | 'exchange' | 'answer_front' | 'resume_front' | 'return' | 'forget';

/** Whether whoever calls now may ring behind the call in front: not while that is about to be handed on. */
export function hasRoomBehind(front: CallState, behind: CallState): boolean {
  if (front.phase !== 'connected' || behind.phase !== 'idle') return false;
  const { media, record } = front.session;
  return record.kind === 'known' && media.consult === null && !media.isTransferring;
}

/** Whether the agent may turn to the call behind. */
export function mayTurn(front: CallState, behind: CallState): boolean {
  const { consult, isTransferring } = sessionOf(front)?.media ?? { consult: null, isTransferring: false };
  return (behind.phase === 'ringing' || behind.phase === 'connected') && consult === null && !isTransferring;
}

function isOnHold(state: CallState): boolean {
  return state.phase === 'connected' && state.session.media.isHeld;
}

/**
 * What follows from how the two calls stand, in order; nothing: they may stay so. Whoever is heard is in front, also
 * after a reload in the middle of a turn.
 */
export function stepsOf(front: CallState, behind: CallState, turn: Turn): readonly TurnStep[] {
  if (turn === 'returning') {
    if (front.phase !== 'connected') return ['forget'];
    return isOnHold(front) ? ['forget', 'resume_front'] : [];
  }
  if (behind.phase === 'idle') return turn === 'none' ? [] : turn === 'holding' ? ['return'] : ['forget'];
  const begin = turn === 'none' ? [] : ([behind.phase === 'ringing' ? 'answer_front' : 'resume_front'] as const);
  if (front.phase === 'idle') return ['exchange', 'forget', ...begin];
  if (turn === 'none') return isOnHold(front) && behind.phase === 'connected' && !isOnHold(behind) ? ['exchange'] : [];
  if (front.phase !== 'connected') return ['forget'];
  if (isOnHold(front)) return ['exchange', 'forget', ...begin];
  return turn === 'wanted' ? ['hold_front'] : [];
}
