import { expect, it } from 'vitest';
import { reasonOf } from './duplicates.ts';
import type { Kill } from './kills.ts';
import type { LoggedAttempt } from './outboxRecords.ts';
import type { Arrival } from './target.ts';

const kill: Kill = { moment: 'unsettled', gateway: 'one', at: 500, backAt: 900 };

/** One attempt. Times in milliseconds of the test; `second`: as it was signed. */
function attempt(at: number, second: number, status: number | null, closedAt: number | null): Arrival {
  const headers = { 'webhook-timestamp': String(second) };
  return {
    at,
    wallClock: at,
    deliveryId: 'd',
    callId: null,
    sequence: null,
    headers,
    raw: '',
    connection: { closedAt },
    answer: status === null ? null : { status, at: at + 10 },
  };
}

function logged(startedAt: number, status: number): LoggedAttempt {
  return { deliveryId: 'd', number: 1, startedAt, status };
}

it.each([
  [
    'a gateway was killed before the answer',
    [attempt(490, 7, null, 505), attempt(900, 8, 204, null)],
    [logged(8, 204)],
    'killed unanswered',
  ],
  [
    'a gateway was killed before it settled',
    [attempt(400, 7, 204, 505), attempt(900, 8, 204, null)],
    [logged(8, 204)],
    'killed unsettled',
  ],
  [
    'a gateway was killed before it settled, and sent again within the second',
    [attempt(400, 7, 204, 505), attempt(900, 7, 204, null)],
    [logged(7, 204)],
    'killed unsettled',
  ],
  [
    'the endpoint refused',
    [attempt(400, 7, 500, null), attempt(900, 8, 204, null)],
    [logged(7, 500), logged(8, 204)],
    'retried',
  ],
  [
    'it was sent again after its success was logged',
    [attempt(400, 7, 204, 505), attempt(900, 8, 204, null)],
    [logged(7, 204), logged(8, 204)],
    'unexplained',
  ],
  [
    'it was sent again within the second in which its success was logged',
    [attempt(400, 7, 204, 505), attempt(900, 7, 204, null)],
    [logged(7, 204), logged(7, 204)],
    'unexplained',
  ],
  [
    'nobody was killed',
    [attempt(600, 7, null, 9_000), attempt(9_900, 16, 204, null)],
    [logged(16, 204)],
    'unexplained',
  ],
] as const)('a duplicate, where %s', (_what, own, log, reason) => {
  expect(reasonOf(own[0], own, [kill], log)).toBe(reason);
});
