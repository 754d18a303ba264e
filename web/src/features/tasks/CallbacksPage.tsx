import { EmptyState, Stack, Title } from '@mantine/core';
import { IconPhoneOutgoing } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { api } from '../../lib/gateway/api.ts';
import { useNow } from '../../shared/time.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { More } from '../crm/More.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { TaskCard } from './TaskCard.tsx';

/** So many are read at once. */
const pageSize = 50;

type TaskList = { tasks: TaskView[]; next_cursor: string | null };

function tasksQuery(agentId: string, assignee: 'me' | 'anyone') {
  return infiniteQueryOptions({
    queryKey: ['tasks', agentId, assignee],
    queryFn: ({ pageParam, signal }) => api.get<TaskList>('/api/crm/tasks', { assignee, limit: pageSize, cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

/** What the agent has to do when: overdue, today, later, and what nobody has yet. */
export function CallbacksPage() {
  const { t } = useTranslation();
  const { agentId, view } = useWorkplace();
  const queries = useQueryClient();
  const own = useInfiniteQuery(tasksQuery(agentId, 'me'));
  const anyones = useInfiniteQuery(tasksQuery(agentId, 'anyone'));
  const refresh = () => void queries.invalidateQueries({ queryKey: ['tasks', agentId] });
  // What falls due, or was dealt with at the softphone; and what was set in wrap-up.
  const due = view.dueTasks.map(({ id, version }) => `${id} ${String(version)}`).join();
  const wrappedUp = view.call?.disposition?.submitted_at;
  useEffect(() => void queries.invalidateQueries({ queryKey: ['tasks', agentId] }), [queries, agentId, due, wrappedUp]);
  const tasks = own.data?.pages.flatMap((page) => page.tasks) ?? [];
  const nobodys = anyones.data?.pages.flatMap((page) => page.tasks) ?? [];
  const groups = useGroups(tasks);
  return (
    <AreaPage title={t('tasks.page.title')}>
      <Loaded query={own}>
        {() =>
          tasks.length === 0 && nobodys.length === 0 ? (
            <EmptyState icon={<IconPhoneOutgoing />} title={t('tasks.page.noneTitle')} description={t('tasks.page.noneText')} />
          ) : (
            <>
              <TaskGroup title={t('tasks.page.overdue')} tasks={groups.overdue} onChanged={refresh} />
              <TaskGroup title={t('tasks.page.today')} tasks={groups.today} onChanged={refresh} />
              <TaskGroup title={t('tasks.page.later')} tasks={groups.later} onChanged={refresh} />
              <More query={own} />
              <TaskGroup title={t('tasks.page.anyones')} tasks={nobodys} onChanged={refresh} />
              <More query={anyones} />
            </>
          )
        }
      </Loaded>
    </AreaPage>
  );
}

type Groups = Record<'overdue' | 'today' | 'later', TaskView[]>;

/** By the agent's own clock. */
function useGroups(tasks: readonly TaskView[]): Groups {
  const now = useNow();
  const midnight = new Date(now).setHours(24, 0, 0, 0);
  const groups: Groups = { overdue: [], today: [], later: [] };
  for (const task of tasks) {
    const due = Date.parse(task.due_at);
    groups[due < now ? 'overdue' : due < midnight ? 'today' : 'later'].push(task);
  }
  return groups;
}

type TaskGroupProps = { title: string; tasks: readonly TaskView[]; onChanged: () => void };

function TaskGroup({ title, tasks, onChanged }: TaskGroupProps) {
  if (tasks.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={3} size="h4">
        {title}
      </Title>
      <Stack component="ul" gap="xs" p={0} my="xs" maw={720}>
        {tasks.map((task) => (
          <TaskCard key={task.id} task={task} onChanged={onChanged} />
        ))}
      </Stack>
    </section>
  );
}
