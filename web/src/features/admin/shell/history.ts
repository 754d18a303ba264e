import type { AroundNavHandler } from 'wouter';
import { askToLeave, isGuarded } from './leaveGuard.ts';

/**
 * Moves between pages that are asked for where something would be lost: by links, and by the browser's Back and
 * Forward. Those have happened when they are told of, so they are taken back before the question.
 */

/** Where an entry stands in the tab's history, so that Back can be told from Forward. */
const positionOf = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'position' in state ? Number(state.position) : 0;

let position = positionOf(history.state);
/** What the next `popstate` is, when it was made here. */
let expected: { kind: 'taken back'; distance: number } | { kind: 'allowed' } | null = null;

/** Every navigation by link passes here. */
export const aroundNavigation: AroundNavHandler = (navigate, to, options) => {
  const isReplacing = options?.replace === true;
  const go = () => {
    position += isReplacing ? 0 : 1;
    navigate(to, { ...options, state: { position } });
  };
  if (isReplacing) go();
  else askToLeave(go);
};

function onPopState(event: PopStateEvent): void {
  const told = expected;
  expected = null;
  if (told?.kind === 'taken back') {
    // The address is again that of the page which never left.
    event.stopImmediatePropagation();
    askToLeave(() => {
      expected = { kind: 'allowed' };
      history.go(told.distance);
    });
    return;
  }
  const next = positionOf(event.state);
  const distance = next - position;
  if (told === null && isGuarded() && distance !== 0) {
    event.stopImmediatePropagation();
    expected = { kind: 'taken back', distance };
    history.go(-distance);
    return;
  }
  position = next;
}

// Before the router's own listener, which would show the other page.
window.addEventListener('popstate', onPopState, { capture: true });
