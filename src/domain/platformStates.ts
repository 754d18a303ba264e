import { change, endOwnership, isShown, noCall, showPlatform, signOut } from './agentSteps.ts';
import {
  type CommandOf,
  isBusyHere,
  type PlatformOwner,
  platformSilenceMs,
  type Presence,
  type PresenceDecision,
} from './presence.ts';
import { lapseUntil } from './presenceLapse.ts';
import { absent } from './presenceSessions.ts';

// One owner of an agent's state: its softphone, or the telephony platform that it works at (docs/decisions/0049).

/** News that only prolong the ownership are written this often. Milliseconds. */
const prolongMs = 60_000;

/**
 * A platform says what its agent does. Where a softphone has the agent busy, it counts when that is over.
 * What a platform says of its calls alone does not take an agent from another platform, which sets the whole state.
 */
export function followPlatform(
  presence: Presence | null,
  command: CommandOf<'follow_platform'>,
  now: number,
): PresenceDecision {
  const stored = presence ?? absent(command.companyId, command.agentId);
  const lapsed = lapseUntil(stored, now);
  const { said, onlyForCall } = command;
  const owner = lapsed.platform;
  const isOthers = owner !== null && owner.connector !== said.connector && owner.before === null;
  if (onlyForCall && isOthers) return { kind: 'unchanged' };
  const before = onlyForCall ? (owner?.before ?? stateBefore(lapsed)) : null;
  const platform: PlatformOwner = { ...said, until: now + platformSilenceMs, before };
  const next = { ...lapsed, platform };
  if (lapsed.state === 'offline') {
    if (said.state === 'offline')
      return stored.state === 'offline' ? { kind: 'unchanged' } : change(lapsed, {}, stored.version);
    return showPlatform({ ...next, version: stored.version }, now);
  }
  if (lapsed === stored && owner !== null && isSame(owner, platform) && (isBusyHere(next) || isShown(next)))
    return { kind: 'unchanged' };
  if (isBusyHere(lapsed) || isShown(next)) return change(lapsed, { platform }, stored.version);
  return showPlatform({ ...next, version: stored.version }, now);
}

function isSame(one: PlatformOwner, other: PlatformOwner): boolean {
  const { until: _one, ...ofOne } = one;
  const { until: _other, ...ofOther } = other;
  return other.until - one.until < prolongMs && JSON.stringify(ofOne) === JSON.stringify(ofOther);
}

/** What an agent with a softphone goes back to after a platform's call. */
function stateBefore({ pending, platform, reason, sessionId, state }: Presence): PlatformOwner['before'] {
  if (sessionId === null || platform !== null) return null;
  if (state === 'ready' || state === 'not_ready') return { state, reason };
  return pending === null || pending.state === 'offline'
    ? { state: 'ready', reason: null }
    : { state: pending.state, reason: pending.reason };
}

/**
 * The dial that a claimed agent was to make is the platform's, which calls now.
 * What was asked of the agent meanwhile counts afterwards.
 */
export function passToPlatform(
  presence: Presence,
  { connector, onlyForCall }: CommandOf<'pass_to_platform'>,
  now: number,
): PresenceDecision {
  const { callId, pending, platform } = presence;
  const before = onlyForCall ? (platform?.before ?? stateBefore(presence)) : null;
  const owner: PlatformOwner = {
    connector,
    state: 'reserved',
    reason: null,
    callId,
    dialsBy: 'platform',
    until: now + platformSilenceMs,
    before,
  };
  const passed = showPlatform({ ...presence, ...noCall, platform: owner }, now);
  if (pending?.state !== 'offline' || passed.kind !== 'changed') return passed;
  // Its softphone closes, and the call stays with the platform.
  const gone = signOut(passed.next, now);
  return gone.kind === 'changed' ? change(gone.next, {}, presence.version) : gone;
}

/** The platform does not set the agent's state any more: the softphone does, or the agent is gone. */
export function leavePlatform(presence: Presence, connector: string, now: number): PresenceDecision {
  const { platform } = presence;
  if (platform === null || platform.connector !== connector) return { kind: 'unchanged' };
  return endOwnership(presence, now);
}

/**
 * What is asked of an agent whose state a platform sets: it may go (the softphone closes), be freed from what
 * its softphone has, and during a platform's call say what it goes back to. All else is the platform's to say.
 * Null: as of any other agent.
 */
export function askOwned(
  presence: Presence,
  { wanted, force }: CommandOf<'ask'>,
  now: number,
): PresenceDecision | null {
  const { platform } = presence;
  if (platform === null || isBusyHere(presence)) {
    const isOwned = platform !== null && platform.before === null && wanted.state !== 'offline' && !force;
    return isOwned ? { kind: 'refused', code: 'platform_owned' } : null;
  }
  if (wanted.state === 'offline')
    return presence.sessionId === null ? { kind: 'refused', code: 'platform_owned' } : signOut(presence, now);
  if (platform.before === null) return { kind: 'refused', code: 'platform_owned' };
  return change(presence, { platform: { ...platform, before: { state: wanted.state, reason: wanted.reason } } });
}
