import { Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { type FieldKind, fieldKinds, type FieldView } from '../../../../../src/contract/contactFields.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { fieldErrors } from '../form/fieldErrors.ts';
import { fieldKeyFor } from './fieldKey.ts';
import { useCreateField, useUpdateField } from './fieldQueries.ts';

/** @param field null: a new one @param count how many there are; a new one comes last */
type Props = { field: FieldView | null; count: number; onDone: () => void };

/** The form of a field; what kind it is and its key are chosen once, as values of another kind are another field. */
export function FieldForm({ field, count, onDone }: Props) {
  const { t } = useTranslation();
  const creating = useCreateField();
  const updating = useUpdateField();
  const form = useForm({
    initialValues: {
      label: field?.label ?? '',
      key: field?.key ?? '',
      kind: field?.kind ?? ('text' as FieldKind),
      choices: field?.choices ?? [],
      on_pop: field?.on_pop ?? true,
    },
    validate: {
      label: (label) => (label.trim() === '' ? t('admin.company.fault.noLabel') : null),
      choices: (choices, { kind }) => (kind === 'choice' && choices.length === 0 ? t('admin.fields.noChoices') : null),
    },
  });
  const { label, key, kind, choices, on_pop } = form.values;
  const names = ['label', 'key', 'kind', 'choices'];

  function save(): void {
    const ending = {
      onSuccess: () => {
        toast(t('admin.fields.saved'));
        onDone();
      },
      onError: (error: unknown) => form.setErrors(fieldErrors(t, error, (path) => path.replace(/\..*$/, ''))),
    };
    const content = { label: label.trim(), on_pop, ...(kind === 'choice' ? { choices } : {}) };
    if (field === null)
      creating.run({ ...content, kind, key: key === '' ? fieldKeyFor(label) : key, position: count }, ending);
    else updating.run({ ...content, key: field.key, version: field.version }, ending);
  }

  return (
    <Section title={field === null ? t('admin.fields.add') : t('admin.fields.editOf', { label: field.label })}>
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack gap="sm" maw={480}>
          <TextInput label={t('admin.fields.label')} data-autofocus maxLength={200} {...form.getInputProps('label')} />
          <TextInput
            label={t('admin.fields.key')}
            description={t('admin.fields.keyHint')}
            disabled={field !== null}
            placeholder={fieldKeyFor(label)}
            maxLength={40}
            spellCheck={false}
            autoComplete="off"
            {...form.getInputProps('key')}
          />
          <Select
            label={t('admin.fields.kind')}
            disabled={field !== null}
            allowDeselect={false}
            data={fieldKinds.map((value) => ({ value, label: t(`admin.fields.kinds.${value}`) }))}
            {...form.getInputProps('kind')}
          />
          {kind === 'choice' && (
            <TagsInput
              label={t('admin.fields.choices')}
              description={t('admin.fields.choicesHint')}
              {...form.getInputProps('choices')}
            />
          )}
          <Switch label={t('admin.fields.onPop')} {...form.getInputProps('on_pop', { type: 'checkbox' })} />
          <Problem error={creating.error ?? updating.error} fields={names} />
          <FormButtons
            save={t('admin.fields.save')}
            isSaving={creating.isPending || updating.isPending}
            onCancel={onDone}
          />
        </Stack>
      </form>
    </Section>
  );
}
