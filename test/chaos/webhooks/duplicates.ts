import type { Kill } from './kills.ts';
import type { LoggedAttempt } from './outboxRecords.ts';
import type { Arrival } from './target.ts';

/** Why a delivery came again. */
export type Reason = 'killed unanswered' | 'killed unsettled' | 'retried' | 'unexplained';

/**
 * Why an attempt was followed by another one of its delivery. A retry is in the log, with the answer that made it
 * necessary; what a kill interrupted is not, and its connection ended with the process.
 * @param arrival but the last of `own`
 * @param own what arrived of the delivery, the earliest first
 */
export function reasonOf(
  arrival: Arrival,
  own: readonly Arrival[],
  kills: readonly Kill[],
  log: readonly LoggedAttempt[],
): Reason {
  const { answer, connection } = arrival;
  if (answer !== null && isLogged(arrival, own, log)) return answer.status >= 300 ? 'retried' : 'unexplained';
  // What was sent just before the end may be read just after it.
  const kill = kills.find((one) => isEndOf(connection.closedAt, one));
  if (kill === undefined) return 'unexplained';
  return answer === null || answer.at >= kill.at ? 'killed unanswered' : 'killed unsettled';
}

/**
 * Attempts bear the second of their start. A gateway that is back within that second sends again in it: of attempts
 * that look alike, the log tells of the later ones, since what was logged as received is not sent again.
 */
function isLogged(arrival: Arrival, own: readonly Arrival[], log: readonly LoggedAttempt[]): boolean {
  const second = (one: Arrival) => Number(one.headers['webhook-timestamp']);
  const alike = own
    .slice(own.indexOf(arrival))
    .filter((one) => second(one) === second(arrival) && one.answer?.status === arrival.answer?.status);
  return (
    log.filter(({ startedAt, status }) => startedAt === second(arrival) && status === arrival.answer?.status).length >=
    alike.length
  );
}

/** The end of a process ends its connections; that is seen before the next process listens. */
function isEndOf(closedAt: number | null, { at, backAt }: Kill): boolean {
  return closedAt !== null && closedAt >= at && closedAt <= backAt;
}
