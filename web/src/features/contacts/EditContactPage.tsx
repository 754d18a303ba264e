import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { FieldView } from '../../../../src/contract/contactFields.ts';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { api } from '../../lib/gateway/api.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { isOutdated } from '../crm/isOutdated.ts';
import { Failed, Waiting } from '../crm/Loaded.tsx';
import { noteMade } from '../crm/madeContacts.ts';
import { ChangedMeanwhile } from './ChangedMeanwhile.tsx';
import { ContactForm } from './ContactForm.tsx';
import { changesOf, type ContactValues, valuesOf } from './contactForm.ts';
import { contactQuery, fieldsQuery, timelineQuery } from './contactQueries.ts';
import { contactTitle } from './contactText.ts';

/** The form for a contact that there is. */
export function EditContactPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  // As it is now, not as a page before has read it.
  const contact = useQuery({ ...contactQuery(id), refetchOnMount: 'always' });
  const fields = useQuery(fieldsQuery);
  const isFresh = contact.data !== undefined && contact.isFetchedAfterMount;
  if (fields.data === undefined || !isFresh) {
    const failed = [contact, fields].find(({ error }) => error !== null);
    return (
      <AreaPage title={t('crmArea.form.editContact')}>
        {failed === undefined ? (
          <Waiting />
        ) : (
          <Failed error={failed.error} isTrying={failed.isFetching} onAgain={() => void failed.refetch()} />
        )}
      </AreaPage>
    );
  }
  return <Editing key={id} opened={contact.data} fields={fields.data} />;
}

/** @param opened the contact as it was when the form was opened */
function Editing({ opened, fields }: { opened: ContactView; fields: readonly FieldView[] }) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [base] = useState(opened);
  /** As somebody else has made it meanwhile. */
  const [newer, setNewer] = useState<ContactView | null>(null);
  const address = `/api/crm/contacts/${base.id}`;
  const saving = useAction(async (values: ContactValues) => {
    const changes = changesOf(values, valuesOf(base), fields);
    if (Object.keys(changes).length === 0) return;
    try {
      const saved = await api.patch<ContactView>(address, { ...changes, version: (newer ?? base).version });
      noteMade(
        saved.phones.map(({ phone_number }) => phone_number),
        saved.id,
      );
      queries.setQueryData(contactQuery(base.id).queryKey, saved);
      void queries.invalidateQueries({ queryKey: timelineQuery(base.id).queryKey });
      void queries.invalidateQueries({ queryKey: ['contacts', 'list'] });
    } catch (error) {
      if (isOutdated(error)) setNewer(await api.get<ContactView>(address));
      throw error;
    }
  });
  const leave = () => void navigate(`/contacts/${base.id}`);
  return (
    <AreaPage title={t('crmArea.form.editOf', { who: contactTitle(t, phoneText, base) })}>
      <ContactForm
        initial={valuesOf(base)}
        fields={fields}
        owner={base.owner}
        notice={
          isOutdated(saving.error) && newer !== null ? (
            <ChangedMeanwhile before={base} now={newer} fields={fields} />
          ) : undefined
        }
        error={saving.error}
        isSaving={saving.isPending}
        saveText={t(newer === null ? 'crmArea.form.save' : 'crmArea.form.saveAnyway')}
        onSave={(values) => saving.run(values, { onSuccess: leave })}
        onCancel={leave}
      />
    </AreaPage>
  );
}
