import type { Call } from '../../domain/calls.ts';
import type { Principal } from '../../domain/access.ts';
import { ok } from '../../domain/outcome.ts';
import { type ChangeTaskNeeds, decideAndWrite, taskIsClosed } from './changeTask.ts';

/** So many callbacks of one customer are due at once, at most. */
const mostDue = 20;

/**
 * The agent has called a customer and wrapped the call up: what was due for that number or contact, as the agent's own
 * or nobody's, is done. A customer who was not reached is still to be called back, unless another time was set; so are
 * others who share the number. May be repeated.
 */
export async function closeCalledBack(services: ChangeTaskNeeds, principal: Principal, call: Call): Promise<void> {
  const { agentId, companyId, disposition, endedAt, phone } = call;
  if (call.direction !== 'outbound' || phone === null || endedAt === null || disposition === null) return;
  if (call.answeredAt === null && disposition.callbackAt === null) return;
  if (!(await services.companyOf(companyId)).hasTasks) return;
  const due = { state: 'open', kind: 'callback', dueUntil: endedAt, calls: phone } as const;
  const { items } = await services.tasks.list(companyId, { agentIds: [agentId], contacts: 'all' }, due, 'due', {
    cursor: null,
    limit: mostDue,
  });
  const called = call.screenPop?.contact_id ?? call.contactId;
  const isOfAnother = (contactId: string | null) =>
    contactId !== null && (called !== null ? contactId !== called : call.screenPop?.candidates !== undefined);
  for (const { id, callId, contactId } of items) {
    // The one that this wrap-up has set is to come.
    if (callId === call.id || isOfAnother(contactId)) continue;
    await decideAndWrite(services, principal, id, (before) =>
      Promise.resolve(
        before.state === 'open'
          ? ok({ change: { state: 'done' as const }, assigneeName: before.assigneeName })
          : taskIsClosed(before),
      ),
    );
  }
}
