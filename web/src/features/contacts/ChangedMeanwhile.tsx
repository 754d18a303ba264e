import { useTranslation } from 'react-i18next';
import type { FieldView } from '../../../../src/contract/contactFields.ts';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { ownValue } from '../../../../src/contract/ownValue.ts';
import { ChangedNotice } from '../crm/recordEdit.tsx';
import { changesOf, valuesOf } from './contactForm.ts';
import { EditList } from './EditList.tsx';

type Props = { before: ContactView; now: ContactView; fields: readonly FieldView[] };

/**
 * Somebody else has saved the contact since its form was opened: what is different now.
 * What was typed stays in the form.
 */
export function ChangedMeanwhile({ before, now, fields }: Props) {
  const { t } = useTranslation();
  const changed = changesOf(valuesOf(now), valuesOf(before), fields);
  const { fields: own = {}, ...others } = changed;
  const names = [...Object.keys(others), ...Object.keys(own as object).map((key) => `fields.${key}`)];
  const edits = names.map((name) => ({
    field: editName(name),
    before: textOf(before, name),
    after: textOf(now, name),
  }));
  return (
    <ChangedNotice title={t('crmArea.form.changedTitle')}>
      <EditList edits={edits} />
    </ChangedNotice>
  );
}

/** The field as the timeline names it. */
function editName(field: string): string {
  return field.replace(/^(organisation|owner)_id$/, '$1');
}

/** What stands in a field, for a person; null: nothing. */
function textOf(contact: ContactView, field: string): string | null {
  if (field.startsWith('fields.')) return textIn(ownValue(contact.fields, field.slice('fields.'.length)));
  switch (editName(field)) {
    case 'organisation':
      return contact.organisation?.name ?? null;
    case 'owner':
      return contact.owner?.name ?? null;
    case 'phones':
      return textIn(contact.phones.map(({ phone_number }) => phone_number).join(', '));
    case 'emails':
      return textIn(contact.emails.map(({ email }) => email).join(', '));
    case 'tags':
      return textIn(contact.tags.join(', '));
    case 'do_not_call':
      return contact.do_not_call ? 'true' : null;
    default:
      return textIn(contact[field as 'name' | 'tier' | 'language' | 'time_zone' | 'notes' | 'external_id']);
  }
}

function textIn(value: string | number | null | undefined): string | null {
  return value === null || value === undefined || value === '' ? null : String(value);
}
