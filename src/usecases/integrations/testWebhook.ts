import type { TestWebhookAnswer } from '../../contract/integrations.ts';
import type { Principal } from '../../domain/access.ts';
import { type DeliveryId, toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import type { AttemptResult } from '../../ports/webhookSender.ts';
import { envelope } from '../webhooks/envelope.ts';
import type { Services } from '../services.ts';
import { causeOf, errorOf, sendDelivery, type SendNeeds } from '../webhooks/attemptDelivery.ts';
import { noteHealth } from '../webhooks/endpointHealth.ts';
import { limitRate, webhookLimits } from './endpointRequest.ts';

type Needs = SendNeeds &
  Pick<Services, 'counters' | 'newId' | 'nodeId' | 'outbox' | 'companyOf' | 'testsUnderWay' | 'wakeDispatcher'>;

type Admin = Extract<Principal, { kind: 'agent' }>;

/** Longer than the attempt may last, so that no dispatcher sends the test as well. Milliseconds. */
const ownMs = 60_000;

/**
 * Sends an `integration_test` at once and once, and tells how it went; it is in the delivery log like any other. A
 * success marks the endpoint healthy; a failure does not count against it. A disabled endpoint is tested and stays
 * disabled. The answer tells in full what went wrong; tests are limited in rate, so that nobody can map a network with
 * them.
 */
export async function testWebhook(services: Needs, principal: Principal): Promise<Outcome<TestWebhookAnswer>> {
  if (principal.kind !== 'agent') return refuse('unauthenticated', 'This needs the token of an admin.');
  const { testsUnderWay } = services;
  const { companyId } = principal;
  if (testsUnderWay.has(companyId)) {
    return refuse('conflict', 'A test is under way; its answer takes up to 15 seconds.', {
      cause: { code: 'test_under_way' },
    });
  }
  testsUnderWay.add(companyId);
  try {
    const tooMany = await limitRate(
      services.counters,
      `webhook tests of ${companyId}`,
      'webhook tests',
      webhookLimits.tests,
    );
    if (tooMany !== null) return tooMany;
    return ok(await test(services, principal));
  } finally {
    testsUnderWay.delete(companyId);
  }
}

async function test(services: Needs, { companyId, agentId, agentCode }: Admin): Promise<TestWebhookAnswer> {
  const now = services.clock.now();
  const body = envelope(await services.companyOf(companyId), new Date(now), {
    event: 'integration_test',
    data: { requested_by: { id: agentId, agent_code: agentCode } },
  });
  const id = toId<DeliveryId>(services.newId());
  const event = { id, event: 'integration_test', callId: null, sequence: null, body } as const;
  const delivery = await services.outbox.addOwn(companyId, event, new Date(now + ownMs));
  if (delivery === null)
    return { outcome: 'skipped', detail: 'No webhook_url is set.', cause: { code: 'not_sent_without_url' } };

  const sent = await sendDelivery(services, { ...delivery, body });
  await services.outbox.settle(services.nodeId, sent.settlement);
  if (sent.verdict === 'delivered' && delivery.endpoint.consecutiveFailures > 0) {
    await noteHealth(services, delivery, sent);
    // Deliveries that waited for the breaker may go out.
    services.wakeDispatcher(companyId);
  }
  return answerOf(sent.result);
}

function answerOf(result: AttemptResult): TestWebhookAnswer {
  const detail = errorOf(result);
  const cause = causeOf(result);
  return {
    outcome: detail === null ? 'success' : 'fail',
    ...(result.kind === 'response' ? { status_code: result.statusCode } : {}),
    latency_ms: result.latencyMs,
    ...(detail === null ? {} : { detail }),
    ...(cause === null ? {} : { cause }),
  };
}
