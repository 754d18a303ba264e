import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from './Loaded.tsx';
import { More } from './More.tsx';

type Props<T> = {
  query: UseInfiniteQueryResult<T[]>;
  /** Where nothing is listed. */
  none?: ReactNode;
  children: (entries: T[]) => ReactNode;
};

/** What was read of a list so far, and the way to more of it. */
export function Listed<T>({ query, none = null, children }: Props<T>) {
  return (
    <Loaded query={query}>
      {(entries) =>
        entries.length === 0 ? (
          none
        ) : (
          <div>
            {children(entries)}
            <More query={query} />
          </div>
        )
      }
    </Loaded>
  );
}
