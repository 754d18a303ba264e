import type { CallView } from '../../../src/contract/calls.ts';
import type { CallState, EndReason } from '../../../src/contract/vocabulary.ts';

export const callStateLabels: Readonly<Record<CallState, string>> = {
  queued: 'About to dial',
  dialing: 'Dialing',
  ringing: 'Ringing',
  connected: 'Connected',
  held: 'On hold',
  ended: 'Ended',
};

export const endReasonLabels: Readonly<Record<EndReason, string>> = {
  completed: 'Completed',
  busy: 'Busy',
  no_answer: 'No answer',
  rejected: 'Refused',
  canceled: 'Given up',
  failed: 'Failed',
  missed: 'Missed',
};

const endDetails: Readonly<Record<string, string>> = {
  softphone_lost: 'the softphone was gone',
};

/** How a call ended, for a person: `Busy`, `Failed: the softphone was gone`. */
export function resultText(call: CallView): string {
  if (call.state !== 'ended') return callStateLabels[call.state];
  const result = call.end_reason === null ? callStateLabels.ended : endReasonLabels[call.end_reason];
  if (call.end_detail === null) return result;
  return `${result}: ${endDetails[call.end_detail] ?? call.end_detail.replaceAll('_', ' ')}`;
}

/** The customer's name where it is known, else the number. */
export function whoIs(call: Pick<CallView, 'phone' | 'screen_pop'>): string {
  const name = call.screen_pop?.name?.trim();
  return name === undefined || name === '' ? call.phone : name;
}

/** Whether there is a call at this moment. */
export function lasts(call: CallView | null): call is CallView {
  return call !== null && call.state !== 'ended';
}
