import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import type { DealView } from '../../../../src/contract/deals.ts';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { signedIn } from '../../lib/gateway/signIn.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { usePostOnce } from '../../lib/gateway/usePostOnce.ts';
import { pipelinesQuery } from '../../shared/sharedQueries.ts';
import { contactQuery } from '../contacts/contactQueries.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { lastCurrency, noteCurrency } from './currencies.ts';
import { DealForm } from './DealForm.tsx';
import { bodyOf, type DealValues, emptyDeal } from './dealForm.ts';
import { noteChanged } from './dealQueries.ts';
import { NoPipelines } from './NoPipelines.tsx';
import { useDecimalSign } from './useDecimalSign.ts';

/**
 * The form for a deal that there is not yet; `?contact=` of the address is whom it is with, `?stage=` where it begins.
 */
export function NewDealPage() {
  const { t } = useTranslation();
  const [asked] = useSearchParams();
  const contactId = asked.get('contact');
  const pipelines = useQuery(pipelinesQuery);
  const contact = useQuery({ ...contactQuery(contactId ?? ''), enabled: contactId !== null });
  return (
    <AreaPage title={t('deals.form.new')}>
      <Loaded query={pipelines}>
        {(all) => {
          if (all.length === 0) return <NoPipelines />;
          if (contactId !== null && contact.isPending) return <Loaded query={contact}>{() => null}</Loaded>;
          const { data } = contact;
          const given =
            data === undefined ? {} : { contact: { id: data.id, name: data.name }, organisation: data.organisation };
          return (
            <Making pipelines={all} given={{ ...given, stage_id: asked.get('stage') ?? all[0]?.stages[0]?.id ?? '' }} />
          );
        }}
      </Loaded>
    </AreaPage>
  );
}

function Making({ pipelines, given }: { pipelines: readonly PipelineView[]; given: Partial<DealValues> }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const decimal = useDecimalSign();
  const postOnce = usePostOnce();
  const creating = useAction(async (values: DealValues) => {
    const body = bodyOf(values, decimal);
    const deal = await postOnce<DealView>('/api/crm/deals', body);
    if (deal.currency !== null) noteCurrency(deal.currency);
    noteChanged(queries, deal);
    return deal;
  });
  return (
    <DealForm
      initial={emptyDeal({ owner_id: signedIn()?.agent.id ?? '', currency: lastCurrency(), ...given })}
      pipelines={pipelines}
      error={creating.error}
      isSaving={creating.isPending}
      saveText={t('deals.form.create')}
      onSave={(values) =>
        creating.run(values, { onSuccess: ({ id }) => void navigate(`/deals/${id}`, { replace: true }) })
      }
      onCancel={() => void navigate(-1)}
    />
  );
}
