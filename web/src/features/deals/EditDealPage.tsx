import { Alert, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { DealView } from '../../../../src/contract/deals.ts';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { api } from '../../lib/gateway/api.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Failed, Waiting } from '../crm/Loaded.tsx';
import { DealForm } from './DealForm.tsx';
import { changesOf, type DealValues, valuesOf } from './dealForm.ts';
import { dealQuery, noteChanged, pipelinesQuery } from './dealQueries.ts';
import { isOutdated } from '../crm/isOutdated.ts';
import { useDecimalSign } from './useDecimalSign.ts';

/** The form for a deal that there is. */
export function EditDealPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  // As it is now, not as a page before has read it.
  const deal = useQuery({ ...dealQuery(id), refetchOnMount: 'always' });
  const pipelines = useQuery(pipelinesQuery);
  const isFresh = deal.data !== undefined && deal.isFetchedAfterMount;
  if (pipelines.data === undefined || !isFresh) {
    const failed = [deal, pipelines].find(({ error }) => error !== null);
    return (
      <AreaPage title={t('deals.form.edit')}>
        {failed === undefined ? (
          <Waiting />
        ) : (
          <Failed error={failed.error} isTrying={failed.isFetching} onAgain={() => void failed.refetch()} />
        )}
      </AreaPage>
    );
  }
  return <Editing key={id} opened={deal.data} pipelines={pipelines.data} />;
}

/** @param opened the deal as it was when the form was opened */
function Editing({ opened, pipelines }: { opened: DealView; pipelines: readonly PipelineView[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const decimal = useDecimalSign();
  const [base] = useState(opened);
  /** As somebody else has made it meanwhile. */
  const [newer, setNewer] = useState<DealView | null>(null);
  const address = `/api/crm/deals/${base.id}`;
  const saving = useAction(async (values: DealValues) => {
    const changes = changesOf(values, valuesOf(base, decimal), decimal);
    if (Object.keys(changes).length === 0) return;
    try {
      noteChanged(queries, await api.patch<DealView>(address, { ...changes, version: (newer ?? base).version }));
    } catch (error) {
      if (isOutdated(error)) setNewer(await api.get<DealView>(address));
      throw error;
    }
  });
  const leave = () => void navigate(`/deals/${base.id}`);
  const notice = isOutdated(saving.error) && newer !== null && (
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
        notice={notice === false ? undefined : notice}
        error={saving.error}
        isSaving={saving.isPending}
        saveText={t(newer === null ? 'crmArea.form.save' : 'crmArea.form.saveAnyway')}
        onSave={(values) => saving.run(values, { onSuccess: leave })}
        onCancel={leave}
      />
    </AreaPage>
  );
}
