import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MoreButton } from '../../../shared/list/MoreButton.tsx';
import { Problem, Waiting } from './Loaded.tsx';

type Props<T> = {
  query: UseInfiniteQueryResult<T[]>;
  /** Filters that show their own faults. */
  fields?: readonly string[];
  /** Where nothing is listed. */
  none: ReactNode;
  /** What reads on. */
  more: string;
  children: (entries: T[]) => ReactNode;
};

/** What was read of a list so far, with the way to more of it; before that a skeleton, or what went wrong. */
export function PagedList<T>({ query, fields = [], none, more, children }: Props<T>) {
  if (query.isPending) return <Waiting />;
  return (
    <>
      <Problem error={query.error} fields={fields} />
      {query.data !== undefined && (query.data.length === 0 ? none : children(query.data))}
      <MoreButton query={query} text={more} />
    </>
  );
}
