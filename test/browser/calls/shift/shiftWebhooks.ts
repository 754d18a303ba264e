import { expect } from 'vitest';
import type { CallSummary } from '../../../../src/contract/calls.ts';
import type { Chance } from '../../../support/sip/fuzz/chance.ts';
import type { ReceivedWebhook, WebhookReceiver } from '../../../support/webhooks/webhookReceiver.ts';
import { deliveryIdOf } from '../../../support/webhooks/webhookRoom.ts';
import { eventually } from '../../../support/time/waiting.ts';

/** So often the receiver keeps what came, and says that it has not: it comes again. Percent. */
const forgetful = 4;

/** From now on the receiver has its weaknesses. */
export function forgets(receiver: WebhookReceiver, chance: Chance): void {
  const known = new Set<string>();
  receiver.answerWith((webhook) => {
    const id = deliveryIdOf(webhook);
    const isNew = !known.has(id);
    known.add(id);
    return isNew && chance.is(forgetful) ? 500 : 204;
  });
}

/** Each delivery once, in the order in which they came first. */
function eachOnce({ received }: WebhookReceiver): ReceivedWebhook[] {
  const byId = new Map<string, ReceivedWebhook>();
  for (const webhook of received) {
    const before = byId.get(deliveryIdOf(webhook));
    if (before === undefined) byId.set(deliveryIdOf(webhook), webhook);
    // Whatever comes again is what came before.
    else expect(webhook.body).toEqual(before.body);
  }
  return [...byId.values()];
}

/** Of every call there is what happened in it, once, in order, without a gap, and as the record tells it. */
export async function webhooksAgree(receiver: WebhookReceiver, records: readonly CallSummary[]): Promise<void> {
  const expected = records.reduce((sum, record) => sum + eventsOf(record).length, 0);
  await eventually(() => expect(eachOnce(receiver).length).toBeGreaterThanOrEqual(expected));
  const all = eachOnce(receiver);
  expect(all).toHaveLength(expected);
  for (const record of records) {
    const own = all.filter(({ body }) => body.data['call_id'] === record.id);
    expect([record.phone, own.map(({ body }) => body.event)]).toEqual([record.phone, eventsOf(record)]);
    expect(own.map(({ body }) => body.data['sequence'])).toEqual(own.map((_, index) => index + 1));
    for (const { body } of own) expect(body.data, body.event).toMatchObject(dataOf(record, body.event));
  }
}

/** What is sent of such a call, in order. */
function eventsOf(record: CallSummary): string[] {
  return [
    ...(record.trigger === 'click_to_dial' ? ['cti_click_to_dial'] : []),
    'call_started',
    ...(record.answered_at === null ? [] : ['call_answered']),
    ...(record.end_reason === 'transferred' ? ['call_transferred'] : []),
    'call_ended',
    ...(record.disposition === null ? [] : ['disposition']),
  ];
}

function dataOf(record: CallSummary, event: string): Record<string, unknown> {
  const { phone, direction, answered_at, ended_at, duration_seconds, end_reason, disposition } = record;
  const every = {
    phone,
    direction,
    agent: { id: record.agent_id },
    ...(record.parent_call_id === null
      ? {}
      : {
          parent_call_id: record.parent_call_id,
          transferred_from: { id: record.transferred_from?.agent_id },
        }),
  };
  const { transferred_to } = record;
  switch (event) {
    case 'call_answered':
      return { ...every, answered_at };
    case 'call_transferred':
      return { ...every, answered_at, ended_at, duration_seconds, transferred_to };
    case 'call_ended':
      return {
        ...every,
        ...{ answered_at, ended_at, duration_seconds, end_reason },
        ...{ ended_by: record.ended_by, end_detail: record.end_detail },
        ...(transferred_to === null ? {} : { transferred_to }),
      };
    case 'disposition':
      return {
        ...every,
        ...{ duration_seconds, end_reason, code: disposition?.code, label: disposition?.label },
        notes: disposition?.notes ?? null,
      };
    default:
      return every;
  }
}
