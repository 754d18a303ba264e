import type { TestWebhookAnswer } from '../../contract/integrations.ts';
import type { Principal } from '../../domain/access.ts';
import { toId, type DeliveryId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AttemptErrorCode, AttemptResult } from '../../ports/webhookSender.ts';
import { envelope } from '../calls/callEvents.ts';
import type { Services } from '../services.ts';
import { errorOf, sendDelivery, type SendNeeds, type SentDelivery } from '../webhooks/attemptDelivery.ts';
import { noteHealth } from '../webhooks/noteHealth.ts';

type Needs = SendNeeds & Pick<Services, 'newId' | 'nodeId' | 'outbox' | 'settings' | 'testsUnderWay' | 'wakeDispatcher'>;

type Admin = Extract<Principal, { kind: 'agent' }>;

/** Longer than the attempt may last, so that nobody else sends the test. */
const leaseMs = 60_000;

/**
 * When the answer comes if there was no connection: a little after the 5 s that a connection is waited for, so that
 * the slowest way to fail is over too.
 */
const unreachableAfterMs = 5_500;
const unreachable = 'The endpoint could not be reached.';

/**
 * Sends an `integration_test` at once and once, and tells how it went; it is in the delivery log like any other. A
 * success makes the endpoint well. A failure counts for nothing, and a disabled endpoint is tested and stays disabled.
 *
 * Whoever may set a webhook URL could use the test to feel around in the network that the gateway stands in, host by
 * host and port by port. So all tests that never got a connection are answered alike, and at the same moment: closed
 * ports, ports behind a firewall, addresses that are refused and names that do not resolve. The delivery log says no
 * more of them, and one test runs at a time.
 */
export async function testWebhook(services: Needs, principal: Principal): Promise<Outcome<TestWebhookAnswer>> {
  if (principal.kind !== 'agent') return refuse('unauthenticated', 'This needs the token of an admin.');
  const { testsUnderWay } = services;
  const { companyId } = principal;
  if (testsUnderWay.has(companyId)) return refuse('conflict', 'A test is under way; its answer takes up to 15 seconds.');
  testsUnderWay.add(companyId);
  try {
    return ok(await test(services, principal));
  } finally {
    testsUnderWay.delete(companyId);
  }
}

async function test(services: Needs, { companyId, agentId, agentCode }: Admin): Promise<TestWebhookAnswer> {
  const now = services.clock.now();
  const body = envelope(await services.settings(companyId), new Date(now), {
    event: 'integration_test',
    data: { requested_by: { id: agentId, agent_code: agentCode } },
  });
  const id = toId<DeliveryId>(services.newId());
  const event = { id, event: 'integration_test', callId: null, sequence: null, body } as const;
  const claim = { claimId: services.nodeId, leaseUntil: new Date(now + leaseMs) };
  const delivery = await services.outbox.addClaimed(companyId, event, claim);
  if (delivery === null) return { outcome: 'skipped', detail: 'No webhook_url is set.' };

  const sent = await sendDelivery(services, delivery);
  if (isUnreachable(sent.result)) {
    await waitUntil(services.clock, now + unreachableAfterMs);
    await services.outbox.settle(claim.claimId, withoutReason(sent).settlement);
    return { outcome: 'fail', detail: unreachable };
  }
  await services.outbox.settle(claim.claimId, sent.settlement);
  if (sent.verdict === 'delivered' && delivery.endpoint.consecutiveFailures > 0) {
    await noteHealth(services, delivery, sent);
    // What waited for the breaker may go.
    services.wakeDispatcher();
  }
  return answerOf(sent.result);
}

/** For the log: neither why nor how fast. */
function withoutReason(sent: SentDelivery): SentDelivery {
  const { settlement } = sent;
  return { ...sent, settlement: { ...settlement, attempt: { ...settlement.attempt, error: unreachable, latencyMs: unreachableAfterMs } } };
}

function answerOf(result: AttemptResult): TestWebhookAnswer {
  const detail = errorOf(result);
  return {
    outcome: detail === null ? 'success' : 'fail',
    ...(result.kind === 'response' ? { status_code: result.statusCode } : {}),
    latency_ms: result.latencyMs,
    ...(detail === null ? {} : { detail }),
  };
}

const withoutConnection = new Set<AttemptErrorCode>(['blocked_address', 'dns', 'connect', 'connect_timeout']);

function isUnreachable(result: AttemptResult): boolean {
  return result.kind === 'error' && withoutConnection.has(result.code);
}

function waitUntil(clock: Clock, time: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(Math.max(time - clock.now(), 0), resolve);
  });
}
