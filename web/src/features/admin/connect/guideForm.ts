import { type FormErrors, useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import type { IntegrationView } from '../../../../../src/contract/integrations.ts';
import type { CrmProvider, CtiConnector } from '../../../../../src/contract/vocabulary.ts';
import type { Form } from '../../../shared/form/useRecordForm.ts';
import { urlFault } from './urlFault.ts';

/** What the first steps of the guide ask for. */
type GuideFields = { crm_provider: CrmProvider | null; cti_connector: CtiConnector; webhook_url: string };

export type GuideForm = Form<GuideFields>;

/** One form for all steps: going back loses nothing. Each step validates its own fields. */
export function useGuideForm({ crm_provider, cti_connector, webhook_url }: IntegrationView): GuideForm {
  const { t } = useTranslation();
  return useForm<GuideFields, GuideFields, FormErrors>({
    initialValues: { crm_provider, cti_connector: cti_connector ?? 'none', webhook_url: webhook_url ?? '' },
    validate: ({ crm_provider: provider, webhook_url: url }) => ({
      crm_provider: provider === null ? t('admin.connect.choose.lacking') : null,
      webhook_url: urlFault(t, url.trim()),
    }),
  });
}
