import { SoftphoneRefusal } from '../../../../src/client/softphone.ts';
import { ApiProblem } from './apiProblem.ts';

/** What to tell a person about something that was thrown: what the gateway said, or that it said nothing. */
export function messageOf(error: unknown): string {
  const isTold = error instanceof SoftphoneRefusal || error instanceof ApiProblem;
  return isTold ? error.message : 'The gateway did not answer. Try again.';
}
