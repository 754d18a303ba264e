import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { DealView } from '../../../../src/contract/deals.ts';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { pipelinesQuery } from '../../shared/sharedQueries.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { ChangedNotice, OpenedRecord, useRecordEdit } from '../crm/recordEdit.tsx';
import { DealForm } from './DealForm.tsx';
import { changesOf, type DealValues, valuesOf } from './dealForm.ts';
import { dealQuery, noteChanged } from './dealQueries.ts';
import { useDecimalSign } from './useDecimalSign.ts';

/** The form for a deal that there is. */
export function EditDealPage() {
  const { t } = useTranslation();
  return (
    <OpenedRecord title={t('deals.form.edit')} record={dealQuery} besides={pipelinesQuery}>
      {(opened, pipelines) => <Editing opened={opened} pipelines={pipelines} />}
    </OpenedRecord>
  );
}

/** @param opened the deal as it was when the form was opened */
function Editing({ opened, pipelines }: { opened: DealView; pipelines: readonly PipelineView[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const decimal = useDecimalSign();
  const { base, newer, form } = useRecordEdit(
    opened,
    `/api/crm/deals/${opened.id}`,
    (values: DealValues, before) => changesOf(values, valuesOf(before, decimal), decimal),
    (saved) => noteChanged(queries, saved),
    () => void navigate(`/deals/${opened.id}`),
  );
  return (
    <AreaPage title={t('deals.form.editOf', { deal: base.name })}>
      <DealForm
        initial={valuesOf(base, decimal)}
        pipelines={pipelines}
        owner={base.owner}
        notice={newer === null ? undefined : <ChangedNotice title={messageOf(t, form.error)} />}
        {...form}
      />
    </AreaPage>
  );
}
