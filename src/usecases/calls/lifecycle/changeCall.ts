import { asksForWrapUp } from '../../../contract/callRules.ts';
import type { CallWebhookMessage } from '../../../contract/webhooks.ts';
import { type Call, courseOf, type Disposition, durationSeconds } from '../../../domain/calls.ts';
import { type CallStep, holdStep } from '../../../domain/callSteps.ts';
import type { AgentCard, Company } from '../../../domain/company.ts';
import { type CallId, type CompanyId, type DeliveryId, toId } from '../../../domain/ids.ts';
import { sameTags } from '../../../domain/tags.ts';
import type { NewCallback } from '../../../domain/tasks.ts';
import type { NewCorrection } from '../../../ports/calls.ts';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import type { FindResult } from '../../../ports/queryResults.ts';
import type { Services } from '../../services.ts';
import { envelope } from '../../webhooks/envelope.ts';
import { callView } from '../../views/callView.ts';

export type CallContext = { company: Company; agent: AgentCard; at: Date };
export type Changed<R> = { kind: 'changed'; call: Call } | { kind: 'kept'; call: Call; why: R };
type Decision<R> =
  | {
      kind: 'changed';
      call: Call;
      events: OutboxEvent[];
      callback?: NewCallback | null;
      correction?: NewCorrection;
      step?: CallStep | null;
    }
  | { kind: 'kept'; why: R };

type Needs = Pick<Services, 'calls' | 'companyOf' | 'agentCard' | 'clock' | 'newId' | 'softphones' | 'wakeDispatcher'>;

/**
 * After a wrap-up that has run out its disposition may still be under way: some CRM systems keep what was written
 * first. Milliseconds.
 */
const dispositionGraceMs = 2_000;

/** One call is changed by its softphone, its agent, a supervisor and the reaper: rarely at once. */
const maxTries = 20;

/**
 * Changes a call together with the events it announces, in one transaction: decide on what is stored, write if it
 * is still so, else decide anew. Tells the agent's softphone.
 * @param from `recalled`: decided at first on the call as it was written last, where this process wrote it,
 * to save a read; for decisions that ask for
 *   nothing that is entered beside its version (tags, notes)
 */
export async function changeCall<R>(
  services: Needs,
  companyId: CompanyId,
  callId: CallId,
  decide: (call: Call, context: CallContext) => Decision<R>,
  from: 'stored' | 'recalled' = 'stored',
): Promise<FindResult<Changed<R>>> {
  for (let tries = 0; tries < maxTries; tries++) {
    const recalled = from === 'recalled' && tries === 0 ? services.calls.recall(companyId, callId) : null;
    const found =
      recalled === null ? await services.calls.find(companyId, callId) : ({ kind: 'found', value: recalled } as const);
    if (found.kind !== 'found') return found;
    const call = found.value;
    const [company, agent] = await Promise.all([
      services.companyOf(companyId),
      services.agentCard(companyId, call.agentId),
    ]);
    const at = new Date(services.clock.now());
    const decision = decide(call, { company, agent, at });
    if (decision.kind === 'kept') {
      if (recalled !== null) continue;
      return { kind: 'found', value: { kind: 'kept', call, why: decision.why } };
    }
    const dueAt = logDue(call, decision.call, company, at);
    const log = dueAt === null ? null : { id: toId<DeliveryId>(services.newId()), dueAt };
    const stored = await services.calls.commit(decision.call, decision.events, {
      log,
      callback: decision.callback ?? null,
      correction: decision.correction ?? null,
      step: decision.step ?? holdStep(call, decision.call),
      tags: decision.call.tags === call.tags ? null : decision.call.tags,
    });
    if (stored === 'conflict') continue;
    if (decision.events.length > 0) services.wakeDispatcher(companyId);
    // Of a platform's call the softphone knows the customer alone.
    if (stored.platform === null) services.softphones.callChanged(companyId, call.agentId, callView(stored));
    return { kind: 'found', value: { kind: 'changed', call: stored } };
  }
  throw new Error(`a call changed ${maxTries} times during one command`);
}

/**
 * When a call that has changed is to be logged in the CRM: at once with its disposition, else when its wrap-up
 * should be over. Null: this change is none to log; nor is a call that was recorded and never dialed, or in
 * which a colleague only asked.
 */
