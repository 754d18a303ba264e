import { Alert } from '@mantine/core';
import { areAllShownAt, problemText } from '../form/fieldErrors.ts';

type Props = {
  error: unknown;
  /** The fields that show their own faults. */
  fields?: readonly string[];
};

/** What went wrong, unless the fields say all of it. */
export function Problem({ error, fields = [] }: Props) {
  if (error === null || areAllShownAt(error, fields)) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {problemText(error)}
    </Alert>
  );
}
