import { Paper, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Listed } from '../crm/Listed.tsx';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { Activity } from './Activity.tsx';
import { AddNote } from './AddNote.tsx';
import { timelineQuery } from './contactQueries.ts';
import classes from './Timeline.module.css';

/** What happened with a contact, the latest first. */
export function Timeline({ contactId }: { contactId: string }) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(timelineQuery(contactId));
  useNewWithCalls(contactId);
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('crmArea.timeline.title')}>
      <Title order={3}>{t('crmArea.timeline.title')}</Title>
      <AddNote contactId={contactId} />
      <Listed
        query={query}
        none={
          <Text size="sm" c="dimmed" mt="sm">
            {t('crmArea.timeline.none')}
          </Text>
        }
      >
        {(entries) => (
          <ol className={classes.list}>
            {entries.map((entry) => (
              <Activity key={`${entry.kind} ${entry.id}`} entry={entry} />
            ))}
          </ol>
        )}
      </Listed>
    </Paper>
  );
}

/**
 * The timeline is read again when a call of the agent begins, ends or is wrapped up: it may be one with this contact.
 */
function useNewWithCalls(contactId: string): void {
  const queries = useQueryClient();
  const { call } = useWorkplace().view;
  const course =
    call === null ? '' : [call.id, call.answered_at, call.ended_at, call.disposition?.submitted_at].join(' ');
  useEffect(() => {
    if (course !== '') void queries.invalidateQueries({ queryKey: timelineQuery(contactId).queryKey });
  }, [queries, contactId, course]);
}
