import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { CreateFieldRequest, FieldView, UpdateFieldRequest } from '../../../../../src/contract/contactFields.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';

/** The fields of contacts that the company has defined, in their order. */
export const fieldsQuery = queryOptions({
  queryKey: ['contact-fields'],
  queryFn: async ({ signal }) => (await api.get<{ fields: FieldView[] }>('/api/crm/fields', {}, signal)).fields,
});

const addressOf = (key: string) => `/api/crm/fields/${encodeURIComponent(key)}`;

/** Defines a field. */
export function useCreateField() {
  const queries = useQueryClient();
  return useAction(async (field: CreateFieldRequest) => {
    await api.post('/api/crm/fields', field);
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
