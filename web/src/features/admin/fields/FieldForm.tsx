import { Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type FieldKind, fieldKinds, type FieldView } from '../../../../../src/contract/contactFields.ts';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Section } from '../components/Page.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { fieldKeyFor } from './fieldKey.ts';
import { useSaveField } from './fieldQueries.ts';

/** @param field null: a new one @param count how many there are; a new one comes last */
type Props = { field: FieldView | null; count: number; onDone: () => void };

/** The form of a field; what kind it is and its key are chosen once, as values of another kind are another field. */
export function FieldForm({ field, count, onDone }: Props) {
  const { t } = useTranslation();
  const record = useRecordForm(
    {
      label: field?.label ?? '',
      key: field?.key ?? '',
      kind: field?.kind ?? ('text' as FieldKind),
      choices: field?.choices ?? [],
      on_pop: field?.on_pop ?? true,
    },
    {
      action: useSaveField(field),
      body: (_changes, { label, key, kind, choices, on_pop }) => ({
        label: label.trim(),
        on_pop,
        ...(kind === 'choice' ? { choices } : {}),
        kind,
        key: key === '' ? fieldKeyFor(label) : key,
        position: count,
      }),
      validate: ({ label, kind, choices }) => ({
        label: label.trim() === '' ? t('admin.company.fault.noLabel') : null,
        choices: kind === 'choice' && choices.length === 0 ? t('admin.fields.noChoices') : null,
      }),
      fieldOf: (path) => path.replace(/\..*$/, ''),
      isGuarded: false,
      onSaved: () => {
        toast(t('admin.fields.saved'));
        onDone();
      },
    },
  );
  const { form } = record;
  const { label, kind } = form.values;

  return (
    <Section title={field === null ? t('admin.fields.add') : t('admin.fields.editOf', { label: field.label })}>
      <RecordPanel
        record={record}
        fields={['label', 'key', 'kind', 'choices']}
        maw={480}
        end={<FormButtons save={t('admin.fields.save')} isSaving={record.isSaving} onCancel={onDone} />}
      >
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
      </RecordPanel>
    </Section>
  );
}
