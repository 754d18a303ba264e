import { Anchor, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/i18n/format.ts';
import { dealsQuery } from '../deals/dealQueries.ts';
import { OpenList } from './OpenList.tsx';

/** The deals with a contact that are neither won nor lost, and the way to a new one. */
export function OpenDeals({ contactId }: { contactId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useInfiniteQuery(dealsQuery({ contact: contactId, state: 'open', sort: 'expected_close' }));
  return (
    <OpenList
      title={t('crmArea.deals.title')}
      add={{ text: t('crmArea.deals.add'), to: `/deals/new?contact=${contactId}` }}
      query={query}
    >
      {({ id, name, stage, value, currency, expected_close }) => {
        const about = [
          stage.name,
          value === null || currency === null ? undefined : format.money(value, currency),
          expected_close === null ? undefined : t('crmArea.deals.closes', { day: format.day(expected_close) }),
        ];
        return (
          <li key={id}>
            <Anchor component={Link} to={`/deals/${id}`} size="sm" fw={600}>
              {name}
            </Anchor>
            <Text size="xs" c="dimmed">
              {about.filter((part) => part !== undefined).join(' · ')}
            </Text>
          </li>
        );
      }}
    </OpenList>
  );
}
