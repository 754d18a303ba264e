import {
  type DOMAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** What has been picked up, and the place that it would be put down in; null: none. */
export type Held<T> = { item: T; over: string | null };

export type PickedUp<T> = {
  held: Held<T> | null;
  /** Where the pointer is, while it drags; null: by keyboard, or nothing is held. */
  ghost: { x: number; y: number } | null;
  /** Puts something that is not held into a place; the focus goes along. */
  putIn: (item: T, place: string) => void;
  /** Of the element that is dragged by a mouse or pen. */
  itemEvents: (item: T) => DOMAttributes<HTMLElement>;
  /** Of its handle: dragged by a finger too, and moved by keyboard. */
  handleEvents: (item: T) => DOMAttributes<HTMLElement>;
};

type Props<T> = {
  /**
   * Within it are the places, elements with their id as `data-place`;
   * an item has its own as `data-item`, and its handle `data-part="handle"`.
   */
  area: RefObject<HTMLElement | null>;
  /** In their order. */
  places: readonly string[];
  /** How they stand: beside each other, or one below the other. */
  axis: 'x' | 'y';
  idOf: (item: T) => string;
  /** Where it is now. */
  placeOf: (item: T) => string;
  onDrop: (item: T, place: string) => void;
  /** What somebody who hears the page is told. */
  onPickedUp: (item: T) => void;
  onOver: (item: T, place: string, position: number) => void;
  onLeft: (item: T) => void;
};

/** A pointer that goes no further than this presses; one that does drags. Pixels. */
const pressTolerance = 6;
/** So near its edge an area scrolls under what is dragged, by so much for each movement. Pixels. */
const [edge, scrollStep] = [48, 24];

type Press<T> = { item: T; pointerId: number; x: number; y: number; isDragging: boolean };

/**
 * Picks things up and puts them down in another place: dragged by the pointer, or with Space, arrows and Space by
 * keyboard; Escape leaves them where they are. The focus goes along, so that the keyboard goes on from there.
 */
export function usePickedUp<T>({
  area,
  places,
  axis,
  idOf,
  placeOf,
  onDrop,
  onPickedUp,
  onOver,
  onLeft,
}: Props<T>): PickedUp<T> {
  const [held, setHeld] = useState<Held<T> | null>(null);
  const [ghost, setGhost] = useState<PickedUp<T>['ghost']>(null);
  const press = useRef<Press<T> | null>(null);
  /** A drag has just ended: the click that follows is none. */
  const hasDragged = useRef(false);
  /** Whose handle gets the focus once it is drawn in its place. */
  const followed = useRef<string | null>(null);

  useLayoutEffect(() => {
    const id = followed.current;
    if (id === null) return;
    const handle = area.current?.querySelector<HTMLElement>(`[data-item="${id}"] [data-part="handle"]`);
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

  function down(item: T, event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0 || !event.isPrimary) return;
    // A handle is small: a hand that is quick leaves it before it is seen to move.
    handleAt(event.target)?.setPointerCapture(event.pointerId);
    press.current = { item, pointerId: event.pointerId, x: event.clientX, y: event.clientY, isDragging: false };
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
    scrollAtEdge(x, y);
    setGhost({ x, y });
    setHeld({ item: pressed.item, over: placeAt(x, y) });
  }

  function up(event: PointerEvent<HTMLElement>): void {
    const pressed = press.current;
    if (pressed === null || event.pointerId !== pressed.pointerId) return;
    const over = pressed.isDragging ? placeAt(event.clientX, event.clientY) : null;
    letGo();
    if (over !== null) onDrop(pressed.item, over);
  }

  function placeAt(x: number, y: number): string | null {
    const place = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-place]') ?? null;
    return place !== null && area.current?.contains(place) === true ? (place.dataset['place'] ?? null) : null;
  }

  function scrollAtEdge(x: number, y: number): void {
    // What stands beside each other scrolls within its area, what stands below each other with the page.
    if (axis === 'y') {
      if (y > innerHeight - edge) scrollBy({ top: scrollStep });
      else if (y < edge) scrollBy({ top: -scrollStep });
      return;
    }
    const box = area.current?.getBoundingClientRect();
    if (box === undefined) return;
    if (x > box.right - edge) area.current?.scrollBy({ left: scrollStep });
    else if (x < box.left + edge) area.current?.scrollBy({ left: -scrollStep });
  }

  /** How many places on an arrow leads; undefined: it leads nowhere. */
  function stepOf(key: string): number | undefined {
    if (axis === 'y') return { ArrowUp: -1, ArrowDown: 1 }[key];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    // In the direction in which the places stand.
    return step !== undefined && document.documentElement.dir === 'rtl' ? -step : step;
  }

  function byKey(item: T, event: KeyboardEvent<HTMLElement>): void {
    const isHeld = held !== null && idOf(held.item) === idOf(item) && ghost === null;
    const step = stepOf(event.key);
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (event.repeat) return;
      if (!isHeld) pickUp(item);
      else putDown(held);
    } else if (isHeld && event.key === 'Escape') {
      event.preventDefault();
      letGo();
      onLeft(item);
    } else if (isHeld && step !== undefined) {
      event.preventDefault();
      go(held, step);
    }
  }

  function pickUp(item: T): void {
    setHeld({ item, over: placeOf(item) });
    onPickedUp(item);
  }

  function go({ item, over }: Held<T>, by: number): void {
    const index = places.findIndex((place) => place === over) + by;
    const to = places[index];
    if (to === undefined) return;
    setHeld({ item, over: to });
    area.current?.querySelector(`[data-place="${to}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    onOver(item, to, index + 1);
  }

  function putDown({ item, over }: Held<T>): void {
    letGo();
    if (over === null || over === placeOf(item)) return onLeft(item);
    putIn(item, over);
  }

  function putIn(item: T, place: string): void {
    followed.current = idOf(item);
    onDrop(item, place);
  }

  const pointer = (item: T): DOMAttributes<HTMLElement> => ({
    onPointerDown: (event) => down(item, event),
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: letGo,
  });

  return {
    held,
    ghost,
    putIn,
    itemEvents: (item) => ({
      ...pointer(item),
      onPointerDown: (event) => {
        hasDragged.current = false;
        // Its menu is drawn elsewhere.
        if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
        // A finger scrolls, except at the handle.
        if (event.pointerType !== 'touch' || handleAt(event.target) !== null) down(item, event);
      },
      onClickCapture: (event: MouseEvent) => {
        if (!hasDragged.current) return;
        hasDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    }),
    handleEvents: (item) => ({
      onKeyDown: (event) => byKey(item, event),
      // Space is no click.
      onKeyUp: (event) => {
        if (event.key === ' ') event.preventDefault();
      },
      // Left by Tab or by the mouse, it stays where it is.
      onBlur: () => {
        if (press.current === null && held !== null && idOf(held.item) === idOf(item)) letGo();
      },
    }),
  };
}

function handleAt(target: EventTarget): Element | null {
  return target instanceof Element ? target.closest('[data-part="handle"]') : null;
}
