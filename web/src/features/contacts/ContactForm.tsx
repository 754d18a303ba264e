import { Button, Checkbox, Group, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldView } from '../../../../src/contract/contactFields.ts';
import { ownValue } from '../../../../src/contract/ownValue.ts';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';
import { AreaForm, type FormEnd } from '../crm/AreaForm.tsx';
import { OwnerSelect } from '../crm/OwnerSelect.tsx';
import { type ContactValues, formPath } from './contactForm.ts';
import { useLanguageName } from './languageName.ts';
import { ListedInputs } from './ListedInputs.tsx';
import { OrganisationSelect } from './OrganisationSelect.tsx';
import { OwnFieldInput } from './OwnFieldInput.tsx';
import { TakenBy } from './TakenBy.tsx';

/** The languages that are offered to choose from, by BCP 47; a contact may have any other one. */
const languageTags: readonly string[] = [
  'ar',
  'bg',
  'bn',
  'ca',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'et',
  'eu',
  'fa',
  'fi',
  'fr',
  'ga',
  'gl',
  'he',
  'hi',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lb',
  'lt',
  'lv',
  'ms',
  'mt',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sl',
  'sq',
  'sr',
  'sv',
  'th',
  'tr',
  'uk',
  'ur',
  'vi',
  'zh',
];

type Props = FormEnd & {
  /** What the form begins with. */
  initial: ContactValues;
  fields: readonly FieldView[];
  /** Who looks after the contact now, where that is somebody. */
  owner?: { id: string; name: string } | null;
  onSave: (values: ContactValues) => void;
  /** Saves it although somebody has one of its numbers who may be the same person; where that is possible. */
  onSaveAnother?: (values: ContactValues) => void;
};

/** Everything that may be said of a contact. */
export function ContactForm({ initial, fields, owner = null, onSave, onSaveAnother, ...end }: Props) {
  const { t } = useTranslation();
  const languageName = useLanguageName();
  const form = useForm<ContactValues>({ initialValues: initial });
  const languages = useMemo(
    () =>
      [...new Set([...languageTags, ...(initial.language === '' ? [] : [initial.language])])]
        .map((value) => ({ value, label: languageName(value) }))
        .toSorted((a, b) => a.label.localeCompare(b.label)),
    [languageName, initial.language],
  );
  const zones = useMemo(
    () => [
      ...new Set([...Intl.supportedValuesOf('timeZone'), ...(initial.time_zone === '' ? [] : [initial.time_zone])]),
    ],
    [initial.time_zone],
  );
  const isPhoneTaken = end.error instanceof ApiProblem && end.error.errors.some(({ code }) => code === 'phone_taken');
  const select = (name: 'language' | 'time_zone' | 'owner_id') => ({
    value: form.values[name] === '' ? null : form.values[name],
    onChange: (value: string | null) => form.setFieldValue(name, value ?? ''),
    error: form.errors[name],
    clearable: true,
  });

  return (
    <AreaForm
      form={form}
      isChecked
      fieldOf={formPath}
      onSave={onSave}
      {...end}
      hint={<TakenBy error={end.error} />}
      between={
        isPhoneTaken &&
        onSaveAnother !== undefined && (
          <Button variant="light" loading={end.isSaving} onClick={() => onSaveAnother(form.values)}>
            {t('crmArea.form.anotherPerson')}
          </Button>
        )
      }
    >
      <TextInput label={t('crmArea.contact.name')} maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
      <ListedInputs form={form} list="phones" />
      <ListedInputs form={form} list="emails" />
      <OrganisationSelect {...form.getInputProps('organisation')} value={form.values.organisation} />
      <OwnerSelect owner={owner} label={t('crmArea.contact.owner')} {...select('owner_id')} />
      <TagsInput
        label={t('crmArea.contact.tags')}
        description={t('crmArea.form.tagsHint')}
        maxTags={50}
        {...form.getInputProps('tags')}
      />
      <TextInput label={t('crmArea.contact.tier')} maxLength={200} {...form.getInputProps('tier')} />
      <Group grow align="flex-start">
        <Select label={t('crmArea.contact.language')} searchable data={languages} {...select('language')} />
        <Select label={t('crmArea.contact.timeZone')} searchable limit={50} data={zones} {...select('time_zone')} />
      </Group>
      {fields.map((field) => (
        <OwnFieldInput
          key={field.key}
          field={field}
          value={ownValue(form.values.fields, field.key) ?? ''}
          error={form.errors[`fields.${field.key}`]}
          onChange={(value) => form.setFieldValue('fields', { ...form.values.fields, [field.key]: value })}
        />
      ))}
      <Textarea
        label={t('crmArea.contact.notes')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={10_000}
        {...form.getInputProps('notes')}
      />
      <TextInput label={t('crmArea.contact.externalId')} maxLength={200} {...form.getInputProps('external_id')} />
      <Checkbox
        label={t('crmArea.contact.doNotCall')}
        description={t('crmArea.form.doNotCallHint')}
        {...form.getInputProps('do_not_call', { type: 'checkbox' })}
      />
    </AreaForm>
  );
}
