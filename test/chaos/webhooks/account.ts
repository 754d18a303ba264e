import type { Finding } from '../invariants/finding.ts';
import type { Click } from '../ledger.ts';
import { reasonOf, type Reason } from './duplicates.ts';
import { grouped } from './grouped.ts';
import type { Kill } from './kills.ts';
import type { AnnouncedCall, EventRow, LoggedAttempt } from './outboxRecords.ts';
import { signingOf, type KnownSecret } from './signing.ts';
import type { Arrival, Target } from './target.ts';

/** An endpoint with the company whose it is, and the secrets that company was shown, the oldest first. */
export type Endpoint = { companyId: string; target: Target; secrets: readonly KnownSecret[]; maxInFlight: number };

/** Everything that was committed and that arrived. */
export type Evidence = {
  endpoints: readonly Endpoint[];
  clicks: readonly Click[];
  calls: readonly AnnouncedCall[];
  events: readonly EventRow[];
  attempts: readonly LoggedAttempt[];
  kills: readonly Kill[];
};

/** The ledger of a campaign: what was promised against what came. */
export async function account(evidence: Evidence): Promise<Finding[]> {
  const arrivals = grouped(
    evidence.endpoints.flatMap(({ target }) => target.arrivals),
    ({ deliveryId }) => deliveryId,
  );
  return [
    strikes(evidence),
    callsAnnounced(evidence),
    eventsArrive(evidence, arrivals),
    nothingElseArrives(evidence, arrivals),
    inSequence(evidence, arrivals),
    await rightlySigned(evidence),
    duplicatesExplained(evidence, arrivals),
    limitsKept(evidence),
  ];
}

type Arrivals = ReadonlyMap<string, readonly Arrival[]>;

function strikes({ kills }: Evidence): Finding {
  const figures: Record<string, number> = { kills: kills.length };
  for (const { moment } of kills) figures[moment] = (figures[moment] ?? 0) + 1;
  return { invariant: 'gateways were killed under load', figures, violations: [] };
}

/** What a call went through is in the outbox, numbered without a gap; and no event is of a call that never was. */
function callsAnnounced({ calls, events, clicks }: Evidence): Finding {
  const violations: string[] = [];
  const byCall = grouped(events, ({ callId }) => callId);
  for (const { id, sequence, clickId, answered, disposed } of calls) {
    const own = byCall.get(id) ?? [];
    const numbers = own.map((event) => event.sequence).join(' ');
    if (numbers !== Array.from({ length: sequence }, (_, at) => at + 1).join(' '))
      violations.push(`call ${id}: ${numbers} of ${sequence}`);
    const due = [
      'call_started',
      ...(clickId === null ? [] : ['cti_click_to_dial']),
      ...(answered ? ['call_answered'] : []),
      ...(disposed ? ['disposition'] : []),
    ];
    const written = own
      .map(({ event }) => event)
      .toSorted()
      .join(' ');
    if (written !== due.toSorted().join(' ')) violations.push(`call ${id}: ${written} written, ${due.join(' ')} due`);
  }
  const known = new Set(calls.map(({ id }) => id));
  for (const { id, callId } of events) {
    if (!known.has(callId)) violations.push(`event ${id} is of call ${callId}, which is not there`);
  }
  const dialed = clicks
    .flatMap(({ tries }) => tries.map(({ answer }) => answer))
    .filter((answer) => answer?.kind === 'dialed');
  for (const { callId } of dialed) {
    if (!known.has(callId)) violations.push(`call ${callId} was promised to a click and is not there`);
  }
  if (dialed.length === 0) violations.push('no click dialed: nothing was at stake');
  return {
    invariant: 'each call announced what happened to it',
    figures: { calls: calls.length, dialed: dialed.length },
    violations,
  };
}

