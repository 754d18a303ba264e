import type { DisabledReason, EndpointCondition } from '../contract/vocabulary.ts';

/** How a company's webhook endpoint has been answering. */
export type EndpointHealth = {
  /** Failed attempts since the last success; those that were under way when the breaker opened are not counted. */
  consecutiveFailures: number;
  /** When the first of them ended. */
  failingSince: Date | null;
  /** The breaker is open until then; afterwards one attempt at a time probes until one succeeds. */
  pausedUntil: Date | null;
  disabled: { at: Date; reason: DisabledReason } | null;
};

export const healthyEndpoint: EndpointHealth = {
  consecutiveFailures: 0,
  failingSince: null,
  pausedUntil: null,
  disabled: null,
};

/** This many failures in a row open the breaker. */
export const failuresToPause = 10;
const firstPauseMs = 30_000;
const longestPauseMs = 15 * 60_000;
/** Without a success for this long, an endpoint that fails is disabled: five days, as Standard Webhooks advises. */
const disableAfterMs = 120 * 3_600_000;

export type EndpointAttempt = {
  verdict: 'delivered' | 'failed' | 'gone';
  startedAt: Date;
  endedAt: Date;
};

/**
 * The endpoint's health after an attempt. A success makes it healthy at once; a failure that opens or keeps open the
 * breaker pauses it for 30 s, and for twice as long after each failed probe, up to 15 minutes. An endpoint that was
 * disabled stays so, whatever late attempts bring.
 */
export function healthAfter(health: EndpointHealth, { verdict, startedAt, endedAt }: EndpointAttempt): EndpointHealth {
  if (health.disabled !== null) return health;
  switch (verdict) {
    case 'delivered':
      return healthyEndpoint;
    case 'gone':
      return { ...health, disabled: { at: endedAt, reason: 'gone' } };
    case 'failed':
      return afterFailure(health, startedAt, endedAt);
  }
}

function afterFailure(health: EndpointHealth, startedAt: Date, endedAt: Date): EndpointHealth {
  const failingSince = health.failingSince ?? endedAt;
  if (endedAt.getTime() - failingSince.getTime() >= disableAfterMs) {
    return { ...health, failingSince, disabled: { at: endedAt, reason: 'failing' } };
  }
  // Begun before the breaker opened: it adds nothing new.
  if (health.pausedUntil !== null && startedAt < health.pausedUntil) return health;
  const consecutiveFailures = health.consecutiveFailures + 1;
  const pausedUntil =
    consecutiveFailures < failuresToPause ? null : new Date(endedAt.getTime() + pauseAfter(consecutiveFailures));
  return { ...health, consecutiveFailures, failingSince, pausedUntil };
}

function pauseAfter(failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - failuresToPause), longestPauseMs);
}

/** Puts an endpoint's health into one word. */
export function conditionOf(health: EndpointHealth, now: number): EndpointCondition {
  if (health.disabled !== null) return 'disabled';
  if (health.pausedUntil !== null && health.pausedUntil.getTime() > now) return 'paused';
  return health.consecutiveFailures > 0 ? 'failing' : 'healthy';
}
