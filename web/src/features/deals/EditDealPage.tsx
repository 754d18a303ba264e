import { Alert, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { DealView } from '../../../../src/contract/deals.ts';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { pipelinesQuery } from '../../shared/sharedQueries.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { asItIsNow, OpenedRecord, useRecordEdit } from '../crm/recordEdit.tsx';
import { DealForm } from './DealForm.tsx';
import { changesOf, type DealValues, valuesOf } from './dealForm.ts';
import { dealQuery, noteChanged } from './dealQueries.ts';
import { useDecimalSign } from './useDecimalSign.ts';

/** The form for a deal that there is. */
export function EditDealPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const deal = useQuery({ ...dealQuery(id), ...asItIsNow });
  const pipelines = useQuery(pipelinesQuery);
  return (
    <OpenedRecord title={t('deals.form.edit')} record={deal} besides={pipelines}>
      {(opened, all) => <Editing key={id} opened={opened} pipelines={all} />}
    </OpenedRecord>
  );
}

/** @param opened the deal as it was when the form was opened */
function Editing({ opened, pipelines }: { opened: DealView; pipelines: readonly PipelineView[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const decimal = useDecimalSign();
  const { base, newer, saving, saveText } = useRecordEdit(
    opened,
    `/api/crm/deals/${opened.id}`,
    (values: DealValues, before) => changesOf(values, valuesOf(before, decimal), decimal),
    (saved) => noteChanged(queries, saved),
  );
  const leave = () => void navigate(`/deals/${base.id}`);
  const notice = (
    <Alert color="blue" variant="light" role="alert" title={messageOf(t, saving.error)}>
      <Text size="sm">{t('crmArea.form.changedText')}</Text>
    </Alert>
  );
  return (
    <AreaPage title={t('deals.form.editOf', { deal: base.name })}>
      <DealForm
        initial={valuesOf(base, decimal)}
        pipelines={pipelines}
        owner={base.owner}
        notice={newer === null ? undefined : notice}
        error={saving.error}
        isSaving={saving.isPending}
        saveText={saveText}
        onSave={(values) => saving.run(values, { onSuccess: leave })}
        onCancel={leave}
      />
    </AreaPage>
  );
}
