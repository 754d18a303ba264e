import type { CallCourseView, CallDeliveryView } from '../../../contract/callCourse.ts';
import type { Principal } from '../../../domain/access.ts';
import { courseOfCall } from '../../../domain/callSteps.ts';
import type { CallId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/outcome.ts';
import type { Services } from '../../services.ts';
import { deliveryView } from '../../webhooks/readDeliveries.ts';
import { findCall } from './readCalls.ts';

/** More than a call has, sent again and corrected. */
const mostDeliveries = 100;

/** What happened in a call, who did it, and how long each step lasted. Refuses with `not_found` and `wrong_company`. */
export async function readCourse(
  services: Pick<Services, 'agentCards' | 'calls' | 'ledAgents'>,
  principal: Principal,
  callId: CallId,
): Promise<Outcome<{ steps: CallCourseView[] }>> {
  const found = await findCall(services, principal, callId);
  if (found.kind === 'refused') return found;
  const course = courseOfCall(found.value, await services.calls.steps(principal.companyId, callId));
  const cards = await services.agentCards(
    principal.companyId,
    course.flatMap(({ person }) => person ?? []),
  );
  const steps = course.map(({ at, by, person, step }, place): CallCourseView => {
    const next = course[place + 1];
    const known = person === null ? undefined : cards.get(person);
    return {
      step,
      at: at.toISOString(),
      by,
      person: known === undefined ? null : { id: known.id, name: known.name },
      seconds: next === undefined ? null : Math.round((next.at.getTime() - at.getTime()) / 1_000),
    };
  });
  return ok({ steps });
}

/**
 * What was sent of a call to the company's webhook and its CRM, the latest first, as far as a supervisor needs it: what
 * is in them, and what the other side answered in words, is for admins. Refuses with `not_found` and `wrong_company`.
 */
export async function listDeliveriesOf(
  services: Pick<Services, 'calls' | 'ledAgents' | 'outbox'>,
  principal: Principal,
  callId: CallId,
): Promise<Outcome<{ deliveries: CallDeliveryView[] }>> {
  const found = await findCall(services, principal, callId);
  if (found.kind === 'refused') return found;
  const { items } = await services.outbox.list(
    principal.companyId,
    { callId },
    { cursor: null, limit: mostDeliveries },
  );
  return ok({ deliveries: items.map((delivery) => withoutContent(deliveryView(delivery))) });
}

function withoutContent({
  attempts,
  created_at,
  event,
  finished_at,
  id,
  last_status_code,
  next_attempt_at,
  state,
  target,
}: ReturnType<typeof deliveryView>): CallDeliveryView {
  return { id, target, event, state, attempts, next_attempt_at, last_status_code, created_at, finished_at };
}
