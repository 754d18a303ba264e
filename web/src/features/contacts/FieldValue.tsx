import type { FieldView } from '../../../../src/contract/contactFields.ts';
import { formatOfKind } from '../../shared/values/formatOfKind.ts';
import { useWriter, ValueText } from '../../shared/values/ValueText.tsx';
import { writeValue } from '../../shared/values/writeValue.ts';

/** The value of a field that the company has defined, as its reader is used to. */
export function FieldValue({ field, value }: { field: FieldView; value: string | number }) {
  const writer = useWriter();
  const came = String(value);
  const written = writeValue(writer, { type: typeof value === 'number' ? 'number' : 'text', text: came }, { format: formatOfKind(field.kind) });
  return <ValueText value={written} came={came} />;
}
