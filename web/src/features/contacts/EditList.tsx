import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ContactActivityView } from '../../../../src/contract/contactActivities.ts';
import type { FieldView } from '../../../../src/contract/contactFields.ts';
import type { Catalog, Translate } from '../../lib/i18n/catalog.ts';
import { fieldsQuery } from '../../shared/sharedQueries.ts';
import classes from './Timeline.module.css';

type Edit = ContactActivityView['edits'][number];

/** What a change did: the field, what stood there before, what stands there since. */
export function EditList({ edits }: { edits: readonly Edit[] }) {
  const { t } = useTranslation();
  const { data: fields = [] } = useQuery({ ...fieldsQuery, enabled: edits.length > 0 });
  if (edits.length === 0) return null;
  return (
    <ul className={classes.edits}>
      {edits.map(({ field, before, after }) => (
        <li key={field}>
          {fieldName(t, fields, field)}: {before !== null && <del>{shownValue(t, field, before)}</del>}
          {before !== null && after !== null && ' → '}
          {after !== null && <ins>{shownValue(t, field, after)}</ins>}
        </li>
      ))}
    </ul>
  );
}

/** The gateway's names of what a contact holds, and the page's. */
const names: Readonly<Record<string, keyof Catalog['crmArea']['contact']>> = {
  name: 'name',
  organisation: 'organisation',
  owner: 'owner',
  phones: 'phones',
  emails: 'emails',
  tags: 'tags',
  tier: 'tier',
  language: 'language',
  time_zone: 'timeZone',
  notes: 'notes',
  do_not_call: 'doNotCall',
  external_id: 'externalId',
  stage: 'stage',
};

function fieldName(t: Translate, fields: readonly FieldView[], field: string): string {
  const name = names[field];
  if (name !== undefined) return t(`crmArea.contact.${name}`);
  const key = field.replace(/^fields\./, '');
  return fields.find((own) => own.key === key)?.label ?? key;
}

function shownValue(t: Translate, field: string, value: string): string {
  return field === 'do_not_call' && value === 'true' ? t('crmArea.contact.yes') : value;
}
