import { useState } from 'react';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import { api } from '../../lib/gateway/api.ts';
import { type Action, useAction } from '../../lib/gateway/useAction.ts';
import { type Read, useRead } from '../../lib/gateway/useRead.ts';
import { type CallPage, pageSize, useLastEnd } from '../calls/useRecentCalls.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** Which of the agent's calls. */
export const callFilters = ['all', 'missed', 'inbound', 'outbound', 'answered'] as const;
export type CallsFilter = (typeof callFilters)[number];

/** A pause of this length is the end of a burst of typing. Milliseconds. */
const pauseMs = 250;

const parameters: Record<CallsFilter, Record<string, string>> = {
  all: {},
  missed: { result: 'missed' },
  inbound: { direction: 'inbound' },
  outbound: { direction: 'outbound' },
  answered: { result: 'answered' },
};

export type CallPages = Pick<Read<CallPage>, 'error' | 'isFetching' | 'refetch'> & {
  /** Undefined: nothing was read yet. */
  calls: readonly CallSummary[] | undefined;
  hasMore: boolean;
  more: Action<void, unknown>;
};

/** What was read of one question: of which, whether beyond its first page, and where its last page ended. */
type Known = {
  of: string;
  first: CallPage | undefined;
  calls: readonly CallSummary[];
  hasReadOn: boolean;
  next: string | null;
};

/**
 * The agent's calls that fit, newest first, a page more whenever it is asked for.
 * @param recent the first page of all, which the softphone has
 */
export function useCallPages(recent: Read<CallPage>, filter: CallsFilter, words: string): CallPages {
  const { agentId } = useWorkplace();
  const sought = words.trim();
  const isAll = filter === 'all' && sought === '';
  const of = JSON.stringify([agentId, filter, sought]);
  const lastEnd = useLastEnd();
  const query = {
    agent_id: agentId,
    state: 'ended',
    limit: pageSize,
    ...parameters[filter],
    ...(sought === '' ? {} : { q: sought }),
  };
  const filtered = useRead({
    key: isAll ? null : of,
    version: lastEnd,
    read: (signal) => api.get<CallPage>('/api/calls', query, signal),
    pauseMs: sought === '' ? 0 : pauseMs,
  });
  const { data: first, error, isFetching, refetch } = isAll ? recent : filtered;
  const [known, setKnown] = useState<Known>({ of: '', first: undefined, calls: [], hasReadOn: false, next: null });
  // The first page was read: anew, or of another question.
  // What was read behind it stays, so that nobody loses their place.
  if (first !== undefined && (known.of !== of || known.first !== first)) {
    const isSame = known.of === of && known.hasReadOn;
    setKnown(
      isSame
        ? { ...known, first, ...asLongAsBefore(known, first.calls) }
        : { of, first, calls: first.calls, hasReadOn: false, next: first.next_cursor },
    );
  }
  const more = useAction(async () => {
    if (known.next === null) return;
    const page = await api.get<CallPage>('/api/calls', { ...query, cursor: known.next });
    setKnown((before) =>
      before.of === of
        ? { ...before, calls: merged(before.calls, page.calls), hasReadOn: true, next: page.next_cursor }
        : before,
    );
  });
  const isKnown = known.of === of && first !== undefined;
  return {
    calls: isKnown ? known.calls : undefined,
    error,
    isFetching,
    refetch,
    hasMore: isKnown && known.next !== null,
    more,
  };
}

/**
 * With what was read anew. New calls push out as many of the oldest, which can be read again: a list that only grew
 * would be as long as the day.
 */
function asLongAsBefore({ calls: before, next }: Known, read: readonly CallSummary[]): Pick<Known, 'calls' | 'next'> {
  const all = merged(before, read);
  const calls = all.slice(0, Math.max(pageSize, before.length));
  // A page begins behind the call that the cursor names.
  return { calls, next: calls.length < all.length ? (calls.at(-1)?.id ?? next) : next };
}

/** Each once, as it was read last, newest first: ids are in the order of time. */
function merged(before: readonly CallSummary[], read: readonly CallSummary[]): CallSummary[] {
  const byId = new Map([...before, ...read].map((call) => [call.id, call]));
  return [...byId.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
}
