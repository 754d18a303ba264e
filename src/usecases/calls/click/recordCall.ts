import type { Call } from '../../../domain/calls.ts';
import { isAtCall } from '../../../domain/presence.ts';
import type { DoNotCallOverride, RememberedAnswer } from '../../../ports/calls.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import type { CallServices } from '../../services.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import { reportFor } from '../repair/endAbandonedCall.ts';
import { applyReport } from '../lifecycle/reportProgress.ts';

/** Time left, when the record has not come in time, to find out or decide what became of it. Milliseconds. */
const decideWithinMs = 400;
/** Between two questions: a database that restarts refuses at once. Milliseconds. */
const askAgainMs = 100;

export type NewRecord = {
  call: Call;
  events: OutboxEvent[];
  remember?: RememberedAnswer | undefined;
  override?: DoNotCallOverride | null;
};

/**
 * Writes a new call, with its events and the answer to remember, for an agent who has been taken to it.
 * Never rejects, and is done 0.4 s after `by` at the latest.
 * @param by until when it may be recorded, in milliseconds since the epoch
 * @returns `recorded`, `ruled_out`: durable, for good; `not_sent`: nobody will record it any more, though that is not
 * written anywhere; `unknown`: PostgreSQL could not be asked in time
 */
export async function recordCall(
  services: CallServices,
  record: NewRecord,
  by: number,
): Promise<'recorded' | 'ruled_out' | 'not_sent' | 'unknown'> {
  const { companyId, id } = record.call;
  let wasSent = false;
  const onSend = () => void (wasSent = true);
  const made = await withDeadline(services.clock, by, tryToRecord(services, record, { by, onSend }));
  if (made !== null) return made;
  // A transaction that still waits for a connection finds its time over when it gets one.
  if (!wasSent) return 'not_sent';
  const until = Math.max(by, services.clock.now()) + decideWithinMs;
  let isWanted = true;
  const decided = await withDeadline(
    services.clock,
    until,
    decide(services, record.call, () => isWanted),
    () => (isWanted = false),
  );
  if (decided === null) {
    services.observer.problem('it is not known yet whether a call was recorded', null, {
      company_id: companyId,
      call_id: id,
    });
  }
  return decided ?? 'unknown';
}

/** @returns null: it was not recorded, or nobody has heard whether */
async function tryToRecord(
  services: CallServices,
  record: NewRecord,
  { by, onSend }: { by: number; onSend: () => void },
): Promise<'recorded' | 'ruled_out' | null> {
  const { calls, clock, observer } = services;
  const { call, events, remember, override = null } = record;
  try {
    if (clock.now() >= by) return null;
    let created = await calls.create(call, events, { remember, by, onSend, override });
    if (created === 'agent_has_call' && (await endLeftover(services, call)) && clock.now() < by) {
      created = await calls.create(call, events, { remember, by, onSend, override });
    }
    if (created === 'created') return 'recorded';
    return created === 'key_lost' ? 'ruled_out' : null;
  } catch (error) {
    observer.problem('a call could not be recorded', error);
    // A commit whose answer was lost may have happened.
    return null;
  }
}

/** Asks until there is an answer, or the time is over. */
async function decide(
  { calls, clock }: CallServices,
  { companyId, id }: Call,
  isWanted: () => boolean,
): Promise<'recorded' | 'ruled_out' | null> {
  while (isWanted()) {
    const decided = await calls.ruleOut(companyId, id).catch(() => null);
    if (decided !== null) return decided;
    await new Promise<void>((resolve) => clock.after(askAgainMs, resolve));
  }
  return null;
}

/**
 * Ends what other calls an agent has who is on this one: left behind by a gateway that died or stood still.
 * @returns whether to try again; not where the agent is no longer on this call
 */
async function endLeftover(services: CallServices, { companyId, agentId, id }: Call): Promise<boolean> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence === null || !isAtCall(presence, id)) return false;
  // None: another gateway has ended it meanwhile.
  for (const other of await services.calls.findActive(companyId, agentId)) {
    if (isAtCall(presence, other.id)) continue;
    const ended = await applyReport(services, companyId, other.id, reportFor('softphone_lost'), agentId);
    if (ended.kind === 'ok') services.observer.repaired('abandoned_call');
  }
  return true;
}
