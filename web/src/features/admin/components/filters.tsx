import { Select, type SelectProps, TextInput } from '@mantine/core';
import { fromLocalInput, toLocalInput } from '../../../shared/localInput.ts';

type Filter = {
  label: string;
  /** Empty: any. */
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
};

type ChoiceProps = Filter & {
  data: NonNullable<SelectProps['data']>;
  any: string;
  /** What takes the choice away again, for who does not see the button. */
  clear: string;
  width: number;
};

/** One of several, by which a list is narrowed. */
export function ChoiceFilter({ label, value, error, onChange, data, any, clear, width }: ChoiceProps) {
  return (
    <Select
      label={label}
      placeholder={any}
      data={data}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      error={error}
      clearable
      clearButtonProps={{ 'aria-label': clear }}
      w={width}
    />
  );
}

/** A time by which a list is narrowed, ISO 8601. @param step seconds */
export function TimeFilter({ label, value, error, onChange, step }: Filter & { step?: number }) {
  return (
    <TextInput
      label={label}
      type="datetime-local"
      {...(step === undefined ? {} : { step })}
      value={toLocalInput(value)}
      onChange={(event) => onChange(fromLocalInput(event.currentTarget.value))}
      error={error}
      w={200}
    />
  );
}
