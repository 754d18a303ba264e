import { isStandardKey } from '../../../../../src/contract/contactFields.ts';
import { codeFor } from '../company/CodeRow.tsx';

/**
 * A key for a field of this label: none of those that every contact has, and none of digits alone.
 * Empty without a label.
 */
export function fieldKeyFor(label: string): string {
  if (label.trim() === '') return '';
  const code = codeFor(label);
  if (code === '') return 'field';
  return isStandardKey(code) || !/[a-z]/.test(code) ? `field_${code}`.slice(0, 40) : code;
}
