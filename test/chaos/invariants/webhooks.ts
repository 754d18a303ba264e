import type { Invariant } from './finding.ts';

/** Each committed event arrives at least once, rightly signed; and each call has announced what happened to it. */
export const eventsArrive: Invariant = ({ ledger, calls, deliveries }) => {
  const arrived = new Map<string, number>();
  const violations: string[] = [];
  for (const { deliveryId, verdict, at } of ledger.webhooks) {
    if (verdict === 'verified') arrived.set(deliveryId, (arrived.get(deliveryId) ?? 0) + 1);
    else violations.push(`delivery ${deliveryId} at ${at}: signature ${verdict}`);
  }
  for (const { id, event, callId, state, attempts } of deliveries) {
    if (!arrived.has(id))
      violations.push(`delivery ${id} (${event} of call ${callId}) never arrived: ${state} after ${attempts} attempts`);
  }
  const announced = new Set(deliveries.map(({ callId, event }) => `${callId} ${event}`));
  for (const { id, clickId, answeredAt, disposed } of calls) {
    const due = [
      'call_started',
      ...(clickId === null ? [] : ['cti_click_to_dial']),
      ...(answeredAt === null ? [] : ['call_answered']),
      ...(disposed ? ['disposition'] : []),
    ];
    for (const event of due) {
      if (!announced.has(`${id} ${event}`)) violations.push(`call ${id}: ${event} was never written`);
    }
  }
  const times = [...arrived.values()].reduce((sum, count) => sum + count, 0);
  return {
    invariant: 'each committed event arrives at least once, rightly signed',
    figures: { committed: deliveries.length, arrived: arrived.size, duplicates: times - arrived.size },
    violations,
  };
};
