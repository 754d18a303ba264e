import { type FormErrors, useForm, type UseFormReturnType } from '@mantine/form';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLeaveGuard } from '../shell/leaveGuard.tsx';
import { afterSaving, differences, isSame } from './diff.ts';
import { fieldErrors } from './fieldErrors.ts';

/** The form itself: `getInputProps` binds an input to its field. */
export type Form<T extends object> = UseFormReturnType<T, T, (values: T) => FormErrors>;

/** A form over something saved: what is shown, and which of it differs from what is saved. */
type EditForm<T extends object> = {
  form: Form<T>;
  changes: Partial<T>;
  isChanged: boolean;
  /** Back to what is saved. */
  reset: () => void;
  /**
   * Forgets what was sent and is saved now, so that the form follows what others save.
   * @returns whether nothing is left to save
   */
  saved: (sent: Partial<T>) => boolean;
  /** Shows at the fields what the gateway has against them. */
  refused: (error: unknown) => void;
};

type Options<T> = {
  /** What can be seen to be wrong before it is sent, by field. */
  validate?: (values: T) => FormErrors;
  /** The field that shows what the gateway says of a path, where it is named differently. */
  fieldOf?: (path: string) => string;
};

/** Keeps what was typed apart from what is saved, and asks before it is left unsaved. */
export function useEditForm<T extends object>(
  stored: T,
  { validate = () => ({}), fieldOf }: Options<T> = {},
): EditForm<T> {
  const { t } = useTranslation();
  const form = useForm<T, T, FormErrors>({ initialValues: stored, validate });
  const followed = useRef(stored);
  const changes = differences(form.values, stored);
  const isChanged = Object.keys(changes).length > 0;
  useLeaveGuard(isChanged ? 'unsavedChanges' : null);

  // Before anything is drawn: what others have saved is no change of this form.
  useLayoutEffect(() => {
    const before = followed.current;
    followed.current = stored;
    if (!isSame(before, stored)) form.setValues({ ...stored, ...differences(form.getValues(), before) });
  });

  return {
    form,
    changes,
    isChanged,
    reset: () => form.setValues(followed.current),
    saved(sent) {
      const left = afterSaving(form.getValues(), sent, followed.current);
      form.setValues(left);
      return isSame(left, followed.current);
    },
    refused: (error) => form.setErrors(fieldErrors(t, error, fieldOf)),
  };
}
