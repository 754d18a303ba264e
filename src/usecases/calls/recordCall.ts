import type { Call } from '../../domain/calls.ts';
import type { Presence } from '../../domain/presence.ts';
import type { RememberedAnswer } from '../../ports/calls.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import { changePresence } from '../agents/changePresence.ts';
import { insist } from '../insist.ts';
import type { CallServices } from './callServices.ts';
import { reportFor } from './endAbandonedCall.ts';
import { applyReport } from './reportProgress.ts';
import { vouchForRecord } from './vouchForRecord.ts';

/**
 * An agent without a record of the call is released when the presence falls due. Nothing is recorded with less than
 * this left; far more than the clocks of two gateways differ by.
 */
const leastLeftMs = 5_000;

export type NewRecord = { call: Call; events: OutboxEvent[]; remember?: RememberedAnswer | undefined };

/**
 * Writes a new call, with its events and the answer to remember, for an agent who has been taken to it. `recorded`
 * means that the call is durable and that the agent is on it. Otherwise the caller releases the agent; should the
 * record turn up later, it is ended, unless somebody has vouched for it before the release. Never rejects.
 * @param taken the agent's presence as it was taken to this call
 * @param isWanted whether the caller still waits; asked whenever something has taken time
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
    return mayRecord() || (await keepOrUndo(services, record)) ? 'recorded' : 'not_recorded';
  } catch (error) {
    services.observer.problem('it is not known whether a call was recorded', error);
    void insist(services, 'it could not be learned whether a call was recorded', async () => {
      if ((await services.calls.find(record.call.companyId, record.call.id)).kind === 'found') await keepOrUndo(services, record);
    });
    return 'not_recorded';
  }
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

/** A record that came late counts only if its agent has not been released meanwhile, or the call is over already. */
async function keepOrUndo(services: CallServices, record: NewRecord): Promise<boolean> {
  if (await vouchForRecord(services, record.call)) return true;
  let isUndone = true;
  await insist(services, 'a call that was recorded too late could not be ended', async () => {
    isUndone = await undoRecord(services, record);
  });
  return !isUndone;
}

/**
 * Ends a call that nobody dials, if it was recorded, and forgets the answer that told of it. May be repeated.
 * @returns false: it was dialed, and is over
 */
export async function undoRecord(
  services: CallServices,
  { call, remember }: { call: Pick<Call, 'companyId' | 'agentId' | 'id'>; remember?: RememberedAnswer | undefined },
): Promise<boolean> {
  const { companyId, agentId, id: callId } = call;
  // First the agent: a call that nobody is on is found and ended, an agent on a call that ended is not.
  await changePresence(services, companyId, agentId, { type: 'end_call', callId, wrapUpMs: 0 });
  const ended = await applyReport(services, companyId, callId, reportFor('not_dialed'), agentId);
  if (ended.kind === 'ok' && ended.value.endedBy !== 'system') return false;
  if (remember !== undefined) await services.idempotency.forgetAnswer(companyId, remember.key.key, remember.body);
  return true;
}
