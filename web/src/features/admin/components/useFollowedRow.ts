import { type RefObject, useLayoutEffect, useRef } from 'react';

type Followed<E> = {
  /** What is around the rows. */
  list: RefObject<E | null>;
  /** Before a row is moved or added: the first of its parts that can be used has the focus then. */
  follow: (key: string, ...parts: string[]) => void;
  /** The same for a row that is moved by its buttons, of which one is disabled at either end. */
  followMoved: (key: string, by: -1 | 1) => void;
};

/**
 * The focus goes along with a row, so that the keyboard alone will do.
 * @param rows once they are drawn anew, the row is at its place
 * @param attribute by which a row says its key
 */
export function useFollowedRow<E extends HTMLElement>(rows: unknown, attribute: string): Followed<E> {
  const list = useRef<E>(null);
  const followed = useRef({ key: '', parts: [] as string[] });
  useLayoutEffect(() => {
    const { key, parts } = followed.current;
    followed.current = { key: '', parts: [] };
    const elements = parts.map((part) =>
      list.current?.querySelector<HTMLElement>(`[${attribute}="${key}"] ${part}:not(:disabled)`),
    );
    elements.find((element) => element != null)?.focus();
  }, [rows, attribute]);
  const follow = (key: string, ...parts: string[]) => void (followed.current = { key, parts });
  const [up, down] = ['[data-part="up"]', '[data-part="down"]'] as const;
  return {
    list,
    follow,
    followMoved: (key, by) => (by === -1 ? follow(key, up, down) : follow(key, down, up)),
  };
}
