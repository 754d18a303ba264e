import { ApiProblem } from '../../lib/gateway/apiProblem.ts';

/** Whether somebody else has changed the record since it was read. */
export function isOutdated(error: unknown): boolean {
  return (
    error instanceof ApiProblem &&
    (error.why?.code === 'changed_meanwhile' || error.why?.code === 'deal_changed_meanwhile')
  );
}
