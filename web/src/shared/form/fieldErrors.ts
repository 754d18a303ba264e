import { ApiProblem, fieldText } from '../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';

/** `a[2].b` and `a.2.b` name the same field. */
function plainPath(path: string): string {
  return path.replaceAll('[', '.').replaceAll(']', '');
}

/**
 * What the gateway has against the fields of a form, by their names, e.g. `dispositions.2.code`.
 * @param fieldOf the field that shows what is said of a path; the first word of each field counts
 */
export function fieldErrors(
  t: Translate,
  error: unknown,
  fieldOf: (path: string) => string = (path) => path,
): Record<string, string> {
  const byField = new Map<string, string>();
  if (!(error instanceof ApiProblem)) return {};
  for (const fault of error.errors) {
    const field = fieldOf(plainPath(fault.path));
    if (!byField.has(field)) byField.set(field, fieldText(t, fault));
  }
  return Object.fromEntries(byField);
}

/**
 * Whether every fault is shown at its field, so that nothing is left to say.
 * @param paths of fields that show what is within them
 */
export function areAllShownAt(error: unknown, paths: readonly string[]): boolean {
  if (!(error instanceof ApiProblem) || error.errors.length === 0) return false;
  return error.errors.every((fault) => paths.some((path) => isWithin(plainPath(fault.path), path)));
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}
