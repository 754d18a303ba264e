import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';

type Fields = Record<string, string>;
type Errors<T extends Fields> = Partial<Record<keyof T, string>>;

type Options<T extends Fields> = {
  initialValues: T;
  /** What can be seen to be wrong before it is sent, by field. */
  validate?: (values: T) => Errors<T>;
  onValuesChange?: (values: T) => void;
};

/** What an input is bound to its field with. `onChange` takes the event of an input, or the value itself. */
type InputProps = {
  name: string;
  value: string;
  onChange: (change: string | ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  error: string | undefined;
  /** Read out as it appears. */
  errorProps: { role: 'alert' };
};

type SmallForm<T extends Fields> = {
  values: T;
  getInputProps: (name: keyof T & string) => InputProps;
  /** For `<form onSubmit>`: submits what is valid, otherwise shows at the fields what is wrong. */
  onSubmit: (submit: (values: T) => void) => (event: FormEvent) => void;
};

/** A form of texts, in the words of `@mantine/form`, for which the softphone page has no room (docs/decisions/0032). */
export function useSmallForm<T extends Fields>({ initialValues, validate, onValuesChange }: Options<T>): SmallForm<T> {
  const [values, setValues] = useState(initialValues);
  const [errors, setErrors] = useState<Errors<T>>({});
  // Two fields may change before the form is drawn anew.
  const latest = useRef(values);

  function change(name: keyof T, value: string): void {
    latest.current = { ...latest.current, [name]: value };
    setValues(latest.current);
    setErrors((before) => ({ ...before, [name]: undefined }));
    onValuesChange?.(latest.current);
  }

  return {
    values,
    getInputProps: (name) => ({
      name,
      value: values[name] ?? '',
      onChange: (changed) => change(name, typeof changed === 'string' ? changed : changed.currentTarget.value),
      error: errors[name],
      errorProps: { role: 'alert' },
    }),
    onSubmit: (submit) => (event) => {
      event.preventDefault();
      const wrong = validate?.(latest.current) ?? {};
      setErrors(wrong);
      if (Object.keys(wrong).length === 0) submit(latest.current);
    },
  };
}
