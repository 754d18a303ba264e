import { SoftphoneRefusal } from '../../../src/client/softphone.ts';

const passing: ReadonlySet<string> = new Set(['dependency_unavailable', 'outcome_unknown', 'rate_limited', 'internal_error']);

/** Whether asking the gateway again would bring the same answer. Without an answer, it would not. */
export function isFinal(error: unknown): error is SoftphoneRefusal {
  return error instanceof SoftphoneRefusal && !passing.has(error.code);
}
