import { Badge, Button, Group, Menu, Paper, Text } from '@mantine/core';
import { IconCheck, IconClockPause, IconPhone } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { localeOf, type PageLanguage } from '../../lib/i18n/languages.ts';
import { PhoneNumber } from '../../shared/phoneNumbers/PhoneNumber.tsx';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { DialGuard } from '../calls/DialGuard.tsx';
import { openPreview } from '../preview/previewStore.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { HandOverTask } from './lazyHandOverTask.ts';
import { useTaskActions } from './taskActions.ts';
import { momentIn, showSame, taskTitle } from './taskText.ts';

type Props = {
  task: TaskView;
  /** What comes after it in the list that it stands in. */
  following?: readonly TaskView[];
  onChanged?: () => void;
};

/** What is to be done, when by both clocks, and the buttons for it. */
export function TaskCard({ task, following = [], onChanged }: Props) {
  const { t } = useTranslation();
  const title = taskTitle(t, usePhoneText(), task);
  const { call, change } = useTaskActions(task, onChanged);
  const [isHandingOver, setHandingOver] = useState(false);
  const named = (action: string) => t('tasks.actions.of', { action, what: title });
  const callText = t(task.assignee === null ? 'tasks.actions.take' : 'tasks.actions.call');
  const isPreviewed = useWorkplace().view.settings?.preview_dial === true;
  return (
    <Paper component="li" withBorder p="xs" style={{ listStyle: 'none' }}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{title}</bdi>
        </Text>
        {task.assignee === null && (
          <Badge variant="light" tt="none">
            {t('tasks.due.anyones')}
          </Badge>
        )}
      </Group>
      {task.phone_number !== null && <PhoneNumber number={task.phone_number} />}
      <DueTimes task={task} />
      {task.notes !== null && (
        <Text size="sm" lineClamp={4} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {task.notes}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        {task.phone_number !== null && isPreviewed && (
          <Button
            size="xs"
            leftSection={<IconPhone size={14} aria-hidden />}
            aria-label={named(t('tasks.actions.preview'))}
            onClick={() => openPreview({ kind: 'task', task }, following)}
          >
            {t('tasks.actions.preview')}
          </Button>
        )}
        {task.phone_number !== null && !isPreviewed && (
          <DialGuard isUnwilling={task.contact?.do_not_call === true} dial={call}>
            {({ blocker, onClick }) => (
              <Button
                size="xs"
                leftSection={<IconPhone size={14} aria-hidden />}
                disabled={blocker !== null}
                title={blocker ?? undefined}
                aria-label={named(callText)}
                onClick={onClick}
              >
                {callText}
              </Button>
            )}
          </DialGuard>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCheck size={14} aria-hidden />}
          aria-label={named(t('tasks.actions.done'))}
          onClick={() => change({ state: 'done' })}
        >
          {t('tasks.actions.done')}
        </Button>
        <Menu>
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconClockPause size={14} aria-hidden />}
              aria-label={named(t('tasks.actions.later'))}
            >
              {t('tasks.actions.later')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {[5, 15, 30].map((minutes) => (
              <Menu.Item key={minutes} onClick={() => change({ snooze_minutes: minutes })}>
                {t('tasks.actions.soon', { minutes })}
              </Menu.Item>
            ))}
            <Menu.Item onClick={() => change({ snooze_minutes: 60 })}>{t('tasks.actions.hour')}</Menu.Item>
            <Menu.Item onClick={() => change({ due_at: tomorrow(task) })}>{t('tasks.actions.tomorrow')}</Menu.Item>
            {task.assignee !== null && (
              <>
                <Menu.Divider />
                <Menu.Item onClick={() => setHandingOver(true)}>{t('tasks.actions.handOver')}</Menu.Item>
                <Menu.Item onClick={() => change({ assignee_id: null })}>{t('tasks.actions.giveUp')}</Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </Group>
      {isHandingOver && (
        <Suspense fallback={null}>
          <HandOverTask
            what={title}
            ownerId={task.assignee?.id ?? null}
            isOpen
            onHandOver={(agentId) => {
              setHandingOver(false);
              change({ assignee_id: agentId });
            }}
            onClose={() => setHandingOver(false)}
          />
        </Suspense>
      )}
    </Paper>
  );
}

/** When by the agent's clock, and by the customer's where that shows another time. */
function DueTimes({ task: { due_at, contact, time_zone } }: { task: TaskView }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const locale = localeOf(i18n.language as PageLanguage, navigator.languages);
  const zone = contact?.time_zone ?? time_zone;
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const there = momentIn(locale, zone, due_at);
  return (
    <Text size="sm" c="dimmed">
      {t('tasks.times.due', { time: format.moment(due_at) })}
      {there !== '' &&
        !showSame(zone, own, due_at) &&
        ` · ${t('tasks.times.there', { time: there, zone: zone.replaceAll('_', ' ') })}`}
    </Text>
  );
}

/** The next day at the same time by the clock on the wall, which the gateway reads in the task's zone. */
function tomorrow({ due_local, time_zone }: TaskView): string {
  const today = new Intl.DateTimeFormat('sv', { timeZone: time_zone }).format(new Date());
  const next = new Date(Date.parse(`${today}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return `${next}T${due_local.slice(11, 16)}`;
}
