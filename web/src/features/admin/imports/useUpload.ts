import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ImportView, maxFileBytes, type UploadQuery } from '../../../../../src/contract/imports.ts';
import { api } from '../../../lib/gateway/api.ts';
import { ApiProblem } from '../../../lib/gateway/apiProblem.ts';
import { uploadCsv } from '../../../lib/gateway/files.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { importQuery, importsPath, importsQuery } from './importQueries.ts';

/**
 * How a file is to be read where that was not told from it rightly. `instead`: the import that it was read into before.
 */
export type Reading = Partial<Pick<UploadQuery, 'delimiter' | 'encoding'>> & { instead?: string };

/** Uploads a file into an import of its own; `share` of it has gone, from 0 to 1. */
export function useUpload() {
  const queries = useQueryClient();
  const [share, setShare] = useState(0);
  const action = useAction(async ({ file, instead, ...reading }: { file: File } & Reading) => {
    setShare(0);
    if (file.size > maxFileBytes) {
      throw new ApiProblem(413, {
        code: 'payload_too_large',
        cause: { code: 'file_too_large', params: { max: maxFileBytes } },
      });
    }
    const asked = new URLSearchParams({ file_name: file.name.slice(0, 200) });
    for (const [name, value] of Object.entries(reading)) if (value !== undefined) asked.set(name, value);
    const made = await uploadCsv<ImportView>(`${importsPath}?${asked.toString()}`, file, setShare);
    if (instead !== undefined) await api.delete(`${importsPath}/${instead}`).catch(() => undefined);
    queries.setQueryData(importQuery(made.id).queryKey, made);
    await queries.invalidateQueries({ queryKey: importsQuery.queryKey });
    return made;
  });
  return { ...action, share };
}
