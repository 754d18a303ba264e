import { api } from '../../lib/gateway/api.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import type { TaskView, UpdateTaskRequest } from '../../../../src/contract/tasks.ts';
import type { DialOptions } from '../workplace/workplace.ts';
import { useWorkplace, type WorkplaceContextValue } from '../workplace/workplaceContext.ts';

const path = ({ id }: TaskView) => `/api/crm/tasks/${id}`;

export type TaskActions = {
  /** See callTask. */
  call: (options: DialOptions) => void;
  change: (change: UpdateTaskRequest) => void;
};

/** Takes what nobody has yet, and dials: from Ready as a click in the CRM does, else by hand. */
export async function callTask(
  { view, workplace }: Pick<WorkplaceContextValue, 'view' | 'workplace'>,
  task: TaskView,
  options: DialOptions,
): Promise<void> {
  const phone = task.phone_number;
  if (phone === null) return;
  if (task.assignee === null) await api.post(`${path(task)}/take`);
  const contactId = task.contact?.id;
  if (view.agent?.state === 'ready') {
    await api.post('/api/integrations/cti/click-to-dial', {
      phone_number: phone,
      contact_id: contactId,
      override_do_not_call: options.overrideDoNotCall,
    });
  } else {
    await workplace.dial(phone, { ...options, ...(contactId === undefined ? {} : { contactId }) });
  }
}

/** Notes that the agent has looked at a call and does not make it now. */
export async function skipTask(task: TaskView, reason: string, notes: string): Promise<void> {
  await api.post(`${path(task)}/skip`, {
    reason,
    notes: notes.trim() === '' ? null : notes.trim(),
    version: task.version,
  });
}

/**
 * What an agent does with a task; why it failed is told as for everything else at the softphone.
 * @param onChanged it was done
 */
export function useTaskActions(task: TaskView, onChanged?: () => void): TaskActions {
  const { view, workplace, run } = useWorkplace();

  /** Done, snoozed or taken by somebody meanwhile: what is shown is out of date. */
  function tell(what: (options: DialOptions) => Promise<unknown>): void {
    run(async (options) => {
      try {
        await what(options);
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
      }
      onChanged?.();
    });
  }

  return {
    call: (options) => tell((more) => callTask({ view, workplace }, task, { ...options, ...more })),
    change: (change) => tell(() => api.patch(path(task), { ...change, version: task.version })),
  };
}
