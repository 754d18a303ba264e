import { Button, Group, Menu, Popover, Stack, Text } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AgentView } from '../../../../src/contract/agents.ts';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';

const everyMs = 15_000;
/** So many are listed; the others wait for their turn. */
const shown = 20;

type Overdue = { tasks: TaskView[]; total: number | null };

/** How many callbacks are overdue; a press lists them, to be handed over. Nothing where none is. */
export function OverdueTasks() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['overdue-tasks'],
    queryFn: ({ signal }) => api.get<Overdue>('/api/crm/tasks', { overdue: 'true', limit: shown }, signal),
    refetchInterval: everyMs,
  });
  if (data === undefined || data.tasks.length === 0) return null;
  const total = data.total ?? data.tasks.length;
  return (
    <Popover width="min(32rem, 95vw)" position="bottom-start" shadow="md" withinPortal>
      <Popover.Target>
        <Button variant="light" color="orange" size="xs" leftSection={<IconClockExclamation size="1.25em" aria-hidden />} style={{ alignSelf: 'flex-start' }}>
          {t('wallboard.overdue.title')}: {total}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('wallboard.overdue.title')} mah="60vh" style={{ overflowY: 'auto' }}>
        <Stack component="ul" gap="xs" p={0} m={0}>
          {data.tasks.map((task) => (
            <OverdueTask key={task.id} task={task} />
          ))}
        </Stack>
        {total > data.tasks.length && (
          <Text size="sm" c="dimmed" mt="xs">
            {t('wallboard.overdue.more', { count: total - data.tasks.length })}
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function OverdueTask({ task }: { task: TaskView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const phoneText = usePhoneText();
  const queries = useQueryClient();
  const who = task.contact?.name ?? task.title ?? (task.phone_number === null ? '' : phoneText(task.phone_number));
  const what = task.kind === 'task' ? (task.title ?? who) : t('wallboard.overdue.callback', { who });
  const time = format.moment(task.due_at);
  const handOver = useAction(async (assignee: string | null) => {
    try {
      await api.patch(`/api/crm/tasks/${task.id}`, { assignee_id: assignee, version: task.version });
    } finally {
      await queries.invalidateQueries({ queryKey: ['overdue-tasks'] });
    }
  });
  return (
    <Group component="li" justify="space-between" wrap="nowrap" style={{ listStyle: 'none' }}>
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          <bdi>{what}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {task.assignee === null ? t('wallboard.overdue.nobodys', { time }) : t('wallboard.overdue.whose', { name: task.assignee.name, time })}
        </Text>
        {handOver.error !== null && (
          <Text size="xs" c="red" role="alert">
            {messageOf(t, handOver.error)}
          </Text>
        )}
      </div>
      <Menu withinPortal={false} position="bottom-end">
        <Menu.Target>
          <Button size="compact-xs" variant="default" loading={handOver.isPending} aria-label={t('wallboard.overdue.handOver', { what })}>
            {t('wallboard.overdue.choose')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="14rem" style={{ overflowY: 'auto' }}>
          <Agents task={task} onChoose={(id) => handOver.run(id)} />
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** Those who may take it. */
function Agents({ task, onChoose }: { task: TaskView; onChoose: (agentId: string | null) => void }) {
  const { t } = useTranslation();
  const { data = [] } = useQuery({
    queryKey: ['overdue-tasks', 'agents'],
    queryFn: async ({ signal }) => (await api.get<{ agents: AgentView[] }>('/api/agents', { limit: 200 }, signal)).agents,
    staleTime: 60_000,
  });
  return (
    <>
      {task.assignee !== null && <Menu.Item onClick={() => onChoose(null)}>{t('wallboard.overdue.anyone')}</Menu.Item>}
      {data
        .filter(({ id, active, role }) => active && role !== 'dialer' && id !== task.assignee?.id)
        .map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => onChoose(id)}>
            {name}
          </Menu.Item>
        ))}
    </>
  );
}
