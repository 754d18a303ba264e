import type { CallEvent } from './connector.ts';

/** Why a call ended, by the causes of ITU-T Q.850 that networks give; all others say that it was cleared as usual. */
export const q850Causes: Readonly<Record<string, CallEvent['cause']>> = {
  '1': 'failed',
  '3': 'failed',
  '17': 'busy',
  '18': 'no_answer',
  '19': 'no_answer',
  '20': 'failed',
  '21': 'rejected',
  '26': 'answered_elsewhere',
  '27': 'failed',
  '34': 'failed',
  '38': 'failed',
};
