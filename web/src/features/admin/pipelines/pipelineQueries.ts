import { useQueryClient } from '@tanstack/react-query';
import type {
  CreatePipelineRequest,
  PipelineView,
  UpdatePipelineRequest,
} from '../../../../../src/contract/pipelines.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { pipelinesQuery } from '../../../shared/sharedQueries.ts';

/**
 * Defines a pipeline, or changes the one that was read;
 * where somebody else has changed it meanwhile, it is refused and read anew.
 */
export function useSavePipeline(read: PipelineView | null) {
  const queries = useQueryClient();
  return useAction(async (pipeline: CreatePipelineRequest & UpdatePipelineRequest) => {
    try {
      if (read === null) await api.post('/api/crm/pipelines', pipeline);
      else await api.patch(`/api/crm/pipelines/${read.id}`, { ...pipeline, version: read.version });
    } finally {
      await queries.invalidateQueries({ queryKey: pipelinesQuery.queryKey });
    }
  });
}

/** Takes a pipeline away that has no deals. */
export function useRemovePipeline() {
  const queries = useQueryClient();
  return useAction(async (id: string) => {
    await api.delete(`/api/crm/pipelines/${id}`);
    await queries.invalidateQueries({ queryKey: pipelinesQuery.queryKey });
  });
}
