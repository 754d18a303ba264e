import type { SkipTaskRequest, TaskView } from '../../contract/tasks.ts';
import type { Principal } from '../../domain/access.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { withSkip } from '../../domain/tasks.ts';
import type { Services } from '../services.ts';
import { type ChangeTaskNeeds, changedMeanwhile, decideAndWrite, taskIsClosed } from './changeTask.ts';

/**
 * Notes that the caller has looked at a call and does not make it now: on the task,
 * and on the timeline of whoever was to be called. The reason says when it is due again, or that it is canceled.
 * @param expected the version that the caller has read: another one now is refused. Null: whatever it is
 */
export async function skipTask(
  services: ChangeTaskNeeds & Pick<Services, 'agentCard' | 'newId'>,
  principal: Principal,
  id: string,
  body: SkipTaskRequest,
  expected: number | null,
): Promise<Outcome<TaskView>> {
  const { companyId } = principal;
  const { settings } = await services.companyOf(companyId);
  const reason = settings.skip_reasons.find(({ code }) => code === body.reason);
  if (reason === undefined) {
    return refuse('invalid_request', 'The company has no such reason.', {
      errors: [{ path: 'reason', message: 'is none of the company’s', code: 'unknown_reason' }],
    });
  }
  const agentId = principal.kind === 'agent' ? principal.agentId : null;
  const by = agentId === null ? null : { id: agentId, name: (await services.agentCard(companyId, agentId)).name };
  const notes = body.notes?.trim() || null;
  return decideAndWrite(services, principal, id, (before) => {
    if (expected !== null && expected !== before.version) return Promise.resolve(changedMeanwhile(before));
    if (before.state !== 'open') return Promise.resolve(taskIsClosed(before));
    const at = new Date(services.clock.now());
    const skips = withSkip(before.skips, { at: at.toISOString(), by, code: reason.code, label: reason.label, notes });
    const next =
      reason.again_minutes === null
        ? { state: 'canceled' as const }
        : { dueAt: new Date(at.getTime() + reason.again_minutes * 60_000) };
    const noted = {
      contactId: before.contact?.id ?? null,
      entryId: services.newId(),
      by: agentId,
      text: notes === null ? reason.label : `${reason.label}: ${notes}`,
    };
    return Promise.resolve(ok({ change: { ...next, skips }, assigneeName: before.assigneeName, noted }));
  });
}
