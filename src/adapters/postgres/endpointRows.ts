import type { DisabledReason } from '../../contract/vocabulary.ts';
import type { EndpointHealth } from '../../domain/endpointHealth.ts';
import type { WebhookEndpoint as StoredEndpoint } from './generated/client.ts';

/** The columns of `webhook_endpoint` that tell how it does. */
type HealthColumns = Pick<
  StoredEndpoint,
  'consecutiveFailures' | 'failingSince' | 'pausedUntil' | 'disabledAt' | 'disabledReason'
>;

/** Reads an endpoint's health. */
export function readHealth(row: HealthColumns): EndpointHealth {
  const { consecutiveFailures, failingSince, pausedUntil, disabledAt, disabledReason } = row;
  return {
    consecutiveFailures,
    failingSince,
    pausedUntil,
    disabled: disabledAt === null ? null : { at: disabledAt, reason: disabledReason as DisabledReason },
  };
}

/** An endpoint's health as its columns. */
export function healthColumns({ disabled, ...health }: EndpointHealth): HealthColumns {
  return { ...health, disabledAt: disabled?.at ?? null, disabledReason: disabled?.reason ?? null };
}
