import { Alert, Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { fieldErrors } from '../../shared/form/fieldErrors.ts';
import { AskBeforeLeaving } from './AskBeforeLeaving.tsx';

/** How saving goes, and the ways out of a form. */
export type FormEnd = {
  /** What keeps it from being saved as it is, said above the buttons. */
  notice?: ReactNode;
  /** Why it was not saved; null: it was, or is going to be. */
  error: unknown;
  isSaving: boolean;
  saveText: string;
  onCancel: () => void;
};

type Props<T> = FormEnd & {
  form: UseFormReturnType<T>;
  /** The field that shows what the gateway says of a path, where it is named differently. */
  fieldOf?: (path: string) => string;
  /** Whether the browser looks at the fields before they are saved. */
  isChecked?: boolean;
  /** Behind what went wrong. */
  hint?: ReactNode;
  /** Between the button that saves and the one that cancels. */
  between?: ReactNode;
  onSave: (values: T) => void;
  children: ReactNode;
};

/**
 * The form of a record. What was typed stays, whatever the gateway has against it, which stands at the fields until
 * they are changed, and is not left by mistake.
 */
export function AreaForm<T>({ form, isChecked = false, fieldOf, onSave, children, ...end }: Props<T>) {
  const { t } = useTranslation();
  const showFaults = useEffectEvent((error: unknown) => form.setErrors(fieldErrors(t, error, fieldOf)));
  useEffect(() => {
    if (end.error !== null) showFaults(end.error);
  }, [end.error]);
  return (
    <form onSubmit={form.onSubmit((values) => onSave(values as T))} noValidate={!isChecked}>
      <AskBeforeLeaving isTyped={form.isDirty() && !end.isSaving} />
      <Stack gap="sm" maw={640}>
        {children}
        <EndOfForm {...end} />
      </Stack>
    </form>
  );
}

type EndProps = FormEnd & { hint?: ReactNode; between?: ReactNode };

/** What went wrong, and the buttons. */
function EndOfForm({ notice, error, hint, isSaving, saveText, between, onCancel }: EndProps) {
  const { t } = useTranslation();
  return (
    <>
      {notice}
      {error !== null && notice === undefined && (
        <Alert color="red" variant="light" role="alert">
          {messageOf(t, error)} {hint}
        </Alert>
      )}
      <Group gap="xs">
        <Button type="submit" loading={isSaving}>
          {saveText}
        </Button>
        {between}
        <Button variant="default" onClick={onCancel}>
          {t('crmArea.form.cancel')}
        </Button>
      </Group>
    </>
  );
}
