import { Alert, EmptyState, VisuallyHidden } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DealBoard, DealView } from '../../../../src/contract/deals.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { Ghost } from '../../shared/dragging/Ghost.tsx';
import { usePickedUp } from '../../shared/dragging/usePickedUp.ts';
import { Loaded } from '../crm/Loaded.tsx';
import classes from './Board.module.css';
import { BoardColumn } from './BoardColumn.tsx';
import { boardQuery } from './dealQueries.ts';
import { useMoves } from './useMoves.ts';

/**
 * A pipeline as a board: a column for each stage, whose deals are moved by drag or by keyboard.
 * @param owner undefined: whoever's
 */
export function Board({ pipelineId, owner }: { pipelineId: string; owner: string | undefined }) {
  const query = useQuery(boardQuery(pipelineId, owner));
  return (
    <Loaded query={query}>
      {(board) => <Columns stages={board.stages} owner={owner} readAt={query.dataUpdatedAt} />}
    </Loaded>
  );
}

type Props = { stages: DealBoard['stages']; owner: string | undefined; readAt: number };

function Columns({ stages, owner, readAt }: Props) {
  const { t } = useTranslation();
  const board = useRef<HTMLDivElement>(null);
  const moves = useMoves(stages, owner);
  const nameOf = (id: string) => stages.find((stage) => stage.id === id)?.name ?? '';
  const picked = usePickedUp<DealView>({
    area: board,
    places: stages.map(({ id }) => id),
    axis: 'x',
    idOf: ({ id }) => id,
    placeOf: ({ stage }) => stage.id,
    onDrop: moves.move,
    onPickedUp: (deal) => moves.say(t('deals.board.pickedUp', { deal: deal.name, stage: deal.stage.name })),
    onOver: (_deal, stage, position) =>
      moves.say(t('deals.board.over', { stage: nameOf(stage), position, count: stages.length })),
    onLeft: (deal) => moves.say(t('deals.board.left', { deal: deal.name, stage: nameOf(deal.stage.id) })),
  });
  // What is being moved does not go from under the hand.
  const isBusy = picked.held !== null || moves.isMoving;
  const isEmpty = stages.every(({ count }) => count === 0);
  return (
    <>
      {isEmpty && (
        <EmptyState icon={<IconColumns3 />} title={t('deals.none.title')} description={t('deals.none.text')} />
      )}
      {moves.problem !== null && (
        <Alert
          color="red"
          variant="light"
          withCloseButton
          closeButtonLabel={t('deals.board.close')}
          onClose={moves.forget}
        >
          {messageOf(t, moves.problem)}
        </Alert>
      )}
      <VisuallyHidden>
        <div aria-live="assertive" data-testid="deal-announcement">
          {moves.said}
        </div>
        <p id="deal-keys">{t('deals.board.keys')}</p>
      </VisuallyHidden>
      <div className={classes.board} ref={board} data-dragging={picked.held !== null || undefined}>
        {stages.map((stage) => (
          <BoardColumn
            key={stage.id}
            stage={stage}
            owner={owner}
            readAt={readAt}
            isBusy={isBusy}
            stages={stages}
            picked={picked}
          />
        ))}
      </div>
      <Ghost at={picked.ghost}>{picked.held?.item.name}</Ghost>
    </>
  );
}
