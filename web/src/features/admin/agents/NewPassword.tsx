import { Button, Group, PasswordInput } from '@mantine/core';
import { fieldError } from '../form/fieldErrors.ts';
import { generatePassword } from './generatePassword.ts';

type Props = {
  value: string;
  error: unknown;
  onChange: (password: string) => void;
  /** A password that is to be shown once it is saved; null: not offered. */
  onGenerate: ((password: string) => void) | null;
};

/** A password in place of the former. */
export function NewPassword({ value, error, onChange, onGenerate }: Props) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        label="New password"
        description="Leave blank to keep the current one"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={fieldError(error, 'password')}
        autoComplete="new-password"
        flex={1}
      />
      {onGenerate !== null && (
        <Button variant="default" onClick={() => onGenerate(generatePassword())}>
          Make one
        </Button>
      )}
    </Group>
  );
}
