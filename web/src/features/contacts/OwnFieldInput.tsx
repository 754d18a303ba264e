import { Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldView } from '../../../../src/contract/contactFields.ts';

type Props = { field: FieldView; value: string; error: ReactNode; onChange: (value: string) => void };

/** The input for a field that the company has defined. */
export function OwnFieldInput({ field: { label, kind, choices }, value, error, onChange }: Props) {
  const { t } = useTranslation();
  if (kind === 'choice') {
    // One that was chosen before it was taken away stays what it is.
    const data = [...new Set([...(choices ?? []), ...(value === '' ? [] : [value])])];
    return (
      <Select
        label={label}
        clearable
        data={data}
        value={value === '' ? null : value}
        error={error}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  }
  return (
    <TextInput
      label={label}
      description={kind === 'money' ? t('crmArea.form.moneyHint') : undefined}
      type={kind === 'date' ? 'date' : kind === 'link' ? 'url' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      maxLength={2_000}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
