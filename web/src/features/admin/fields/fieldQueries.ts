import { useQueryClient } from '@tanstack/react-query';
import type { CreateFieldRequest, FieldView, UpdateFieldRequest } from '../../../../../src/contract/contactFields.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { fieldsQuery } from '../../../shared/sharedQueries.ts';

const addressOf = (key: string) => `/api/crm/fields/${encodeURIComponent(key)}`;

/** Defines a field, or changes the one that was read; where somebody else has changed it meanwhile, it is refused. */
export function useSaveField(read: FieldView | null) {
  const queries = useQueryClient();
  return useAction(async ({ key, kind, position, ...content }: CreateFieldRequest) => {
    if (read === null) await api.post('/api/crm/fields', { ...content, kind, key, position });
    else await api.patch(addressOf(read.key), { ...content, version: read.version });
    await queries.invalidateQueries({ queryKey: fieldsQuery.queryKey });
  });
}

/** Changes a field; its key and kind stay. */
export function useUpdateField() {
  const queries = useQueryClient();
  return useAction(async ({ key, ...change }: UpdateFieldRequest & { key: string }) => {
    await api.patch(addressOf(key), change);
    await queries.invalidateQueries({ queryKey: fieldsQuery.queryKey });
  });
}

/** Takes a field away; what contacts hold in it is kept. */
export function useRemoveField() {
  const queries = useQueryClient();
  return useAction(async (key: string) => {
    await api.delete(addressOf(key));
    await queries.invalidateQueries({ queryKey: fieldsQuery.queryKey });
  });
}

/** Puts the fields into another order. Where that fails, they are shown as they are. */
export function useOrderFields() {
  const queries = useQueryClient();
  return useAction(async (ordered: readonly FieldView[]) => {
    try {
      for (const [position, field] of ordered.entries()) {
        if (field.position !== position) await api.patch(addressOf(field.key), { position });
      }
    } finally {
      await queries.invalidateQueries({ queryKey: fieldsQuery.queryKey });
    }
  });
}
