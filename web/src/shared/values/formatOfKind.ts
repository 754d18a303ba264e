import type { FieldKind } from '../../../../src/contract/contactFields.ts';
import type { PopFormat } from '../../../../src/contract/vocabulary.ts';

/** How a value of a field that the company has defined is written. */
export function formatOfKind(kind: FieldKind): PopFormat {
  return kind === 'choice' ? 'text' : kind;
}
