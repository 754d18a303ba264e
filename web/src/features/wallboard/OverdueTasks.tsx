import { Button, Group, Popover, Stack, Text } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { api } from '../../lib/gateway/api.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { HandOverTask } from '../tasks/lazyHandOverTask.ts';

const everyMs = 15_000;
/** So many are listed; the others wait for their turn. */
const shown = 20;

type Overdue = { tasks: TaskView[]; total: number | null };

/** How many callbacks are overdue; a press lists them, to be handed over. Nothing where none is. */
export function OverdueTasks() {
  const { t } = useTranslation();
  // A press in the dialog that is above it must not take it away.
  const [isChoosing, setChoosing] = useState(false);
  const { data } = useQuery({
    queryKey: ['overdue-tasks'],
    queryFn: ({ signal }) => api.get<Overdue>('/api/crm/tasks', { overdue: 'true', limit: shown }, signal),
    refetchInterval: everyMs,
  });
  if (data === undefined || data.tasks.length === 0) return null;
  const total = data.total ?? data.tasks.length;
  return (
    <Popover
      width="min(32rem, 95vw)"
      position="bottom-start"
      shadow="md"
      withinPortal
      closeOnClickOutside={!isChoosing}
      closeOnEscape={!isChoosing}
    >
      <Popover.Target>
        <Button
          variant="light"
          color="orange"
          size="xs"
          leftSection={<IconClockExclamation size="1.25em" aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('wallboard.overdue.title')}: {total}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('wallboard.overdue.title')} mah="60vh" style={{ overflowY: 'auto' }}>
        <Stack component="ul" gap="xs" p={0} m={0}>
          {data.tasks.map((task) => (
            <OverdueTask key={task.id} task={task} onChoosing={setChoosing} />
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

function OverdueTask({ task, onChoosing }: { task: TaskView; onChoosing: (isChoosing: boolean) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const phoneText = usePhoneText();
  const queries = useQueryClient();
  const who = task.contact?.name ?? task.title ?? (task.phone_number === null ? '' : phoneText(task.phone_number));
  const what = task.kind === 'task' ? (task.title ?? who) : t('wallboard.overdue.callback', { who });
  const time = format.moment(task.due_at);
  const [isOpen, setOpen] = useState(false);

  function choose(isChoosing: boolean): void {
    setOpen(isChoosing);
    onChoosing(isChoosing);
  }

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
          {task.assignee === null
            ? t('wallboard.overdue.nobodys', { time })
            : t('wallboard.overdue.whose', { name: task.assignee.name, time })}
        </Text>
      </div>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('wallboard.overdue.handOver', { what })}
        onClick={() => choose(true)}
      >
        {t('wallboard.overdue.choose')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <HandOverTask
            what={what}
            ownerId={task.assignee?.id ?? null}
            isOpen
            isBusy={handOver.isPending}
            error={handOver.error}
            onHandOver={(agentId) => handOver.run(agentId, { onSuccess: () => choose(false) })}
            onClose={() => choose(false)}
          />
        </Suspense>
      )}
    </Group>
  );
}
