import { Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { PagedList } from '../components/PagedList.tsx';
import { auditQuery } from './auditQueries.ts';
import { ErasedCountsText } from './ErasedCountsText.tsx';

/** Who merged which contacts, erased which people and listened to whose calls, the latest first. */
export function AuditList() {
  const { t } = useTranslation();
  const list = useInfiniteQuery(auditQuery);
  return (
    <Section title={t('audit.list.title')} note={t('audit.list.note')}>
      <PagedList
        query={list}
        none={
          <Text size="sm" c="dimmed">
            {t('audit.list.none')}
          </Text>
        }
        more={t('audit.list.more')}
      >
        {(entries) => (
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {entries.map(({ id, kind, at, by, contact_id: contact, other_id: other, call, erased }) => (
              <li key={id}>
                <Text size="sm" fw={600}>
                  {t(`audit.kind.${kind}`)}
                </Text>
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  <Moment at={at} /> · {by?.name ?? t('audit.list.program')} ·{' '}
                  {call === null && (other === null ? contact : t('audit.list.into', { other, contact }))}
                  {call !== null &&
                    t(`audit.listened.${call.mode}`, { name: call.agent?.name ?? t('audit.listened.somebody') })}
                </Text>
                {erased !== null && <ErasedCountsText erased={erased} />}
              </li>
            ))}
          </Stack>
        )}
      </PagedList>
    </Section>
  );
}
