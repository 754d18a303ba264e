import type { Call } from '../../domain/calls.ts';
import type { Presence } from '../../domain/presence.ts';
import type { RememberedAnswer } from '../../ports/calls.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import { changePresence } from '../agents/changePresence.ts';
import { insist } from '../insist.ts';
import type { CallServices } from './callServices.ts';
import { reportFor } from './endAbandonedCall.ts';
import { applyReport } from './reportProgress.ts';

/**
 * An agent without a record of the call is released when the presence falls due. Nothing is recorded with less than
 * this left; far more than the clocks of two gateways differ by.
 */
const leastLeftMs = 5_000;

export type NewRecord = { call: Call; events: OutboxEvent[]; remember?: RememberedAnswer | undefined };

/**
 * Writes a new call, with its events and the answer to remember, for an agent who has been taken to it. `recorded`
 * means that the call is durable and that the agent is on it; otherwise the caller releases the agent, and a record
 * that was made nevertheless, or is made later, is ended. Reports what goes wrong; never rejects.
 * @param taken the agent's presence as it was taken to this call
 * @param isWanted whether anybody still waits for the record; asked whenever something has taken time
 */
export async function recordCall(
  services: CallServices,
  taken: Presence,
  record: NewRecord,
  isWanted: () => boolean = () => true,
): Promise<'recorded' | 'not_recorded'> {
  const mayRecord = () => isWanted() && isInTime(services, taken);
  try {
    if (!mayRecord()) return 'not_recorded';
    let created = await create(services, record);
    if (created === 'agent_has_call' && (await endLeftover(services, record.call)) && mayRecord()) {
      created = await create(services, record);
    }
    if (created !== 'created') return 'not_recorded';
    if (mayRecord() || (isWanted() && (await isStillOn(services, record.call)) && isWanted())) return 'recorded';
  } catch (error) {
    services.observer.problem('it is not known whether a call was recorded', error);
  }
  await insist(services, 'a call that was recorded too late could not be ended', () => undo(services, record));
  return 'not_recorded';
}

function isInTime({ presence }: CallServices, { expiresAt }: Presence): boolean {
  return expiresAt === null || presence.now() + leastLeftMs <= expiresAt;
}

/** Rejects when nobody knows what became of it. */
async function create({ calls, observer }: CallServices, { call, events, remember }: NewRecord) {
  try {
    return await calls.create(call, events, remember);
  } catch (error) {
    observer.problem('a call could not be recorded', error);
    // A commit whose answer was lost may have happened.
    return (await calls.find(call.companyId, call.id)).kind === 'found' ? 'created' : 'failed';
  }
}

/**
 * Ends the other call of an agent who is on this one: left behind by a gateway that died or stood still.
 * @returns whether to try again; not where the agent is no longer on this call
 */
async function endLeftover(services: CallServices, { companyId, agentId, id }: Call): Promise<boolean> {
  const presence = await services.presence.find(companyId, agentId);
  if (presence?.callId !== id) return false;
  const other = await services.calls.findActive(companyId, agentId);
  // Ended meanwhile by whoever else saw it.
  if (other === null) return true;
  const ended = await applyReport(services, companyId, other.id, reportFor('softphone_lost'), agentId);
  if (ended.kind === 'ok') services.observer.repaired('abandoned_call');
  return true;
}

/**
 * Whether the agent has not been released for want of the record; from now on nobody does so, since this is written
 * by compare-and-set like the release.
 */
async function isStillOn(services: CallServices, { companyId, agentId, id: callId }: Call): Promise<boolean> {
  const kept = await changePresence(services, companyId, agentId, { type: 'keep_recorded', callId });
  return kept.kind === 'changed' || (kept.kind === 'unchanged' && kept.current?.callId === callId);
}

/** Ends a call that nobody dials, if it was recorded, and forgets the answer that told of it. May be repeated. */
async function undo(services: CallServices, { call, remember }: NewRecord): Promise<void> {
  const { companyId, agentId, id: callId } = call;
  // First the agent: a call that nobody is on is found and ended, an agent on a call that ended is not.
  await changePresence(services, companyId, agentId, { type: 'end_call', callId, wrapUpMs: 0 });
  await applyReport(services, companyId, callId, reportFor('not_dialed'), agentId);
  if (remember !== undefined) await services.idempotency.forgetAnswer(companyId, remember.key.key, remember.body);
}
