import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/i18n/format.ts';
import { tasksQuery } from '../tasks/taskQueries.ts';
import { useTaskRefresh } from '../tasks/useTaskRefresh.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { OpenList } from './OpenList.tsx';

/** What is to be done for a contact, as far as the agent sees it, and the way to set more. */
export function OpenTasks({ contactId }: { contactId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { agentId } = useWorkplace();
  const query = useInfiniteQuery(tasksQuery(agentId, { contact: contactId }));
  useTaskRefresh();
  return (
    <OpenList
      title={t('crmArea.tasks.title')}
      add={{ text: t('crmArea.tasks.add'), to: `/callbacks/new?contact=${contactId}` }}
      query={query}
    >
      {({ id, kind, title, notes, due_at, assignee }) => (
        <li key={id}>
          <Text size="sm" fw={600}>
            {kind === 'callback' ? t('softphone.customer.callback') : title}
          </Text>
          {notes !== null && (
            <Text size="sm" lineClamp={2}>
              {notes}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {[format.moment(due_at), assignee?.name ?? t('softphone.customer.anyone')].join(' · ')}
          </Text>
        </li>
      )}
    </OpenList>
  );
}
