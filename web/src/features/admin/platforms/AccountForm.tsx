import type { ReactNode } from 'react';
import { Group, PasswordInput, Select, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AccountCheck, AccountFieldView } from '../../../../../src/contract/ctiConnections.ts';
import type { Action } from '../../../lib/gateway/useAction.ts';
import { type Form, useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { SaveBar } from '../components/SaveBar.tsx';

type Settings = Record<string, string>;

type Props = {
  title: string;
  fields: readonly AccountFieldView[];
  /** Without secrets; null: nothing is set. */
  settings: Settings | null;
  save: Pick<Action<Settings, unknown>, 'run' | 'isPending' | 'error'>;
  onSaved: () => void;
  /** Beside the button that saves. @param isChanged something was typed that is not saved */
  actions?: (isChanged: boolean) => ReactNode;
  children?: ReactNode;
};

/** What somebody logs in with at a platform, by the fields that it takes. A secret that nobody types stays as it is. */
export function AccountForm({ title, fields, settings, save, onSaved, actions, children }: Props) {
  const record = useRecordForm(Object.fromEntries(fields.map((field) => [field.name, settings?.[field.name] ?? ''])), {
    action: save,
    body: (_changes, values) =>
      Object.fromEntries(
        fields.flatMap(({ name, is_secret: isSecret }) =>
          isSecret && values[name] === '' ? [] : [[name, values[name] ?? '']],
        ),
      ),
    fieldOf: (path) => path.replace(/^account\./, ''),
    onSaved,
  });
  return (
    <RecordPanel
      label={title}
      gap="xs"
      record={record}
      fields={fields.map((field) => `account.${field.name}`)}
      end={
        <>
          <Group gap="xs">
            <SaveBar isChanged={record.isChanged} isSaving={record.isSaving} onReset={record.reset} />
            {actions?.(record.isChanged)}
          </Group>
          {children}
        </>
      }
    >
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          isStored={settings !== null}
          input={record.form.getInputProps(field.name)}
        />
      ))}
    </RecordPanel>
  );
}

/** What the platform said of it. @param name the platform's */
export function Verdict({ name, found }: { name: string; found: AccountCheck | undefined }) {
  const { t } = useTranslation();
  if (found === undefined) return null;
  return (
    <Text size="sm" component="output" c={found.outcome === 'ok' ? 'green' : 'red'}>
      {found.outcome === 'ok'
        ? t('platforms.account.ok', { name })
        : t('platforms.account.failed', { name, words: found.detail ?? '' })}
    </Text>
  );
}

type FieldProps = {
  field: AccountFieldView;
  /** Whether something is set, and a secret therefore is. */
  isStored: boolean;
  input: ReturnType<Form<Settings>['getInputProps']>;
};

function OneField({
  field: { choices, example, is_optional: isOptional, is_secret: isSecret, name },
  isStored,
  input,
}: FieldProps) {
  const { t } = useTranslation();
  // Of a newer gateway it may be one that this page has no word for.
  const label = t(`platforms.account.fields.${name as 'region'}`, { defaultValue: name });
  const common = { label, required: !isOptional, ...input };
  if (choices !== null) {
    const choose = (value: string | null) => input.onChange(value ?? '');
    return (
      <Select
        {...common}
        data={choices}
        searchable={choices.length > 5}
        clearable={isOptional}
        value={input.value === '' ? null : (input.value as string)}
        onChange={choose}
      />
    );
  }
  if (isSecret) {
    return (
      <PasswordInput
        {...common}
        autoComplete="new-password"
        placeholder={isStored ? t('platforms.account.stays') : ''}
      />
    );
  }
  return <TextInput {...common} placeholder={example} />;
}
