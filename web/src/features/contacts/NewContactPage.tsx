import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { usePostOnce } from '../../lib/gateway/usePostOnce.ts';
import { fieldsQuery } from '../../shared/sharedQueries.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { ContactForm } from './ContactForm.tsx';
import { bodyOf, type ContactValues, emptyValues } from './contactForm.ts';
import { noteSaved } from './contactQueries.ts';

/** The form for a contact that there is not yet; `?phone=` of the address is its number. */
export function NewContactPage() {
  const { t } = useTranslation();
  const [asked] = useSearchParams();
  const phone = asked.get('phone') ?? '';
  const navigate = useNavigate();
  const queries = useQueryClient();
  const fields = useQuery(fieldsQuery);
  const postOnce = usePostOnce();
  const creating = useAction(async ({ values, shared }: { values: ContactValues; shared: boolean }) => {
    const body = { ...bodyOf(values, fields.data ?? []), ...(shared ? { shared } : {}) };
    const contact = await postOnce<ContactView>('/api/crm/contacts', body);
    noteSaved(queries, contact);
    return contact;
  });
  const create = (values: ContactValues, shared: boolean) =>
    creating.run({ values, shared }, { onSuccess: ({ id }) => void navigate(`/contacts/${id}`, { replace: true }) });
  return (
    <AreaPage title={t('crmArea.form.newContact')}>
      <Loaded query={fields}>
        {(own) => (
          <ContactForm
            key={phone}
            initial={emptyValues(phone)}
            fields={own}
            error={creating.error}
            isSaving={creating.isPending}
            saveText={t('crmArea.form.create')}
            onSave={(values) => create(values, false)}
            onSaveAnother={(values) => create(values, true)}
            onCancel={() => void navigate('/contacts')}
          />
        )}
      </Loaded>
    </AreaPage>
  );
}
