import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/i18n/format.ts';
import { More } from '../crm/More.tsx';
import { dealsQuery } from '../deals/dealQueries.ts';
import classes from './OpenDeals.module.css';
import { entriesOf } from './contactQueries.ts';

/** The deals with a contact that are neither won nor lost, and the way to a new one. */
export function OpenDeals({ contactId }: { contactId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useInfiniteQuery(dealsQuery({ contact: contactId, state: 'open', sort: 'expected_close' }));
  const deals = entriesOf(query.data, (page) => page.deals);
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('crmArea.deals.title')}>
      <Group justify="space-between" gap="xs">
        <Title order={3}>{t('crmArea.deals.title')}</Title>
        <Button
          component={Link}
          to={`/deals/new?contact=${contactId}`}
          size="compact-xs"
          variant="light"
          leftSection={<IconPlus size={12} aria-hidden />}
        >
          {t('crmArea.deals.add')}
        </Button>
      </Group>
      <ul className={classes.list}>
        {deals.map(({ id, name, stage, value, currency, expected_close }) => {
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
        })}
      </ul>
      <More query={query} />
    </Paper>
  );
}
