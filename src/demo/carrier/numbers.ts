import type { DemoBehaviour } from '../../contract/demo.ts';

const byEnding: Readonly<Record<string, DemoBehaviour>> = {
  '700': 'answers_high',
  '486': 'busy',
  '603': 'declines',
  '404': 'unknown',
  '408': 'never_answers',
  '002': 'hangs_up',
};

/** At which an agent hears the echo without having a call; the usual one of Asterisk. */
export const echoNumber = '*43';

/** What becomes of a call to a number. */
export function behaviourOf(number: string): DemoBehaviour {
  return byEnding[number.slice(-3)] ?? 'answers';
}

/** How a call to such a number is refused at once; null: it rings. */
export function refusalOf(behaviour: DemoBehaviour): { status: number; reason: string } | null {
  switch (behaviour) {
    case 'busy':
      return { status: 486, reason: 'Busy Here' };
    case 'declines':
      return { status: 603, reason: 'Decline' };
    case 'unknown':
      return { status: 404, reason: 'Not Found' };
    default:
      return null;
  }
}
