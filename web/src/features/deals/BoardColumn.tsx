import { Badge, Group, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DealBoard, DealView } from '../../../../src/contract/deals.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import type { PickedUp } from '../../shared/dragging/usePickedUp.ts';
import { More } from '../crm/More.tsx';
import classes from './Board.module.css';
import { DealCard } from './DealCard.tsx';
import { columnQuery, showColumn } from './dealQueries.ts';

type Props = {
  stage: DealBoard['stages'][number];
  owner: string | undefined;
  readAt: number;
  isBusy: boolean;
  stages: DealBoard['stages'];
  picked: PickedUp<DealView>;
};

const outcomeColors = { won: 'green', lost: 'gray' } as const;

/**
 * One stage: how many deals it has, what they are worth, and its deals, the latest moved first.
 * @param isBusy a deal is being moved: the columns stay as they are meanwhile
 */
export function BoardColumn({ stage, owner, readAt, isBusy, stages, picked }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const queries = useQueryClient();
  const query = useInfiniteQuery(columnQuery(stage, owner, readAt));
  const last = useRef({ stage, readAt: 0 });
  useEffect(() => {
    if (last.current.readAt === readAt) return;
    last.current.readAt = readAt;
    // The board is read again after a move: what it says meanwhile is passed over.
    if (isBusy) return;
    showColumn(queries, stage, owner, stage !== last.current.stage);
    last.current.stage = stage;
  }, [isBusy, owner, queries, readAt, stage]);
  const { name, outcome, count, sums, probability } = stage;
  return (
    <section
      className={classes.column}
      aria-label={t('deals.board.column', { stage: name, count })}
      data-place={stage.id}
      data-over={(picked.held !== null && picked.held.over === stage.id) || undefined}
    >
      <div className={classes.head}>
        <Group justify="space-between" gap={4} wrap="nowrap" align="flex-start">
          <Title order={3} size="sm" className={classes.text ?? ''}>
            {name}
          </Title>
          <Badge variant="light" color="gray" size="sm" data-part="count">
            {format.number(count)}
          </Badge>
        </Group>
        <div className={classes.sums} data-part="sums">
          {sums.map(({ currency, value }) => (
            <Text key={currency} size="xs" fw={600}>
              {format.money(value, currency)}
            </Text>
          ))}
        </div>
        {outcome === 'open' ? (
          <Text size="xs" c="dimmed">
            {t('deals.board.probability', { percent: probability })}
          </Text>
        ) : (
          <Badge size="xs" variant="light" tt="none" color={outcomeColors[outcome]}>
            {t(`deals.outcome.${outcome}`)}
          </Badge>
        )}
      </div>
      <ul className={classes.cards}>
        {query.data.map((deal) => (
          <DealCard key={deal.id} deal={deal} stages={stages} picked={picked} />
        ))}
      </ul>
      <More query={query} />
    </section>
  );
}
