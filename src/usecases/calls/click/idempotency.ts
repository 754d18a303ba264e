import { createHash } from 'node:crypto';
import type { ClickToDialAnswer } from '../../../contract/clickToDial.ts';
import { type JsonText, writeJson } from '../../../contract/jsonText.ts';
import type { Principal } from '../../../domain/access.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../../domain/outcome.ts';
import type { HeldKey } from '../../../ports/calls.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import type { Services } from '../../services.ts';
import { tooSlow } from './dialEndings.ts';

/** As long as Stripe and most APIs do. Milliseconds. */
export const rememberForMs = 24 * 3_600_000;
/**
 * When a key is free again whose request never finished (the process died). Longer than any request lasts (6 s).
 * Milliseconds.
 */
const holdForMs = 10_000;

type KeyNeeds = Pick<Services, 'clock' | 'idempotency' | 'retries'>;
type BegunRequest = { kind: 'fresh'; held: HeldKey } | { kind: 'answered'; answer: JsonText };

/** Takes a request's key, or refuses the request at the deadline; a key that comes later is freed again. */
export async function beginInTime(
  services: KeyNeeds,
  principal: Principal,
  key: string,
  request: unknown,
  deadline: number,
): Promise<Outcome<BegunRequest>> {
  const beginning = begin(services, principal, key, request);
  const begun = await withDeadline(services.clock, deadline, beginning);
  if (begun !== null) return begun;
  const freeLate = async (late: Outcome<BegunRequest>) => {
    if (late.kind === 'ok' && late.value.kind === 'fresh') await freeKey(services, principal.companyId, late.value.held);
  };
  void beginning.then(freeLate, () => undefined);
  return tooSlow;
}

/** Frees the key of a request that was refused. Never rejects: it is retried until it succeeds. */
export async function freeKey(
  services: Pick<Services, 'idempotency' | 'retries'>,
  companyId: CompanyId,
  held: HeldKey,
): Promise<void> {
  await retryUntilSuccess(services, 'an Idempotency-Key could not be set free', () => services.idempotency.abandon(companyId, held));
}

/**
 * Takes an Idempotency-Key for a request, or finds its first answer. Keys are the company's; to another agent, though,
 * the same body is another request: it would dial from that agent's softphone.
 */
async function begin(
  { idempotency, clock }: Pick<Services, 'idempotency' | 'clock'>,
  principal: Principal,
  key: string,
  request: unknown,
): Promise<Outcome<BegunRequest>> {
  const { companyId } = principal;
  const agentId = principal.kind === 'agent' && principal.role === 'agent' ? principal.agentId : null;
  const now = clock.now();
  const heldUntil = new Date(now + holdForMs);
  const take = (fingerprint: string) =>
    idempotency.begin(companyId, key, createHash('sha256').update(fingerprint).digest('hex'), new Date(now), heldUntil);
  const text = writeJson(request);
  let begun = await take(agentId === null ? text : `["${agentId}",${text}]`);
  if (begun.kind === 'mismatch') {
    // An older version left the agent out and read numbers as doubles. Delete this once no such gateway has run for 24 h.
    const before = await take(JSON.stringify(JSON.parse(text)));
    if (agentId === null || before.kind !== 'answered' || dialedFrom(before.answer) === agentId) begun = before;
  }
  switch (begun.kind) {
    case 'fresh':
      return ok({ kind: 'fresh', held: { key, heldUntil } });
    case 'answered':
      return ok({ kind: 'answered', answer: begun.answer });
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
