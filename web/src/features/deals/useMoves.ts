import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DealBoard, DealView } from '../../../../src/contract/deals.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { noteChanged, showMoved } from './dealQueries.ts';

export type Moves = {
  /** Whether the gateway has yet to answer. */
  isMoving: boolean;
  /** Moves a deal to another stage: shown at once, and back where the gateway refuses it. */
  move: (deal: DealView, stageId: string) => void;
  /** Why the latest move failed; null: it did not. */
  problem: unknown;
  forget: () => void;
  /** What somebody who hears the page is told. */
  said: string;
  say: (text: string) => void;
};

/** The moves that are made on a board, one after the other in the order in which they were made. */
export function useMoves(stages: DealBoard['stages'], owner: string | undefined): Moves {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [problem, setProblem] = useState<unknown>(null);
  const [said, say] = useState('');
  const [pending, setPending] = useState(0);
  const last = useRef<Promise<void>>(Promise.resolve());
  /** What is known of deals that this board has moved: a second move goes on from the first. */
  const versions = useRef(new Map<string, number>());

  async function tell(deal: DealView, stageId: string): Promise<void> {
    const version = Math.max(deal.version, versions.current.get(deal.id) ?? 0);
    try {
      const moved = await api.patch<DealView>(`/api/crm/deals/${deal.id}`, { stage_id: stageId, version });
      versions.current.set(deal.id, moved.version);
      noteChanged(queries, moved);
      say(t('deals.board.moved', { deal: deal.name, stage: moved.stage.name }));
    } catch (error) {
      setProblem(error);
      say(t('deals.board.notMoved', { deal: deal.name, why: messageOf(t, error) }));
      // Where it is now, whoever has moved it.
      void queries.invalidateQueries({ queryKey: ['deals'] });
    } finally {
      setPending((count) => count - 1);
    }
  }

  function move(deal: DealView, stageId: string): void {
    const to = stages.find(({ id }) => id === stageId);
    if (to === undefined || to.id === deal.stage.id) return;
    setProblem(null);
    const { id, name, outcome, probability } = to;
    setPending((count) => count + 1);
    // What is being read was true before the move.
    for (const key of ['board', 'column']) void queries.cancelQueries({ queryKey: ['deals', key] });
    showMoved(queries, deal, { id, name, outcome, probability }, owner);
    last.current = last.current.then(() => tell(deal, stageId));
  }

  return { isMoving: pending > 0, move, problem, forget: () => setProblem(null), said, say };
}
