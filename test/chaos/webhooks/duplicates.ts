import type { Kill } from './kills.ts';
import type { LoggedAttempt } from './outboxRecords.ts';
import type { Arrival } from './target.ts';

/** Why a delivery came again. */
export type Reason = 'killed unanswered' | 'killed unsettled' | 'retried' | 'unexplained';

/** The end of a process ends its connections; they are seen to end at most so much later. Milliseconds. */
const noticeMs = 1_000;

/**
 * Why an attempt was followed by another one of its delivery. A retry is in the log, with the answer that made it
 * necessary; what a kill interrupted is not, and its connection ended with the process.
 */
export function reasonOf(arrival: Arrival, kills: readonly Kill[], log: readonly LoggedAttempt[]): Reason {
  const { answer, connection, headers } = arrival;
  const isLogged = log.some(({ startedAt, status }) => startedAt === Number(headers['webhook-timestamp']) && status === answer?.status);
  if (answer !== null && isLogged) return answer.status >= 300 ? 'retried' : 'unexplained';
  // What was sent just before the end may be read just after it.
  const kill = kills.find((one) => isEndOf(connection.closedAt, one));
  if (kill === undefined) return 'unexplained';
  return answer === null || answer.at >= kill.at ? 'killed unanswered' : 'killed unsettled';
}

function isEndOf(closedAt: number | null, { at, endedAt }: Kill): boolean {
  return closedAt !== null && closedAt >= at && closedAt <= endedAt + noticeMs;
}