function eventsArrive({ events, endpoints }: Evidence, arrivals: Arrivals): Finding {
  const violations: string[] = [];
  const homes = new Map(endpoints.map(({ companyId, target }) => [companyId, new Set(target.arrivals)]));
  let arrived = 0;
  for (const { id, companyId, event, body, state } of events) {
    const own = arrivals.get(id) ?? [];
    if (own.length > 0) arrived += 1;
    else violations.push(`${event} ${id} never arrived: ${state}`);
    if (state !== 'delivered') violations.push(`${event} ${id} is ${state} in the end`);
    for (const arrival of own) {
      if (arrival.raw !== body) violations.push(`${event} ${id} arrived with another body`);
      if (homes.get(companyId)?.has(arrival) !== true)
        violations.push(`${event} ${id} arrived at another company's endpoint`);
    }
  }
  return {
    invariant: 'each committed event arrived, byte for byte',
    figures: { committed: events.length, arrived },
    violations,
  };
}

function nothingElseArrives({ events }: Evidence, arrivals: Arrivals): Finding {
  const committed = new Set(events.map(({ id }) => id));
  const strangers = [...arrivals.keys()].filter((id) => !committed.has(id));
  const violations = strangers.map((id) => `${id} arrived and was never committed`);
  return { invariant: 'nothing arrived that was not committed', figures: { deliveries: arrivals.size }, violations };
}

/** An event is not sent before the one before it has been received. */
function inSequence({ events }: Evidence, arrivals: Arrivals): Finding {
  const violations: string[] = [];
  for (const [callId, own] of grouped(events, (event) => event.callId)) {
    for (const [place, { id, sequence }] of own.entries()) {
      const before = own[place - 1];
      if (before === undefined) continue;
      const first = arrivals.get(id)?.[0]?.at ?? Infinity;
      const received = arrivals.get(before.id)?.find(({ answer }) => answer?.status === 204)?.answer?.at ?? Infinity;
      if (first < received) {
        violations.push(
          `call ${callId}: event ${sequence} came at ${first}, the one before it was taken at ${received}`,
        );
      }
    }
  }
  return { invariant: 'the events of a call first arrive in sequence', figures: { events: events.length }, violations };
}

async function rightlySigned({ endpoints }: Evidence): Promise<Finding> {
  const violations: string[] = [];
  const figures = { newest: 0, previous: 0, rotations: 0 };
  for (const { target, secrets } of endpoints) {
    figures.rotations += secrets.length - 1;
    for (const arrival of target.arrivals) {
      const signing = await signingOf(arrival, secrets);
      if (signing.kind === 'wrong')
        violations.push(`${arrival.deliveryId} at the ${target.name} endpoint, ${arrival.at}: ${signing.detail}`);
      else figures[signing.kind] += 1;
    }
  }
  return { invariant: 'each attempt is signed with a secret of its time', figures, violations };
}

function duplicatesExplained({ kills, attempts }: Evidence, arrivals: Arrivals): Finding {
  const violations: string[] = [];
  const logs = grouped(attempts, ({ deliveryId }) => deliveryId);
  const counts: Record<Reason, number> = { 'killed unanswered': 0, 'killed unsettled': 0, retried: 0, unexplained: 0 };
  for (const [id, own] of arrivals) {
    const log = logs.get(id) ?? [];
    for (const [place, arrival] of own.slice(0, -1).entries()) {
      const reason = reasonOf(arrival, own, kills, log);
      counts[reason] += 1;
      if (reason === 'unexplained') {
        violations.push(
          `${id} came again at ${own[place + 1]?.at}: ${JSON.stringify({ ...arrival, headers: {}, raw: '', log })}`,
        );
      }
    }
    const successes = log.filter(({ status }) => status === 204).length;
    if (successes > 1) violations.push(`${id} was delivered ${successes} times, says the log`);
  }
  const duplicates = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { invariant: 'each duplicate is explained', figures: { duplicates, ...counts }, violations };
}

function limitsKept({ endpoints }: Evidence): Finding {
  const broken = endpoints.filter(({ target, maxInFlight }) => target.mostAtOnce > maxInFlight);
  const violations = broken.map(
    ({ target, maxInFlight }) => `${target.name}: ${target.mostAtOnce} at once, ${maxInFlight} allowed`,
  );
  const figures = Object.fromEntries(endpoints.map(({ target }) => [target.name, target.mostAtOnce]));
  return { invariant: 'no endpoint had more attempts at once than it may', figures, violations };
}
