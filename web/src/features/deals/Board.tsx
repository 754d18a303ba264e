import { Alert, EmptyState, VisuallyHidden } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DealBoard } from '../../../../src/contract/deals.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { Loaded } from '../crm/Loaded.tsx';
import classes from './Board.module.css';
import { BoardColumn } from './BoardColumn.tsx';
import { boardQuery } from './dealQueries.ts';
import { useMoves } from './useMoves.ts';
import { usePickedUp } from './usePickedUp.ts';

/** A pipeline as a board: a column for each stage, whose deals are moved by drag or by keyboard. @param owner undefined: whoever's */
export function Board({ pipelineId, owner }: { pipelineId: string; owner: string | undefined }) {
  const query = useQuery(boardQuery(pipelineId, owner));
  return <Loaded query={query}>{(board) => <Columns stages={board.stages} owner={owner} readAt={query.dataUpdatedAt} />}</Loaded>;
}

type Props = { stages: DealBoard['stages']; owner: string | undefined; readAt: number };

function Columns({ stages, owner, readAt }: Props) {
  const { t } = useTranslation();
  const board = useRef<HTMLDivElement>(null);
  const moves = useMoves(stages, owner);
  const picked = usePickedUp({ board, stages, onDrop: moves.move, onSay: moves.say });
  // What is being moved does not go from under the hand.
  const isBusy = picked.held !== null || moves.isMoving;
  const isEmpty = stages.every(({ count }) => count === 0);
  return (
    <>
      {isEmpty && <EmptyState icon={<IconColumns3 />} title={t('deals.none.title')} description={t('deals.none.text')} />}
      {moves.problem !== null && (
        <Alert color="red" variant="light" withCloseButton closeButtonLabel={t('deals.board.close')} onClose={moves.forget}>
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
          <BoardColumn key={stage.id} stage={stage} owner={owner} readAt={readAt} isBusy={isBusy} picked={picked} />
        ))}
      </div>
      {picked.ghost !== null && (
        <div className={classes.ghost} style={{ left: picked.ghost.x, top: picked.ghost.y }} aria-hidden>
          {picked.held?.deal.name}
        </div>
      )}
    </>
  );
}
