import type { ReactNode } from 'react';
import { Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AccountCheck, AccountFieldView } from '../../../../../src/contract/ctiConnections.ts';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { useEditForm } from '../form/useEditForm.ts';

type Settings = Record<string, string>;

type Props = {
  title: string;
  fields: readonly AccountFieldView[];
  /** Without secrets; null: nothing is set. */
  settings: Settings | null;
  save: {
    run: (settings: Settings, then: { onSuccess: () => void; onError: (error: unknown) => void }) => void;
    error: unknown;
    isPending: boolean;
  };
  onSave?: () => void;
  onSaved: () => void;
  /** Beside the button that saves. @param isChanged something was typed that is not saved */
  actions?: (isChanged: boolean) => ReactNode;
  children?: ReactNode;
};

/** What somebody logs in with at a platform, by the fields that it takes. A secret that nobody types stays as it is. */
export function AccountForm({ title, fields, settings, save, onSave, onSaved, actions, children }: Props) {
  const { form, isChanged, reset, saved, refused } = useEditForm(
    Object.fromEntries(fields.map((field) => [field.name, settings?.[field.name] ?? ''])),
    {
      fieldOf: (path) => path.replace(/^account\./, ''),
    },
  );

  function submit(values: Settings): void {
    onSave?.();
    const sent = Object.fromEntries(
      fields.flatMap((field) =>
        field.is_secret && values[field.name] === '' ? [] : [[field.name, values[field.name] ?? '']],
      ),
    );
    save.run(sent, {
      onSuccess: () => {
        saved(values);
        for (const field of fields) if (field.is_secret) form.setFieldValue(field.name, '');
        onSaved();
      },
      onError: refused,
    });
  }

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate aria-label={title}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            isStored={settings !== null}
            input={form.getInputProps(field.name)}
          />
        ))}
        <Problem error={save.error} fields={fields.map((field) => `account.${field.name}`)} />
        <Group gap="xs">
          <SaveBar isChanged={isChanged} isSaving={save.isPending} onReset={reset} />
          {actions?.(isChanged)}
        </Group>
        {children}
      </Stack>
    </form>
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
  input: ReturnType<ReturnType<typeof useEditForm<Settings>>['form']['getInputProps']>;
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
