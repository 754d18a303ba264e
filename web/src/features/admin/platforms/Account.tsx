import { Button, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CtiConnectionView, AccountFieldView } from '../../../../../src/contract/ctiConnections.ts';
import { platformName } from '../../../../../src/contract/platforms.ts';
import { Problem } from '../components/Loaded.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { toast } from '../components/toast.ts';
import { useEditForm } from '../form/useEditForm.ts';
import { useCheckAccount, useSaveAccount } from './platformQueries.ts';

type Props = { connector: string; account: NonNullable<CtiConnectionView['account']> };

/** The company's account at a platform, and whether the platform takes it. */
export function Account({ connector, account: { fields, settings } }: Props) {
  const { t } = useTranslation();
  const name = platformName(connector);
  const { form, isChanged, reset, saved, refused } = useEditForm(Object.fromEntries(fields.map((field) => [field.name, settings?.[field.name] ?? ''])), {
    fieldOf: (path) => path.replace(/^account\./, ''),
  });
  const save = useSaveAccount(connector);
  const check = useCheckAccount(connector);

  function submit(values: Record<string, string>): void {
    check.reset();
    // A secret that nobody typed stays as it is.
    const sent = Object.fromEntries(fields.flatMap((field) => (field.is_secret && values[field.name] === '' ? [] : [[field.name, values[field.name] ?? '']])));
    save.run(sent, {
      onSuccess: () => {
        saved(values);
        for (const field of fields) if (field.is_secret) form.setFieldValue(field.name, '');
        toast(t('platforms.account.saved'));
      },
      onError: refused,
    });
  }

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate aria-label={t('platforms.account.title', { name })}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {t('platforms.account.title', { name })}
        </Text>
        {fields.map((field) => (
          <OneField key={field.name} field={field} isStored={settings !== null} input={form.getInputProps(field.name)} />
        ))}
        <Problem error={save.error} fields={fields.map((field) => `account.${field.name}`)} />
        <Group gap="xs">
          <SaveBar isChanged={isChanged} isSaving={save.isPending} onReset={reset} />
          <Button variant="default" disabled={settings === null || isChanged} loading={check.isPending} onClick={() => check.run()}>
            {t('platforms.account.check')}
          </Button>
        </Group>
        <Problem error={check.error} />
        {check.data !== undefined && (
          <Text size="sm" component="output" c={check.data.outcome === 'ok' ? 'green' : 'red'}>
            {check.data.outcome === 'ok' ? t('platforms.account.ok', { name }) : t('platforms.account.failed', { name, words: check.data.detail ?? '' })}
          </Text>
        )}
      </Stack>
    </form>
  );
}

type FieldProps = {
  field: AccountFieldView;
  /** Whether something is set, and a secret therefore is. */
  isStored: boolean;
  input: ReturnType<ReturnType<typeof useEditForm<Record<string, string>>>['form']['getInputProps']>;
};

function OneField({ field: { choices, example, is_optional: isOptional, is_secret: isSecret, name }, isStored, input }: FieldProps) {
  const { t } = useTranslation();
  // Of a newer gateway it may be one that this page has no word for.
  const label = t(`platforms.account.fields.${name as 'region'}`, { defaultValue: name });
  const common = { label, required: !isOptional, ...input };
  if (choices !== null) {
    const choose = (value: string | null) => input.onChange(value ?? '');
    return <Select {...common} data={choices} searchable={choices.length > 5} clearable={isOptional} value={input.value === '' ? null : (input.value as string)} onChange={choose} />;
  }
  if (isSecret) return <PasswordInput {...common} autoComplete="new-password" placeholder={isStored ? t('platforms.account.stays') : ''} />;
  return <TextInput {...common} placeholder={example} />;
}
