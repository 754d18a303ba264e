import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrganisationView } from '../../../../src/contract/organisations.ts';
import { api } from '../../lib/gateway/api.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { EndOfForm } from '../crm/AreaForm.tsx';
import { useEditing } from '../crm/editing.ts';
import { organisationQuery } from './contactQueries.ts';

/** Changes an organisation; one that somebody else has changed meanwhile is not overwritten. */
export function EditOrganisation({ organisation, onDone }: { organisation: OrganisationView; onDone: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [{ version, ...opened }] = useState(organisation);
  const form = useForm({
    initialValues: { name: opened.name, website: opened.website ?? '', notes: opened.notes ?? '' },
  });
  useEditing(form.isDirty());
  const saving = useAction(async ({ name, website, notes }: typeof form.values) => {
    const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
    const saved = await api.patch<OrganisationView>(`/api/crm/organisations/${opened.id}`, {
      name: name.trim(),
      website: orNull(website),
      notes: orNull(notes),
      version,
    });
    queries.setQueryData(organisationQuery(opened.id).queryKey, saved);
    void queries.invalidateQueries({ queryKey: ['contacts', 'list'] });
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.run(values, { onSuccess: onDone }))}>
      <Stack gap="sm" maw={640}>
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
        <EndOfForm
          error={saving.error}
          isSaving={saving.isPending}
          saveText={t('crmArea.form.save')}
          onCancel={onDone}
        />
      </Stack>
    </form>
  );
}
