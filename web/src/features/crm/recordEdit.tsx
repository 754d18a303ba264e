import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/gateway/api.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { AreaPage } from './AreaPage.tsx';
import { isOutdated } from './isOutdated.ts';
import { Failed, Waiting } from './Loaded.tsx';

/** Of React Query: `refetchOnMount`, so that a form begins with the record as it is now, not as a page before read it. */
export const asItIsNow = { refetchOnMount: 'always' } as const;

type OpenedProps<R, B> = {
  /** Until the record is there. */
  title: string;
  /** Read `asItIsNow`. */
  record: UseQueryResult<R>;
  /** What the form needs besides. */
  besides: UseQueryResult<B>;
  children: (record: R, besides: B) => ReactNode;
};

/** The form for a record that there is, once the record is read. */
export function OpenedRecord<R, B>({ title, record, besides, children }: OpenedProps<R, B>) {
  if (record.data !== undefined && record.isFetchedAfterMount && besides.data !== undefined)
    return children(record.data, besides.data);
  const failed = [record, besides].find(({ error }) => error !== null);
  return (
    <AreaPage title={title}>
      {failed === undefined ? (
        <Waiting />
      ) : (
        <Failed error={failed.error} isTrying={failed.isFetching} onAgain={() => void failed.refetch()} />
      )}
    </AreaPage>
  );
}

type Versioned = { version: number };

/**
 * Saves what was changed of a record. What somebody else has changed meanwhile is read, to be shown, and overwritten
 * once it was.
 * @param opened the record as it was when its form was opened
 * @param changesOf what is to be changed of it
 */
export function useRecordEdit<R extends Versioned, V>(
  opened: R,
  address: string,
  changesOf: (values: V, base: R) => object,
  onSaved: (saved: R) => void,
) {
  const { t } = useTranslation();
  const [base] = useState(opened);
  const [newer, setNewer] = useState<R | null>(null);
  const saving = useAction(async (values: V) => {
    const changes = changesOf(values, base);
    if (Object.keys(changes).length === 0) return;
    try {
      onSaved(await api.patch<R>(address, { ...changes, version: (newer ?? base).version }));
    } catch (error) {
      if (isOutdated(error)) setNewer(await api.get<R>(address));
      throw error;
    }
  });
  return {
    base,
    saving,
    /** As somebody else has made it meanwhile, where that is why it was not saved. */
    newer: isOutdated(saving.error) ? newer : null,
    saveText: t(newer === null ? 'crmArea.form.save' : 'crmArea.form.saveAnyway'),
  };
}
