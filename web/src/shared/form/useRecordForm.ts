import { type FormErrors, useForm, type UseFormReturnType } from '@mantine/form';
import { type FormEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Action } from '../../lib/gateway/useAction.ts';
import { afterSaving, differences, isSame } from './diff.ts';
import { fieldErrors } from './fieldErrors.ts';
import { useLeaveGuard } from './leaveGuard.ts';

/** The form itself: `getInputProps` binds an input to its field. */
export type Form<T extends object> = UseFormReturnType<T, T, (values: T) => FormErrors>;

/** The form of a record: what is typed, which of it differs from what is saved, and how saving it goes. */
export type RecordForm<T extends object> = {
  form: Form<T>;
  changes: Partial<T>;
  isChanged: boolean;
  isSaving: boolean;
  /** Why it was not saved; null: it was, or is going to be. What concerns a field stands there as well. */
  error: unknown;
  /** For `<form onSubmit>`: saves what is valid, otherwise shows at the fields what is wrong. */
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  /** Back to what is saved. */
  reset: () => void;
};

type Options<T, B, R> = {
  action: Pick<Action<B, R>, 'run' | 'isPending' | 'error'>;
  /** What is sent. */
  body: (changes: Partial<T>, values: T) => B;
  /** What can be seen to be wrong before it is sent, by field. */
  validate?: (values: T) => FormErrors;
  /** The field that shows what the gateway says of a path, where it is named differently. */
  fieldOf?: (path: string) => string;
  /** Whether somebody is asked before it is left unsaved. */
  isGuarded?: boolean;
  onTyped?: (() => void) | undefined;
  /** @param isAll whether nothing was typed meanwhile; @param sent the changes that are saved now */
  onSaved: (saved: R, isAll: boolean, sent: Partial<T>) => void;
};

/**
 * Keeps what was typed apart from what is saved, and asks before it is left unsaved.
 * @param stored what is saved, which the form follows as others change it; of a new record, what it begins with
 */
export function useRecordForm<T extends object, B, R>(
  stored: T,
  { action, body, validate = () => ({}), fieldOf, isGuarded = true, onTyped, onSaved }: Options<T, B, R>,
): RecordForm<T> {
  const { t } = useTranslation();
  const form = useForm<T, T, FormErrors>({
    initialValues: stored,
    validate,
    ...(onTyped === undefined ? {} : { onValuesChange: onTyped }),
  });
  const followed = useRef(stored);
  const changes = differences(form.values, stored);
  const isChanged = Object.keys(changes).length > 0;
  useLeaveGuard(isGuarded && isChanged ? 'unsavedChanges' : null);

  // Before anything is drawn: what others have saved is no change of this form.
  useLayoutEffect(() => {
    const before = followed.current;
    followed.current = stored;
    if (!isSame(before, stored)) form.setValues({ ...stored, ...differences(form.getValues(), before) });
  });

  function send(values: T): void {
    const sent = differences(values, stored);
    action.run(body(sent, values), {
      onSuccess: (saved) => {
        // What was sent is saved now: the form follows what others save.
        const left = afterSaving(form.getValues(), sent, followed.current);
        form.setValues(left);
        onSaved(saved, isSame(left, followed.current), sent);
      },
      onError: (error) => form.setErrors(fieldErrors(t, error, fieldOf)),
    });
  }

  return {
    form,
    changes,
    isChanged,
    isSaving: action.isPending,
    error: action.error,
    submit: (event) => form.onSubmit(send)(event),
    reset: () => form.setValues(followed.current),
  };
}
