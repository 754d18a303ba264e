import type { Direction } from './vocabulary.ts';

/** What of a call that is over decides how it counts. The same rules for the gateway and its pages. */
export type CallCourse = {
  direction: Direction;
  wasAnswered: boolean;
  /** Why, more closely than the end reason. */
  endDetail: string | null;
};

/** Somebody called, and no agent talked to them: declined, unanswered, or given up by the caller. */
export function isMissed({ direction, wasAnswered }: CallCourse): boolean {
  return direction === 'inbound' && !wasAnswered;
}

/** Whether the agent is to say what became of it: not of a call that was missed, or recorded and never dialed. */
export function asksForWrapUp(course: CallCourse): boolean {
  return !isMissed(course) && course.endDetail !== 'not_dialed';
}