function logDue(before: Call, after: Call, { settings }: Company, at: Date): Date | null {
  if (after.state !== 'ended' || after.endDetail === 'not_dialed' || after.endDetail === 'consulted') return null;
  if (after.disposition !== null) {
    return before.disposition === null ||
      isOther(before.disposition, after.disposition) ||
      !sameTags(before.tags, after.tags)
      ? at
      : null;
  }
  // Or, when it ended, was taken for one in which a colleague only asked.
  if (before.state === 'ended' && before.endDetail !== 'consulted') return null;
  return new Date(
    at.getTime() + (asksForWrapUp(courseOf(after)) ? settings.wrap_up_seconds * 1_000 + dispositionGraceMs : 0),
  );
}

/** Whether it was corrected. */
function isOther(before: Disposition, after: Disposition): boolean {
  return before.code !== after.code || before.notes !== after.notes;
}

/**
 * Appends events to a call: the call with the sequence number of the last, and the rows for the outbox.
 * Both belong in one transaction. Events that the company does not want are left out and take no number, so
 * that receivers find no gap.
 */
export function addEvents(
  { newId }: Pick<Services, 'newId'>,
  call: Call,
  names: readonly CallWebhookMessage['event'][],
  { company, agent, at }: { company: Company; agent: AgentCard; at: Date },
): { call: Call; events: OutboxEvent[] } {
  const wanted = names.filter((name) => company.webhookEvents.includes(name));
  const next = { ...call, sequence: call.sequence + wanted.length };
  const events = wanted.map((event, place) => {
    const sequence = call.sequence + place + 1;
    const body = envelope(company, at, messageOf(event, { ...next, sequence }, agent));
    return { id: toId<DeliveryId>(newId()), event, callId: next.id, sequence, body };
  });
  return { call: next, events };
}

function messageOf(event: CallWebhookMessage['event'], call: Call, agent: AgentCard): CallWebhookMessage {
  const data = {
    call_id: call.id,
    sequence: call.sequence,
    phone: call.phone,
    caller: call.caller,
    direction: call.direction,
    agent: { id: agent.id, agent_code: agent.agentCode },
    external_id: call.externalId,
    contact_id: call.contactId,
    campaign_id: call.campaignId,
    metadata: call.metadata?.asWritten() ?? null,
    ...(call.transferredFrom === null || call.parentCallId === null
      ? {}
      : {
          parent_call_id: call.parentCallId,
          transferred_from: { id: call.transferredFrom.agent_id, agent_code: call.transferredFrom.agent_code },
        }),
    ...(call.dialedNumber === null ? {} : { dialed_number: call.dialedNumber }),
    ...(call.queue === null ? {} : { queue: call.queue }),
    ...(call.callerId === null ? {} : { caller_id: call.callerId }),
    ...(call.sipCallId === null ? {} : { sip_call_id: call.sipCallId }),
    ...(call.platform === null
      ? {}
      : {
          source: call.platform.source,
          ...(call.platform.callId === null ? {} : { platform_call_id: call.platform.callId }),
        }),
  };
  switch (event) {
    case 'cti_click_to_dial':
    case 'call_started':
      return { event, data };
    case 'call_answered':
      return { event, data: { ...data, answered_at: known(call.answeredAt).toISOString() } };
    case 'call_transferred':
      return {
        event,
        data: {
          ...data,
          answered_at: known(call.answeredAt).toISOString(),
          ended_at: known(call.endedAt).toISOString(),
          duration_seconds: durationSeconds(call) ?? 0,
          transferred_to: call.transferredTo,
        },
      };
    case 'call_ended':
      return {
        event,
        data: {
          ...data,
          answered_at: call.answeredAt?.toISOString() ?? null,
          ended_at: known(call.endedAt).toISOString(),
          end_reason: known(call.endReason),
          ended_by: call.endedBy,
          end_detail: call.endDetail,
          ...(call.transferredTo === null ? {} : { transferred_to: call.transferredTo }),
          duration_seconds: durationSeconds(call) ?? 0,
          code: call.disposition?.code ?? null,
          label: call.disposition?.label ?? null,
          callback_at: call.disposition?.callbackAt?.toISOString() ?? null,
        },
      };
    case 'disposition': {
      const { disposition } = call;
      if (disposition === null) throw new Error('a disposition event needs a disposition');
      return {
        event,
        data: {
          ...data,
          code: disposition.code,
          label: disposition.label,
          notes: disposition.notes,
          tags: [...call.tags],
          callback_at: disposition.callbackAt?.toISOString() ?? null,
          duration_seconds: durationSeconds(call) ?? 0,
          end_reason: call.endReason,
        },
      };
    }
  }
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error('a call that was answered or has ended says when and how');
  return value;
}
