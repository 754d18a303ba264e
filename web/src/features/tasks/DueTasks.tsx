import { Stack, Title, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { TaskCard } from './TaskCard.tsx';
import { taskTitle } from './taskText.ts';

/** What is due now, above everything else at the softphone. */
export function DueTasks({ tasks }: { tasks: readonly TaskView[] }) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const titleId = useId();
  const latest = tasks.at(-1);
  return (
    <section aria-labelledby={titleId} data-testid="due-tasks">
      <VisuallyHidden component="output">
        {latest === undefined ? '' : t('tasks.due.announced', { what: taskTitle(t, phoneText, latest) })}
      </VisuallyHidden>
      <Title order={2} id={titleId}>
        {t('tasks.due.label')}
      </Title>
      <Stack component="ul" gap="xs" p={0} my="xs">
        {tasks.map((task, index) => (
          <TaskCard key={task.id} task={task} following={tasks.slice(index + 1)} />
        ))}
      </Stack>
    </section>
  );
}
