import { type FocusEvent, type KeyboardEvent, useCallback, useRef, useState } from 'react';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { AgentRow } from './AgentRow.tsx';
import classes from './AgentTable.module.css';
import { headHeight, onPage, type Pages, rowHeight, usePages, useRowsThatFit, rowStep } from './usePages.ts';
import type { Reasons } from './useReasons.ts';
import { useShown } from './useWallboard.ts';
import type { Wallboard } from './wallboard.ts';

const columns = ['state', 'agent', 'time', 'note', 'call', 'connection'] as const;

type Props = {
  wallboard: Wallboard;
  reasons: Reasons;
  /** False: what is shown may be old. */
  isLive: boolean;
  /** For a display that nobody scrolls: page after page, by itself. */
  isPaged: boolean;
  /** The page that is shown stays. */
  isHeld: boolean;
  onOpen: (agentId: string) => void;
};

/** The agents, of whom only those on screen are drawn. One is in the tab order; arrow keys go to the others. */
export function AgentTable({ wallboard, reasons, isLive, isPaged, isHeld, onOpen }: Props) {
  const { t } = useTranslation();
  const listed = useShown(wallboard, ({ order }) => order);
  const isEmpty = useShown(wallboard, ({ counts }) => counts.agents === 0);
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const fitting = useRowsThatFit(scroller);
  const pages = usePages(listed.length, isPaged ? fitting : null, isHeld || hasFocus);
  const first = isPaged ? pages.page * fitting : 0;
  const order = isPaged ? onPage(listed, pages.page, fitting) : listed;
  const active = activeId === null ? -1 : order.indexOf(activeId);
  const virtualizer = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    getItemKey: (index) => order[index] ?? index,
    overscan: 6,
    // The head stays above the rows.
    scrollMargin: headHeight(),
    scrollPaddingStart: headHeight(),
    // The row with the focus stays, however far it is scrolled away: else the focus would be lost.
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range);
      return active < 0 || active >= order.length || shown.includes(active)
        ? shown
        : [...shown, active].toSorted((a, b) => a - b);
    },
  });

  const takeKey = useCallback(
    (event: KeyboardEvent) => {
      const next = rowStep(
        event.key,
        first + Math.max(0, active),
        listed.length,
        isPaged ? fitting : Math.max(1, fitting - 1),
      );
      const id = next === null ? undefined : listed[next];
      if (next === null || id === undefined) return;
      event.preventDefault();
      setActiveId(id);
      if (isPaged) pages.show(Math.floor(next / fitting));
      else virtualizer.scrollToIndex(next);
      // It is drawn by then, wherever it was.
      requestAnimationFrame(() => {
        requestAnimationFrame(() =>
          scroller.current?.querySelector<HTMLElement>(`[data-agent="${id}"] button`)?.focus(),
        );
      });
    },
    [active, first, listed, isPaged, fitting, pages, virtualizer],
  );

  const items = virtualizer.getVirtualItems();
  const tabStop = active >= 0 ? active : items[0]?.index;
  const leave = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocus(false);
  };
  return (
    <>
      <div
        ref={scroller}
        className={classes.scroller}
        data-stale={!isLive || undefined}
        data-paged={isPaged || undefined}
        onFocus={() => setFocus(true)}
        onBlur={leave}
      >
        <table className={classes.table} aria-label={t('wallboard.list.label')} aria-rowcount={listed.length + 1}>
          <thead className={classes.head}>
            <tr aria-rowindex={1} className={classes.row}>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {t(`wallboard.columns.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ key, index, start }) => {
              const id = order[index];
              return id === undefined ? null : (
                <AgentRow
                  key={key}
                  wallboard={wallboard}
                  reasons={reasons}
                  id={id}
                  index={first + index}
                  start={start - headHeight()}
                  isTabStop={index === tabStop}
                  onFocus={setActiveId}
                  onKey={takeKey}
                  onOpen={onOpen}
                />
              );
            })}
          </tbody>
        </table>
        {order.length === 0 && (
          <p className={classes.empty}>{t(isEmpty ? 'wallboard.list.nobody' : 'wallboard.list.noneFits')}</p>
        )}
      </div>
      {isPaged && <Pager pages={pages} />}
    </>
  );
}

/** Which page of the agents is shown, and the way to the others; the arrow keys left and right lead there too. */
function Pager({ pages }: { pages: Pages }) {
  const { t } = useTranslation();
  const { page, count, isPaused, step, togglePause } = pages;
  if (count === 1) return <div className={classes.pager} />;
  const Toggle = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <nav className={classes.pager} aria-label={t('wallboard.pages.label')}>
      <ActionIcon
        variant="default"
        size="md"
        aria-label={t('wallboard.pages.before')}
        aria-keyshortcuts="ArrowLeft"
        onClick={() => step(-1)}
      >
        <IconChevronLeft size="1.25em" aria-hidden />
      </ActionIcon>
      <VisuallyHidden>{t('wallboard.pages.place', { page: page + 1, pages: count })}</VisuallyHidden>
      <span className={classes.page} aria-hidden>
        {page + 1}/{count}
      </span>
      <ActionIcon
        variant="default"
        size="md"
        aria-label={t('wallboard.pages.next')}
        aria-keyshortcuts="ArrowRight"
        onClick={() => step(1)}
      >
        <IconChevronRight size="1.25em" aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="md"
        aria-label={t(isPaused ? 'wallboard.pages.turn' : 'wallboard.pages.stay')}
        onClick={togglePause}
      >
        <Toggle size="1.25em" aria-hidden />
      </ActionIcon>
    </nav>
  );
}
