import { Button, EmptyState, Group, Stack, Title } from '@mantine/core';
import { IconPhoneOutgoing, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { useNow } from '../../shared/time.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { More } from '../crm/More.tsx';
import { showNext } from '../preview/showNext.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { TaskCard } from './TaskCard.tsx';
import { tasksQuery } from './taskQueries.ts';
import { useTaskRefresh } from './useTaskRefresh.ts';

/** What the agent has to do when: overdue, today, later, and what nobody has yet. */
export function CallbacksPage() {
  const { t } = useTranslation();
  const { agentId } = useWorkplace();
  const own = useInfiniteQuery(tasksQuery(agentId, { assignee: 'me' }));
  const anyones = useInfiniteQuery(tasksQuery(agentId, { assignee: 'anyone' }));
  const refresh = useTaskRefresh();
  const tasks = own.data ?? [];
  const nobodys = anyones.data ?? [];
  const groups = useGroups(tasks);
  return (
    <AreaPage
      title={t('tasks.page.title')}
      actions={
        <Button component={Link} to="/callbacks/new" size="xs" leftSection={<IconPlus size={14} aria-hidden />}>
          {t('tasks.page.add')}
        </Button>
      }
    >
      <Loaded query={own}>
        {() =>
          tasks.length === 0 && nobodys.length === 0 ? (
            <EmptyState
              icon={<IconPhoneOutgoing />}
              title={t('tasks.page.noneTitle')}
              description={t('tasks.page.noneText')}
            />
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
  const { t } = useTranslation();
  const { run, view } = useWorkplace();
  const isPreviewed = view.settings?.preview_dial === true;
  const toCall = tasks.filter(({ phone_number }) => phone_number !== null);
  if (tasks.length === 0) return null;
  return (
    <section aria-label={title}>
      <Group gap="xs">
        <Title order={3} size="h4">
          {title}
        </Title>
        {isPreviewed && toCall.length > 0 && (
          <Button size="compact-xs" variant="light" onClick={() => run(() => showNext(toCall))}>
            {t('tasks.page.workThrough', { count: toCall.length })}
          </Button>
        )}
      </Group>
      <Stack component="ul" gap="xs" p={0} my="xs" maw={720}>
        {tasks.map((task, index) => (
          <TaskCard key={task.id} task={task} following={tasks.slice(index + 1)} onChanged={onChanged} />
        ))}
      </Stack>
    </section>
  );
}
