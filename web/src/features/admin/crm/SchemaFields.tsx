import { PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { ChangeEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SchemaField } from './schemaFields.ts';

type Bound = { value?: string; error?: ReactNode; onChange: (value: ChangeEvent<HTMLElement> | string | null) => void };

type Props = {
  fields: readonly SchemaField[];
  /** Binds an input to the field of that name. */
  bind: (name: string) => unknown;
};

const order = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];

/** The inputs of a provider's own fields. */
export function SchemaFields({ fields, bind }: Props) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <OneField key={field.name} field={field} bound={bind(field.name) as Bound} />
      ))}
    </Stack>
  );
}

function OneField({ field, bound }: { field: SchemaField; bound: Bound }) {
  const { t } = useTranslation();
  const { title, description, isSecret, isRequired, choices, isLong } = field;
  const shared = { label: title, description, inputWrapperOrder: order, withAsterisk: isRequired, ...bound };
  if (choices !== null) return <Select {...shared} data={[...choices]} allowDeselect={false} maw={420} />;
  if (isSecret) {
    return (
      <PasswordInput
        {...shared}
        aria-invalid={bound.error !== undefined && bound.error !== null}
        autoComplete="new-password"
        spellCheck={false}
        visibilityToggleButtonProps={{ 'aria-label': t('admin.crm.connect.show', { field: title }) }}
      />
    );
  }
  if (isLong) return <Textarea {...shared} autosize minRows={3} maxRows={12} spellCheck={false} />;
  return <TextInput {...shared} autoComplete="off" spellCheck={false} />;
}
