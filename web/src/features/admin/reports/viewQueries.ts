import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type {
  CreateReportViewRequest,
  ScheduleReportRequest,
  ReportViewView,
  UpdateReportViewRequest,
} from '../../../../../src/contract/reportViews.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';

const base = '/api/reports/views';

/** The reader's own views, and those that are shared. */
export const viewsQuery = queryOptions({
  queryKey: ['report views'],
  queryFn: async ({ signal }) => (await api.get<{ views: ReportViewView[] }>(base, {}, signal)).views,
});

/** Does it, and reads the views anew however it went: somebody else may have changed one. */
function useChange<I, R>(change: (input: I) => Promise<R>) {
  const queries = useQueryClient();
  return useAction(async (input: I) => {
    try {
      return await change(input);
    } finally {
      await queries.invalidateQueries({ queryKey: viewsQuery.queryKey });
    }
  });
}

export const useCreateView = () => useChange((view: CreateReportViewRequest) => api.post<ReportViewView>(base, view));

/** Changes a view as it was read. */
export const useUpdateView = ({ id, version }: ReportViewView) =>
  useChange((change: UpdateReportViewRequest) => api.patch<ReportViewView>(`${base}/${id}`, { ...change, version }));

export const useRemoveView = () => useChange((id: string) => api.delete(`${base}/${id}`));

export const useSchedule = (id: string) =>
  useChange((when: ScheduleReportRequest) => api.put<ReportViewView>(`${base}/${id}/schedule`, when));

export const useUnschedule = (id: string) => useChange<void, unknown>(() => api.delete(`${base}/${id}/schedule`));

/** Sends the report of a view now. */
export const useSendNow = (id: string) =>
  useChange<void, ReportViewView>(() => api.post<ReportViewView>(`${base}/${id}/runs`));
