import { Anchor, Badge, EmptyState, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { dealSorts, type DealView } from '../../../../src/contract/deals.ts';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { dealStates } from '../../../../src/contract/vocabulary.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { useAddressFilter } from '../../shared/list/addressFilter.ts';
import { Listed } from '../crm/Listed.tsx';
import { DealFilters } from './DealFilters.tsx';
import classes from './DealList.module.css';
import { dealsQuery } from './dealQueries.ts';

const filters = ['state', 'stage', 'closes_from', 'closes_until', 'sort'] as const;
/** What the address says of the list; empty: nothing. */
export type DealListFilter = Record<(typeof filters)[number], string>;

type Props = { pipeline: PipelineView; owner: string | undefined };

/** The deals of a pipeline, one below the other, narrowed and sorted as the address says. */
export function DealList({ pipeline, owner }: Props) {
  const { t } = useTranslation();
  const { filter, set } = useAddressFilter(filters);
  // The latest made first, unless the address says otherwise.
  const sort = dealSorts.find((one) => one === filter.sort) ?? '-created';
  const query = useInfiniteQuery(
    dealsQuery({
      pipeline: pipeline.id,
      owner,
      stage: pipeline.stages.find(({ id }) => id === filter.stage)?.id,
      state: dealStates.find((state) => state === filter.state),
      closes_from: filter.closes_from,
      closes_until: filter.closes_until,
      sort,
    }),
  );
  return (
    <>
      <DealFilters pipeline={pipeline} filter={filter} sort={sort} onChange={set} />
      <Listed
        query={query}
        none={<EmptyState icon={<IconCoins />} title={t('deals.none.title')} description={t('deals.none.filtered')} />}
      >
        {(deals) => (
          <ul className={classes.list} aria-label={t('crmArea.areas.deals')}>
            {deals.map((deal) => (
              <DealRow key={deal.id} deal={deal} />
            ))}
          </ul>
        )}
      </Listed>
    </>
  );
}

const outcomeColors = { open: 'blue', won: 'green', lost: 'gray' } as const;

function DealRow({
  deal: { id, name, stage, value, currency, contact, organisation, owner, expected_close },
}: {
  deal: DealView;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const about = [contact?.name, organisation?.name, owner?.name].filter((part) => part !== undefined && part !== null);
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Anchor component={Link} to={`/deals/${id}`} fw={600}>
          {name}
        </Anchor>
        <Text size="xs" c="dimmed" truncate>
          {about.join(' · ')}
        </Text>
      </div>
      <div>
        <Badge variant="light" tt="none" size="sm" color={outcomeColors[stage.outcome]}>
          {stage.name}
        </Badge>
      </div>
      <div className={classes.value}>{value !== null && currency !== null && format.money(value, currency)}</div>
      <Text size="xs" c="dimmed" component="div">
        {expected_close !== null && t('crmArea.deals.closes', { day: format.day(expected_close) })}
      </Text>
    </li>
  );
}
