import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/i18n/format.ts';
import { More } from '../crm/More.tsx';
import { tasksQuery } from '../tasks/taskQueries.ts';
import { useTaskRefresh } from '../tasks/useTaskRefresh.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { entriesOf } from './contactQueries.ts';
import classes from './OpenDeals.module.css';

/** What is to be done for a contact, as far as the agent sees it, and the way to set more. */
export function OpenTasks({ contactId }: { contactId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { agentId } = useWorkplace();
  const query = useInfiniteQuery(tasksQuery(agentId, { contact: contactId }));
  useTaskRefresh();
  const tasks = entriesOf(query.data, (page) => page.tasks);
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('crmArea.tasks.title')}>
      <Group justify="space-between" gap="xs">
        <Title order={3}>{t('crmArea.tasks.title')}</Title>
        <Button
          component={Link}
          to={`/callbacks/new?contact=${contactId}`}
          size="compact-xs"
          variant="light"
          leftSection={<IconPlus size={12} aria-hidden />}
        >
          {t('crmArea.tasks.add')}
        </Button>
      </Group>
      <ul className={classes.list}>
        {tasks.map(({ id, kind, title, notes, due_at, assignee }) => (
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
        ))}
      </ul>
      <More query={query} />
    </Paper>
  );
}
