import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ContactSummaryView } from '../../../../src/contract/contactSummary.ts';
import type { DealView } from '../../../../src/contract/deals.ts';
import type { TaskView } from '../../../../src/contract/tasks.ts';
import { api } from '../../lib/gateway/api.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import classes from './ContactSummary.module.css';
import { LastCalls } from './LastCalls.tsx';

/**
 * What to know before speaking to a contact of the built-in CRM: its last calls, what is to be done, what may be sold.
 * Nothing where there is nothing, and where it cannot be read: the call goes on without it.
 * @param callId what is known is read anew for each call
 */
export function ContactSummary({ contactId, callId }: { contactId: string; callId: string }) {
  const { data } = useRead({
    key: contactId,
    version: callId,
    read: (signal) => api.get<ContactSummaryView>(`/api/crm/contacts/${contactId}/summary`, undefined, signal),
  });
  return data === undefined ? null : <SummaryLists summary={data} />;
}

/** The same, of what has been read. */
export function SummaryLists({ summary: data }: { summary: ContactSummaryView }) {
  const { t } = useTranslation();
  return (
    <>
      <LastCalls calls={data.recent_calls} />
      {data.open_tasks.length > 0 && (
        <section aria-label={t('softphone.customer.toDo')}>
          <Title order={3} size="sm" mt="sm">
            {t('softphone.customer.toDo')}
          </Title>
          <ul className={classes.list}>
            {data.open_tasks.map((task) => (
              <Task key={task.id} task={task} />
            ))}
          </ul>
        </section>
      )}
      {data.open_deals.length > 0 && (
        <section aria-label={t('softphone.customer.openDeals')}>
          <Title order={3} size="sm" mt="sm">
            {t('softphone.customer.openDeals')}
          </Title>
          <ul className={classes.list}>
            {data.open_deals.map((deal) => (
              <Deal key={deal.id} deal={deal} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Task({ task: { title, kind, notes, due_at, assignee } }: { task: TaskView }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li>
      <Text size="sm" fw={600}>
        {kind === 'callback' ? t('softphone.customer.callback') : title}
      </Text>
      {notes !== null && <div className={classes.notes}>{notes}</div>}
      <Text size="xs" c="dimmed">
        {[format.moment(due_at), assignee?.name ?? t('softphone.customer.anyone')].join(' · ')}
      </Text>
    </li>
  );
}

function Deal({ deal: { name, stage, value, currency, owner } }: { deal: DealView }) {
  const format = useFormat();
  const about = [
    stage.name,
    value === null || currency === null ? undefined : format.money(value, currency),
    owner?.name,
  ];
  return (
    <li>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {about.filter((text) => text !== undefined).join(' · ')}
      </Text>
    </li>
  );
}
