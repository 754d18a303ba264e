import { Alert, Text } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { api } from '../../lib/gateway/api.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { AreaPage } from './AreaPage.tsx';
import { isOutdated } from './isOutdated.ts';
import { Failed, Waiting } from './Loaded.tsx';

type OpenedProps<R, B> = {
  /** Until the record is there. */
  title: string;
  /** How the record of an id is read. */
  record: (id: string) => UseQueryOptions<R, Error, R, string[]>;
  /** What the form needs besides. */
  besides: UseQueryOptions<B, Error, B, string[]>;
  children: (record: R, besides: B) => ReactNode;
};

/**
 * The form for the record that `:id` of the address names, once it is read: it begins with the record as it is now, not
 * as a page before read it.
 */
export function OpenedRecord<R, B>({ title, children, ...queries }: OpenedProps<R, B>) {
  const { id = '' } = useParams();
  const record = useQuery({ ...queries.record(id), refetchOnMount: 'always' });
  const besides = useQuery(queries.besides);
  if (record.data !== undefined && record.isFetchedAfterMount && besides.data !== undefined)
    return <Fragment key={id}>{children(record.data, besides.data)}</Fragment>;
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
 * @param onDone it is saved, or left as it is
 */
export function useRecordEdit<R extends Versioned, V>(
  opened: R,
  address: string,
  changesOf: (values: V, base: R) => object,
  onSaved: (saved: R) => void,
  onDone: () => void,
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
    /** As somebody else has made it meanwhile, where that is why it was not saved. */
    newer: isOutdated(saving.error) ? newer : null,
    /** What its form is given. */
    form: {
      error: saving.error,
      isSaving: saving.isPending,
      saveText: t(newer === null ? 'crmArea.form.save' : 'crmArea.form.saveAnyway'),
      onSave: (values: V) => saving.run(values, { onSuccess: onDone }),
      onCancel: onDone,
    },
  };
}

/** Somebody else has saved the record since its form was opened. What was typed stays in the form. */
export function ChangedNotice({ title, children }: { title: string; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Alert color="blue" variant="light" role="alert" title={title}>
      {children}
      <Text size="sm">{t('crmArea.form.changedText')}</Text>
    </Alert>
  );
}
