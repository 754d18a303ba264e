import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { type CompanyId, type DeliveryId, toId } from '../../../../src/domain/ids.ts';
import { createQueueGroups } from '../../../../src/usecases/crm/callLog/queueGroups.ts';
import {
  createEndpointQueues,
  type EndpointQueues,
  type QueuedDelivery,
} from '../../../../src/usecases/deliveries/endpointQueues.ts';
import type { QueueLimits } from '../../../../src/usecases/deliveries/queueGroup.ts';

const newCompany = () => toId<CompanyId>(newId());
const queuesOf = (limits: QueueLimits) => createEndpointQueues<QueuedDelivery>(limits, createQueueGroups);
const well = { failed: false, latencyMs: 10 };

/** One delivery for each of so many companies of a provider, or for those that are given. */
function calls(group: string, companies: number | CompanyId[]): QueuedDelivery[] {
  const ids = typeof companies === 'number' ? Array.from({ length: companies }, newCompany) : companies;
  return ids.map((companyId) => ({
    id: toId<DeliveryId>(newId()),
    companyId,
    callGoesOn: false,
    endpoint: { maxInFlight: 2, consecutiveFailures: 0, group },
  }));
}

function allNext(queues: EndpointQueues<QueuedDelivery>, now = 0): QueuedDelivery[] {
  const sent: QueuedDelivery[] = [];
  for (let next = queues.next(now); next !== null; next = queues.next(now)) sent.push(next);
  return sent;
}

const providersOf = (sent: QueuedDelivery[]) => sent.map(({ endpoint }) => endpoint.group);

/** Makes those companies known to be fast. */
function answer(queues: EndpointQueues<QueuedDelivery>, group: string, companies: CompanyId[]): void {
  for (const companyId of companies) {
    queues.add(calls(group, [companyId]), 1, 0);
    for (const one of allNext(queues)) {
      queues.sent(one, well);
      queues.done(one, 0);
    }
  }
}

describe('the queues of a provider’s companies', () => {
  it('have an eighth of the places while none of them is known to be fast; another provider’s go on', () => {
    const queues = queuesOf({ maxSending: 32, maxHeld: 2_048 });
    queues.add(calls('freshdesk', 20), 1, 0);
    expect(allNext(queues)).toHaveLength(4);
    queues.add(calls('custom', 3), 1, 0);
    expect(providersOf(allNext(queues))).toEqual(['custom', 'custom', 'custom']);
  });

  it('have a quarter of the places when they are known to be fast, and keep no others waiting when they hang at one moment', () => {
    const queues = queuesOf({ maxSending: 32, maxHeld: 2_048 });
    const companies = Array.from({ length: 20 }, newCompany);
    answer(queues, 'freshdesk', companies);
    queues.add(calls('freshdesk', companies), 1, 0);
    expect(allNext(queues, 0)).toHaveLength(8);
    queues.markSlow(1_000);
    expect(allNext(queues, 1_000)).toEqual([]);
    queues.add(calls('custom', 4), 1, 0);
    expect(allNext(queues, 1_000)).toHaveLength(4);
  });

  it('take turns with those of other providers', () => {
    const queues = queuesOf({ maxSending: 64, maxHeld: 2_048 });
    queues.add([...calls('freshdesk', 9), ...calls('custom', 2), ...calls('zoho', 1)], 1, 0);
    expect(providersOf(allNext(queues)).slice(0, 5)).toEqual(['freshdesk', 'custom', 'zoho', 'freshdesk', 'custom']);
  });

  it('are leased no more of, but for those known to be fast, when they hold a sixteenth of what may be held', () => {
    const queues = queuesOf({ maxSending: 32, maxHeld: 128 });
    const fast = newCompany();
    answer(queues, 'freshdesk', [fast]);
    queues.add(calls('freshdesk', 7), 1, 0);
    expect(queues.wants().closedGroups).toEqual([]);
    queues.add(calls('freshdesk', 1), 1, 0);
    const { closedGroups, holdings, newcomersAtMost } = queues.wants();
    expect([closedGroups, newcomersAtMost]).toEqual([['freshdesk'], 256]);
    expect(holdings.find(({ companyId }) => companyId === fast)).toEqual({ companyId: fast, held: 0, atMost: 16 });
  });

  it('are leased no more of at all when they hold a quarter of it', () => {
    const queues = queuesOf({ maxSending: 256, maxHeld: 64 });
    const [one, other] = [newCompany(), newCompany()];
    answer(queues, 'freshdesk', [one, other]);
    queues.add(Array.from({ length: 16 }, () => calls('freshdesk', [one])).flat(), 1, 0);
    const { closedGroups, holdings } = queues.wants();
    expect(closedGroups).toEqual(['freshdesk']);
    expect(holdings).toEqual([{ companyId: one, held: 16, atMost: 16 }]);
  });

  it('are worth another look once they hold half of that', () => {
    const queues = queuesOf({ maxSending: 256, maxHeld: 128 });
    queues.add(calls('freshdesk', 8), 1, 0);
    expect(queues.wants().closedGroups).toEqual(['freshdesk']);
    const looks = allNext(queues).map((one) => {
      queues.sent(one, { failed: true, latencyMs: 15_000 });
      return queues.done(one, 0);
    });
    expect(looks).toEqual([false, false, false, false, true, false, false, false]);
    expect(queues.wants().closedGroups).toEqual([]);
  });

  it('count what is taken back no more', () => {
    const queues = queuesOf({ maxSending: 256, maxHeld: 128 });
    const all = calls('freshdesk', 8);
    queues.add(all, 1, 0);
    expect(queues.wants().closedGroups).toEqual(['freshdesk']);
    for (const { companyId } of all) queues.takeBack(companyId);
    expect(queues.count()).toBe(0);
    expect(queues.wants().closedGroups).toEqual([]);
  });
});
