import { type DOMAttributes, type KeyboardEvent, type MouseEvent, type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DealBoard, DealView } from '../../../../src/contract/deals.ts';

/** A deal that has been picked up, and the stage that it would be put down in; null: none. */
export type Held = { deal: DealView; over: string | null };

export type PickedUp = {
  held: Held | null;
  /** Where the pointer is, while it drags; null: by keyboard, or nothing is held. */
  ghost: { x: number; y: number } | null;
  /** The stages that a deal may be put in. */
  stages: DealBoard['stages'];
  /** Puts a deal that is not held into a stage; the focus goes along. */
  putIn: (deal: DealView, stageId: string) => void;
  /** Of a card: dragged by a mouse or pen. */
  cardEvents: (deal: DealView) => DOMAttributes<HTMLElement>;
  /** Of the handle of a card: dragged by a finger too, and moved by keyboard. */
  handleEvents: (deal: DealView) => DOMAttributes<HTMLElement>;
};

type Props = {
  board: RefObject<HTMLElement | null>;
  stages: DealBoard['stages'];
  onDrop: (deal: DealView, stageId: string) => void;
  onSay: (text: string) => void;
};

/** A pointer that goes no further than this presses; one that does drags. Pixels. */
const pressTolerance = 6;
/** So near its edge a board scrolls under a dragged deal, by so much for each movement. Pixels. */
const [edge, scrollStep] = [48, 24];

type Press = { deal: DealView; pointerId: number; x: number; y: number; isDragging: boolean };

/**
 * Picks deals up and puts them down in another column: dragged by the pointer, or with Space, arrows and Space by keyboard; Escape leaves
 * them where they are. The focus goes along, so that the keyboard goes on from there.
 */
export function usePickedUp({ board, stages, onDrop, onSay }: Props): PickedUp {
  const { t } = useTranslation();
  const [held, setHeld] = useState<Held | null>(null);
  const [ghost, setGhost] = useState<PickedUp['ghost']>(null);
  const press = useRef<Press | null>(null);
  /** A drag has just ended: the click that follows is none. */
  const hasDragged = useRef(false);
  /** The deal whose handle gets the focus once it is drawn in its column. */
  const followed = useRef<string | null>(null);

  useLayoutEffect(() => {
    const id = followed.current;
    if (id === null) return;
    const handle = board.current?.querySelector<HTMLElement>(`[data-deal="${id}"] [data-part="handle"]`);
    if (handle == null) return;
    followed.current = null;
    handle.focus();
  });

  function letGo(): void {
    press.current = null;
    setHeld(null);
    setGhost(null);
  }

  // While it is dragged, the focus may be anywhere.
  const isDragging = ghost !== null;
  useEffect(() => {
    if (!isDragging) return undefined;
    const leave = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape') letGo();
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, [isDragging]);

  const nameOf = (id: string) => stages.find((stage) => stage.id === id)?.name ?? '';

  function down(deal: DealView, event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0 || !event.isPrimary) return;
    press.current = { deal, pointerId: event.pointerId, x: event.clientX, y: event.clientY, isDragging: false };
  }

  function move(event: PointerEvent<HTMLElement>): void {
    const pressed = press.current;
    if (pressed === null || event.pointerId !== pressed.pointerId) return;
    const { clientX: x, clientY: y } = event;
    if (!pressed.isDragging) {
      if (Math.hypot(x - pressed.x, y - pressed.y) < pressTolerance) return;
      pressed.isDragging = true;
      hasDragged.current = true;
      event.currentTarget.setPointerCapture(pressed.pointerId);
    }
    scrollAtEdge(x);
    setGhost({ x, y });
    setHeld({ deal: pressed.deal, over: stageAt(x, y) });
  }

  function up(event: PointerEvent<HTMLElement>): void {
    const pressed = press.current;
    if (pressed === null || event.pointerId !== pressed.pointerId) return;
    const over = pressed.isDragging ? stageAt(event.clientX, event.clientY) : null;
    letGo();
    if (over !== null) onDrop(pressed.deal, over);
  }

  function stageAt(x: number, y: number): string | null {
    const column = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-stage]') ?? null;
    return column !== null && board.current?.contains(column) === true ? (column.dataset['stage'] ?? null) : null;
  }

  function scrollAtEdge(x: number): void {
    const box = board.current?.getBoundingClientRect();
    if (box === undefined) return;
    if (x > box.right - edge) board.current?.scrollBy({ left: scrollStep });
    else if (x < box.left + edge) board.current?.scrollBy({ left: -scrollStep });
  }

  function byKey(deal: DealView, event: KeyboardEvent<HTMLElement>): void {
    const isHeld = held?.deal.id === deal.id && ghost === null;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (event.repeat) return;
      if (!isHeld) pickUp(deal);
      else putDown(held);
    } else if (isHeld && event.key === 'Escape') {
      event.preventDefault();
      letGo();
      onSay(t('deals.board.left', { deal: deal.name, stage: deal.stage.name }));
    } else if (isHeld && step !== undefined) {
      event.preventDefault();
      // In the direction in which the columns stand.
      go(held, document.documentElement.dir === 'rtl' ? -step : step);
    }
  }

  function pickUp(deal: DealView): void {
    setHeld({ deal, over: deal.stage.id });
    onSay(t('deals.board.pickedUp', { deal: deal.name, stage: deal.stage.name }));
  }

  function go({ deal, over }: Held, by: number): void {
    const index = stages.findIndex(({ id }) => id === over) + by;
    const to = stages[index];
    if (to === undefined) return;
    setHeld({ deal, over: to.id });
    board.current?.querySelector(`[data-stage="${to.id}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    onSay(t('deals.board.over', { stage: to.name, position: index + 1, count: stages.length }));
  }

  function putDown({ deal, over }: Held): void {
    letGo();
    if (over === null || over === deal.stage.id) return onSay(t('deals.board.left', { deal: deal.name, stage: nameOf(deal.stage.id) }));
    putIn(deal, over);
  }

  function putIn(deal: DealView, stageId: string): void {
    followed.current = deal.id;
    onDrop(deal, stageId);
  }

  const pointer = (deal: DealView): DOMAttributes<HTMLElement> => ({
    onPointerDown: (event) => down(deal, event),
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: letGo,
  });

  return {
    held,
    ghost,
    stages,
    putIn,
    cardEvents: (deal) => ({
      ...pointer(deal),
      onPointerDown: (event) => {
        hasDragged.current = false;
        // Its menu is drawn elsewhere.
        if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
        // A finger scrolls, except at the handle.
        if (event.pointerType !== 'touch' || isHandle(event.target)) down(deal, event);
      },
      onClickCapture: (event: MouseEvent) => {
        if (!hasDragged.current) return;
        hasDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    }),
    handleEvents: (deal) => ({
      onKeyDown: (event) => byKey(deal, event),
      // Space is no click: that opens the menu of stages.
      onKeyUp: (event) => {
        if (event.key === ' ') event.preventDefault();
      },
      // Left by Tab or by the mouse, it stays where it is.
      onBlur: () => {
        if (press.current === null && held?.deal.id === deal.id) letGo();
      },
    }),
  };
}

function isHandle(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-part="handle"]') !== null;
}
