import { RateLimiterMemory } from 'rate-limiter-flexible';
import { fieldErrorsOf } from '../contract/fieldErrors.ts';
import { unstorableReason } from '../contract/freeForm.ts';
import { type Ack, type ClientEvent, clientPayloads, type Refusal } from '../contract/socket.ts';
import { ok, type Outcome, refuse, type Refused } from '../domain/outcome.ts';
import { isDependencyFailure } from '../ports/storeErrors.ts';
import type { SoftphoneSocket } from './io.ts';

/**
 * Events per second and connection; beyond that each is refused with `rate_limited`.
 * A softphone sends a handful per call.
 */
const eventsPerSecond = 500;
const maxWaiting = 60;
/** Refused events after which a connection is cut off. */
const maxRefusals = 1_000;
/** Longest error detail, in characters. */
const maxDetail = 500;

export type EventHandler = (event: ClientEvent, payload: unknown) => Promise<Outcome<object>>;

/**
 * Checks every event of a softphone (known, within the rate, valid payload) and handles them one at a time, in the
 * order sent. Each is acknowledged with `{ok: true, …}` or `{ok: false, error}`.
 * @param serve handles one when it may be handled, or refuses it
 */
export function receiveEvents(
  socket: SoftphoneSocket,
  serve: (work: () => Promise<Outcome<object>>) => Promise<Outcome<object>>,
  handle: EventHandler,
  onProblem: (message: string, error: unknown) => void,
): void {
  const limiter = new RateLimiterMemory({ points: eventsPerSecond, duration: 1 });
  let waiting = 0;
  let refusals = 0;
  let last: Promise<unknown> = Promise.resolve();

  socket.onAny((event: string, ...args: unknown[]) => {
    const final = args.at(-1);
    const acknowledge = typeof final === 'function' ? (final as (ack: Ack) => void) : () => {};
    const payload = typeof final === 'function' ? args.slice(0, -1) : args;
    waiting += 1;
    if (waiting > maxWaiting) {
      waiting -= 1;
      refuseFlood(acknowledge);
      return;
    }
    // Parse before queueing, so that only valid payloads occupy memory.
    const read = readEvent(event, payload);
    last = last
      .then(() => answer(read))
      .then(acknowledge, (error: unknown) => {
        onProblem('an event of a softphone failed', error);
        acknowledge({ ok: false, error: faultOf(error) });
      })
      .finally(() => (waiting -= 1));
  });

  function refuseFlood(acknowledge: (ack: Ack) => void): void {
    refusals += 1;
    acknowledge({ ok: false, error: { code: 'rate_limited', detail: 'Too many events; slow down.' } });
    if (refusals > maxRefusals) socket.disconnect(true);
  }

  async function answer(read: Outcome<ReadEvent>): Promise<Ack> {
    const withinRate = await limiter.consume('events').then(
      () => true,
      () => false,
    );
    if (!withinRate) return refused({ code: 'rate_limited', detail: 'Too many events; slow down.' });
    if (read.kind === 'refused') return refused(refusalOf(read));
    const outcome = await serve(() => handle(read.value.event, read.value.payload));
    return outcome.kind === 'ok' ? { ok: true, ...outcome.value } : refused(refusalOf(outcome));
  }
}

/** An event with a validated payload. */
type ReadEvent = { event: ClientEvent; payload: unknown };

function readEvent(event: string, args: unknown[]): Outcome<ReadEvent> {
  if (!isClientEvent(event)) return refuse('not_found', 'There is no such event.');
  if (args.length > 1)
    return refuse('invalid_request', 'An event takes one payload.', { cause: { code: 'unreadable' } });
  const fault = unstorableReason(args[0]);
  if (fault !== null)
    return refuse('invalid_request', `The payload does not fit: ${fault}.`, { cause: { code: 'cannot_be_kept' } });
  const parsed = clientPayloads[event].safeParse(args[0]);
  if (parsed.success) return ok({ event, payload: parsed.data });
  const issues = parsed.error.issues.slice(0, 5);
  const detail = issues.map((issue) => `${issue.path.join('.') || 'payload'}: ${issue.message}`).join('; ');
  return refuse('invalid_request', shortened(detail), {
    cause: { code: 'invalid_fields' },
    errors: issues.flatMap(fieldErrorsOf).slice(0, 5),
  });
}

/** Shortened, because names of unknown fields come from the sender. */
function shortened(detail: string): string {
  return detail.length <= maxDetail ? detail : `${detail.slice(0, maxDetail)}…`;
}

function faultOf(error: unknown): Refusal {
  return isDependencyFailure(error)
    ? {
        code: 'dependency_unavailable',
        detail: 'A part of the service cannot be reached at the moment; try again shortly.',
      }
    : { code: 'internal_error', detail: 'Something went wrong here; try again.' };
}

function isClientEvent(event: string): event is ClientEvent {
  return Object.hasOwn(clientPayloads, event);
}

function refused(error: Refusal): Ack {
  return { ok: false, error };
}

function refusalOf({ code, detail, cause, errors, agentState }: Refused): Refusal {
  const refusal: Refusal = {
    code,
    detail,
    ...(cause === undefined ? {} : { cause }),
    ...(errors === undefined ? {} : { errors }),
  };
  if (agentState === undefined) return refusal;
  const { state, reason, since } = agentState;
  return { ...refusal, agent_state: { state, reason, since: since?.toISOString() ?? null } };
}
