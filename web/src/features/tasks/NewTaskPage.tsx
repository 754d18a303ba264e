import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { usePostOnce } from '../../lib/gateway/usePostOnce.ts';
import { contactQuery } from '../contacts/contactQueries.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { NewTaskForm } from './NewTaskForm.tsx';
import { bodyOf, emptyTask, type TaskValues } from './taskForm.ts';

/** The form for a callback or task that nobody set in wrap-up; `?contact=` of the address is whom it is about. */
export function NewTaskPage() {
  const { t } = useTranslation();
  const [asked] = useSearchParams();
  const contactId = asked.get('contact');
  const contact = useQuery({ ...contactQuery(contactId ?? ''), enabled: contactId !== null });
  return (
    <AreaPage title={t('tasks.form.title')}>
      {contactId === null ? (
        <Making contact={null} />
      ) : (
        <Loaded query={contact}>{(known) => <Making key={known.id} contact={known} />}</Loaded>
      )}
    </AreaPage>
  );
}

function Making({ contact }: { contact: ContactView | null }) {
  const { agentId } = useWorkplace();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const postOnce = usePostOnce();
  const creating = useAction(async (values: TaskValues) => {
    await postOnce<TaskView>('/api/crm/tasks', bodyOf(values));
    await queries.invalidateQueries({ queryKey: ['tasks'] });
  });
  const back = () => void navigate(contact === null ? '/callbacks' : `/contacts/${contact.id}`, { replace: true });
  return (
    <NewTaskForm
      initial={emptyTask({
        assignee: agentId,
        contact: contact === null ? null : { id: contact.id, name: contact.name },
      })}
      error={creating.error}
      isSaving={creating.isPending}
      onSave={(values) => creating.run(values, { onSuccess: back })}
      onCancel={back}
    />
  );
}
