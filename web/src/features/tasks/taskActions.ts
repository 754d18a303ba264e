import { api } from '../../lib/gateway/api.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import type { TaskView, UpdateTaskRequest } from '../../../../src/contract/tasks.ts';
import type { DialOptions } from '../workplace/workplace.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

const path = ({ id }: TaskView) => `/api/crm/tasks/${id}`;

export type TaskActions = {
  /** Takes what nobody has yet, and dials: from Ready as a click in the CRM does, else by hand. */
  call: (options: DialOptions) => void;
  change: (change: UpdateTaskRequest) => void;
};

/** What an agent does with a task; why it failed is told as for everything else at the softphone. @param onChanged it was done */
export function useTaskActions(task: TaskView, onChanged?: () => void): TaskActions {
  const { view, workplace, run } = useWorkplace();

  async function call(options: DialOptions): Promise<void> {
    const phone = task.phone_number;
    if (phone === null) return;
    if (task.assignee === null) await api.post(`${path(task)}/take`);
    const contact = task.contact === null ? {} : { contact_id: task.contact.id };
    if (view.agent?.state === 'ready') await api.post('/api/integrations/cti/click-to-dial', { phone_number: phone, ...contact, override_do_not_call: options.overrideDoNotCall });
    else await workplace.dial(phone, options);
  }

  /** Done, snoozed or taken by somebody meanwhile: what is shown is out of date. */
  function tell(what: () => Promise<unknown>): void {
    run(async () => {
      try {
        await what();
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
      }
      onChanged?.();
    });
  }

  return { call: (options) => tell(() => call(options)), change: (change) => tell(() => api.patch(path(task), { ...change, version: task.version })) };
}
