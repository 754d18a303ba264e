import type { AgentState } from '../contract/vocabulary.ts';
import { isClaimable, type Presence } from './presence.ts';

/**
 * How soon somebody can take a call: those who can now, those who soon will, those who do not, those who are not there.
 */
const ranks: Record<AgentState, number> = { ready: 0, wrap_up: 2, reserved: 3, on_call: 4, not_ready: 5, offline: 6 };

/** Ready, but the softphone is not connected at this moment. */
const readyAway = 1;

/**
 * Orders people by how soon they can take a call; of those who are alike, whoever has waited, or is at it,
 * longest comes first.
 */
export function compareAvailability(one: Presence, other: Presence): number {
  return rankOf(one) - rankOf(other) || sinceOf(one) - sinceOf(other);
}

function rankOf(presence: Presence): number {
  return presence.state === 'ready' && !isClaimable(presence) ? readyAway : ranks[presence.state];
}

function sinceOf({ idleSince, since }: Presence): number {
  return idleSince ?? since;
}
