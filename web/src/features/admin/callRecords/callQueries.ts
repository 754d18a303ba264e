import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { CallCourseView, CallDeliveryView } from '../../../../../src/contract/callCourse.ts';
import type { CallList, CallView, ChangeCallRequest, CorrectionView } from '../../../../../src/contract/calls.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { pagedQuery } from '../../../shared/list/pagedQuery.ts';
import { type ExactAnswer, readExactAnswer } from '../../../shared/customerDetails/exactAnswer.ts';

const base = '/api/calls';
const key = ['calls'];
const pageSize = 50;

export const callFilters = [
  'q',
  'phone',
  'agent_id',
  'team_id',
  'direction',
  'end_reason',
  'disposition',
  'tag',
  'since',
  'until',
] as const;
/** Which calls are listed; times are ISO 8601, empty is any. */
export type CallFilter = Record<(typeof callFilters)[number], string>;

/** What of it is asked for. */
export function asked(filter: CallFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** `agent`: by name; null: it is not known. */
export type ListedCall = CallList['calls'][number] & { agent: string | null };

/** The calls, newest first, page by page. */
export const callsQuery = (filter: CallFilter) =>
  pagedQuery({
    queryKey: [...key, 'list', filter],
    path: base,
    query: { ...filter, limit: pageSize },
    entries: ({ calls, agents }: CallList): ListedCall[] =>
      calls.map((call) => ({ ...call, agent: agents.find(({ id }) => id === call.agent_id)?.name ?? null })),
    placeholderData: keepPreviousData,
  });

/** One call, with the CRM's fields exactly as they came. */
export const callQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'one', id],
    queryFn: ({ signal }) => api.get<ExactAnswer<CallView>>(`${base}/${id}`, {}, signal, readExactAnswer),
  });

/** What happened in a call, step by step. */
export const stepsQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'steps', id],
    queryFn: async ({ signal }) =>
      (await api.get<{ steps: CallCourseView[] }>(`${base}/${id}/steps`, {}, signal)).steps,
  });

/** What was sent of a call. */
export const deliveriesOfQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'deliveries', id],
    queryFn: async ({ signal }) =>
      (await api.get<{ deliveries: CallDeliveryView[] }>(`${base}/${id}/deliveries`, {}, signal)).deliveries,
  });

/** What was changed of how a call was wrapped up. */
export const correctionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'corrections', id],
    queryFn: async ({ signal }) =>
      (await api.get<{ corrections: CorrectionView[] }>(`${base}/${id}/corrections`, {}, signal)).corrections,
  });

/** Corrects how a call was wrapped up. */
export function useChangeCall(id: string) {
  const queries = useQueryClient();
  return useAction(async (change: ChangeCallRequest) => {
    const call = await api.patch<CallView>(`${base}/${id}`, change);
    await queries.invalidateQueries({ queryKey: key });
    return call;
  });
}
