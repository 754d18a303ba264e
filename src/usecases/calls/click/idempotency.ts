import { createHash } from 'node:crypto';
import type { ClickToDialAnswer } from '../../../contract/clickToDial.ts';
import { writeJson, type JsonText } from '../../../contract/jsonText.ts';
import type { Principal } from '../../../domain/access.ts';
import { ok, refuse, type Outcome } from '../../../domain/outcome.ts';
import type { ClaimedKey } from '../../../ports/idempotency.ts';
import type { Services } from '../../services.ts';

/** Stripe's and the field's usual span. */
export const rememberForMs = 24 * 3_600_000;
/** A claim on a key whose request never finished (the process died) lapses; longer than any request may last (6 s). */
const claimLapsesAfterMs = 10_000;

export type BegunRequest = { kind: 'fresh'; claimed: ClaimedKey } | { kind: 'answered'; answer: JsonText };

/**
 * Claims an Idempotency-Key for a request, or finds its first answer. Keys are the company's; to another agent, though,
 * the same body is another request: it would dial from that agent's softphone.
 */
export async function beginIdempotent(
  { idempotency, clock }: Pick<Services, 'idempotency' | 'clock'>,
  principal: Principal,
  key: string,
  request: unknown,
): Promise<Outcome<BegunRequest>> {
  const { companyId } = principal;
  const agentId = principal.kind === 'agent' && principal.role === 'agent' ? principal.agentId : null;
  const now = clock.now();
  const claimedUntil = new Date(now + claimLapsesAfterMs);
  const claimFor = (fingerprint: string) =>
    idempotency.begin(companyId, key, createHash('sha256').update(fingerprint).digest('hex'), new Date(now), claimedUntil);
  const text = writeJson(request);
  let claim = await claimFor(agentId === null ? text : `["${agentId}",${text}]`);
  if (claim.kind === 'mismatch') {
    // The version before left the agent out and read numbers as doubles. This may go once no gateway of it has run for 24 h.
    const before = await claimFor(JSON.stringify(JSON.parse(text)));
    if (agentId === null || before.kind !== 'answered' || dialedFrom(before.answer) === agentId) claim = before;
  }
  switch (claim.kind) {
    case 'fresh':
      return ok({ kind: 'fresh', claimed: { key, claimedUntil } });
    case 'answered':
      return ok({ kind: 'answered', answer: claim.answer });
    case 'in_progress':
      return refuse('idempotency_in_progress', 'The first request with this Idempotency-Key has not been answered yet.', {
        retryAfterSeconds: 1,
      });
    case 'mismatch':
      return refuse('idempotency_mismatch', 'This Idempotency-Key belongs to an earlier request with another body or by another agent.');
  }
}

/** The agent of a click's answer. */
function dialedFrom(answer: JsonText): unknown {
  return (answer.plain() as Partial<ClickToDialAnswer>).agent?.id;
}
