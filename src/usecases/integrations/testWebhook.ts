import type { TestWebhookAnswer } from '../../contract/integrations.ts';
import type { Principal } from '../../domain/access.ts';
import { toId, type DeliveryId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { AttemptResult } from '../../ports/webhookSender.ts';
import { envelope } from '../calls/callEvents.ts';
import type { Services } from '../services.ts';
import { attemptDelivery, errorOf, type AttemptNeeds } from '../webhooks/attemptDelivery.ts';

/** Longer than the attempt may last, so that nobody else sends the test. */
const leaseMs = 60_000;

/** Sends an `integration_test` at once and once, and tells how it went; it is in the delivery log like any other. */
export async function testWebhook(
  services: AttemptNeeds & Pick<Services, 'newId' | 'settings'>,
  principal: Principal,
): Promise<Outcome<TestWebhookAnswer>> {
  if (principal.kind !== 'agent') return refuse('unauthenticated', 'This needs the token of an admin.');
  const { companyId, agentId, agentCode } = principal;
  const now = services.clock.now();
  const body = envelope(await services.settings(companyId), new Date(now), {
    event: 'integration_test',
    data: { requested_by: { id: agentId, agent_code: agentCode } },
  });
  const id = toId<DeliveryId>(services.newId());
  const claimId = services.newId();
  const event = { id, event: 'integration_test', callId: null, sequence: null, body } as const;
  const claim = { claimId, leaseUntil: new Date(now + leaseMs) };
  const delivery = await services.outbox.addClaimed(companyId, event, claim);
  if (delivery === null) return ok({ outcome: 'skipped', detail: 'No webhook_url is set.' });
  const { result } = await attemptDelivery(services, delivery, claimId, false);
  return ok(answerOf(result));
}

function answerOf(result: AttemptResult): TestWebhookAnswer {
  const detail = errorOf(result);
  return {
    outcome: detail === null ? 'success' : 'fail',
    ...(result.kind === 'response' ? { status_code: result.statusCode } : {}),
    latency_ms: result.latencyMs,
    ...(detail === null ? {} : { detail: isUnreachable(result) ? 'The endpoint could not be reached.' : detail }),
  };
}

/** Closed, filtered and refused addresses answer alike, so that the test does not map a network. */
function isUnreachable(result: AttemptResult): boolean {
  return result.kind === 'error' && ['blocked_address', 'dns', 'connect', 'timeout'].includes(result.code);
}
