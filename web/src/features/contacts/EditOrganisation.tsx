import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OrganisationView } from '../../../../src/contract/organisations.ts';
import { differences } from '../../shared/form/diff.ts';
import { AreaForm } from '../crm/AreaForm.tsx';
import { ChangedNotice, useRecordEdit } from '../crm/recordEdit.tsx';
import { organisationQuery } from './contactQueries.ts';

type Values = { name: string; website: string; notes: string };

/** Changes an organisation; one that somebody else has changed meanwhile is not overwritten unseen. */
export function EditOrganisation({ organisation, onDone }: { organisation: OrganisationView; onDone: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const {
    base,
    newer,
    form: end,
  } = useRecordEdit(
    organisation,
    `/api/crm/organisations/${organisation.id}`,
    (values: Values, before) => differences(bodyOf(values), bodyOf(valuesOf(before))),
    (saved) => {
      queries.setQueryData(organisationQuery(saved.id).queryKey, saved);
      void queries.invalidateQueries({ queryKey: ['contacts', 'list'] });
    },
    onDone,
  );
  const form = useForm({ initialValues: valuesOf(base) });
  return (
    <AreaForm
      form={form}
      isChecked
      notice={newer === null ? undefined : <ChangedNotice title={t('crmArea.organisation.changed')} />}
      {...end}
    >
      <TextInput label={t('crmArea.contact.name')} required maxLength={200} {...form.getInputProps('name')} />
      <TextInput
        label={t('crmArea.organisation.website')}
        type="url"
        maxLength={200}
        {...form.getInputProps('website')}
      />
      <Textarea
        label={t('crmArea.contact.notes')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={10_000}
        {...form.getInputProps('notes')}
      />
    </AreaForm>
  );
}

function valuesOf({ name, website, notes }: OrganisationView): Values {
  return { name, website: website ?? '', notes: notes ?? '' };
}

/** The same as the gateway takes it. */
function bodyOf({ name, website, notes }: Values) {
  return { name: name.trim(), website: website.trim() || null, notes: notes.trim() || null };
}
