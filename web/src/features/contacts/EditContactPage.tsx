import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { FieldView } from '../../../../src/contract/contactFields.ts';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { fieldsQuery } from '../../shared/sharedQueries.ts';
import { AreaPage } from '../crm/AreaPage.tsx';
import { OpenedRecord, useRecordEdit } from '../crm/recordEdit.tsx';
import { ChangedMeanwhile } from './ChangedMeanwhile.tsx';
import { ContactForm } from './ContactForm.tsx';
import { changesOf, type ContactValues, valuesOf } from './contactForm.ts';
import { contactQuery, noteSaved, timelineQuery } from './contactQueries.ts';
import { contactTitle } from './contactText.ts';

/** The form for a contact that there is. */
export function EditContactPage() {
  const { t } = useTranslation();
  return (
    <OpenedRecord title={t('crmArea.form.editContact')} record={contactQuery} besides={fieldsQuery}>
      {(opened, fields) => <Editing opened={opened} fields={fields} />}
    </OpenedRecord>
  );
}

/** @param opened the contact as it was when the form was opened */
function Editing({ opened, fields }: { opened: ContactView; fields: readonly FieldView[] }) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { base, newer, form } = useRecordEdit(
    opened,
    `/api/crm/contacts/${opened.id}`,
    (values: ContactValues, before) => changesOf(values, valuesOf(before), fields),
    (saved) => {
      noteSaved(queries, saved);
      void queries.invalidateQueries({ queryKey: timelineQuery(saved.id).queryKey });
    },
    () => void navigate(`/contacts/${opened.id}`),
  );
  return (
    <AreaPage title={t('crmArea.form.editOf', { who: contactTitle(t, phoneText, base) })}>
      <ContactForm
        initial={valuesOf(base)}
        fields={fields}
        owner={base.owner}
        notice={newer === null ? undefined : <ChangedMeanwhile before={base} now={newer} fields={fields} />}
        {...form}
      />
    </AreaPage>
  );
}
