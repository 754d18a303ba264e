import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AddDoNotDialRequest, DoNotDialEntry, DoNotDialImport } from '../../../../../src/contract/doNotDial.ts';
import { maxListBytes } from '../../../../../src/contract/dialingLimits.ts';
import { api } from '../../../lib/gateway/api.ts';
import { ApiProblem } from '../../../lib/gateway/apiProblem.ts';
import { uploadCsv } from '../../../lib/gateway/files.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { pagedQuery } from '../../../shared/list/pagedQuery.ts';

const path = '/api/do-not-dial';
const key = ['do not dial'];
const pageSize = 50;

/** The list in the order of its numbers, page by page. @param sought digits of a number; empty: all of it */
export const doNotDialQuery = (sought: string) =>
  pagedQuery({
    queryKey: [...key, sought],
    path,
    query: { q: sought, limit: pageSize },
    entries: (page: { entries: DoNotDialEntry[]; next_cursor: string | null }) => page.entries,
    placeholderData: keepPreviousData,
  });

export function useAddNumber() {
  const queries = useQueryClient();
  return useAction(async (entry: AddDoNotDialRequest) => {
    const added = await api.post<DoNotDialEntry>(path, entry);
    await queries.invalidateQueries({ queryKey: key });
    return added;
  });
}

export function useRemoveNumber() {
  const queries = useQueryClient();
  return useAction(async (id: string) => {
    await api.delete(`${path}/${id}`);
    await queries.invalidateQueries({ queryKey: key });
  });
}

/** Puts the numbers of a file on the list; `share` of it has gone, from 0 to 1. */
export function useImportNumbers() {
  const queries = useQueryClient();
  const [share, setShare] = useState(0);
  const action = useAction(async (file: File) => {
    setShare(0);
    if (file.size > maxListBytes) {
      throw new ApiProblem(413, {
        code: 'payload_too_large',
        cause: { code: 'file_too_large', params: { max: maxListBytes } },
      });
    }
    const done = await uploadCsv<DoNotDialImport>(`${path}/import`, file, setShare);
    await queries.invalidateQueries({ queryKey: key });
    return done;
  });
  return { ...action, share };
}
