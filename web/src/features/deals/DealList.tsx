import { Anchor, Badge, EmptyState, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type DealView, type DealSort, dealSorts } from '../../../../src/contract/deals.ts';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { dealStates } from '../../../../src/contract/vocabulary.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { entriesOf } from '../contacts/contactQueries.ts';
import { Loaded } from '../crm/Loaded.tsx';
import { More } from '../crm/More.tsx';
import { DealFilters } from './DealFilters.tsx';
import classes from './DealList.module.css';
import { dealsQuery } from './dealQueries.ts';

type Props = {
  pipeline: PipelineView;
  owner: string | undefined;
  /** The filters, as the address has them. */
  asked: URLSearchParams;
  onAsk: (name: string, value: string | null) => void;
};

/** The deals of a pipeline, one below the other, narrowed and sorted as the address says. */
export function DealList({ pipeline, owner, asked, onAsk }: Props) {
  const { t } = useTranslation();
  const given = (name: string) => asked.get(name) ?? undefined;
  const query = useInfiniteQuery(
    dealsQuery({
      pipeline: pipeline.id,
      owner,
      stage: pipeline.stages.find(({ id }) => id === given('stage'))?.id,
      state: dealStates.find((state) => state === given('state')),
      closes_from: given('closes_from'),
      closes_until: given('closes_until'),
      sort: sortOf(asked),
    }),
  );
  const deals = entriesOf(query.data, (page) => page.deals);
  return (
    <>
      <DealFilters pipeline={pipeline} asked={asked} sort={sortOf(asked)} onAsk={onAsk} />
      <Loaded query={query}>
        {() =>
          deals.length === 0 ? (
            <EmptyState icon={<IconCoins />} title={t('deals.none.title')} description={t('deals.none.filtered')} />
          ) : (
            <div>
              <ul className={classes.list} aria-label={t('crmArea.areas.deals')}>
                {deals.map((deal) => (
                  <DealRow key={deal.id} deal={deal} />
                ))}
              </ul>
              <More query={query} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}

/** The latest made first, unless the address says otherwise. */
function sortOf(asked: URLSearchParams): DealSort {
  return dealSorts.find((sort) => sort === asked.get('sort')) ?? '-created';
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
