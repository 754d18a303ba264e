import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { toId, type CompanyId, type DeliveryId } from '../../../src/domain/ids.ts';
import type { LeasedDelivery } from '../../../src/ports/outbox.ts';
import { createEndpointQueues, type EndpointQueues } from '../../../src/usecases/deliveries/endpointQueues.ts';

const newCompany = () => toId<CompanyId>(newId());

function deliveries(
  companyId: CompanyId,
  count: number,
  endpoint: Partial<LeasedDelivery['endpoint']> = {},
): LeasedDelivery[] {
  return Array.from({ length: count }, () => ({
    id: toId<DeliveryId>(newId()),
    companyId,
    event: 'call_started',
    callId: null,
    sequence: null,
    body: '{}',
    attempts: 0,
    dueAt: new Date(0),
    url: 'https://crm.example.com/hook',
    secretEncrypted: null,
    secretPreviousEncrypted: null,
    apiKeyPrefix: null,
    callGoesOn: false,
    endpoint: { maxInFlight: 4, consecutiveFailures: 0, ...endpoint },
  }));
}

function allNext(queues: EndpointQueues<LeasedDelivery>, now = 0): LeasedDelivery[] {
  const sent: LeasedDelivery[] = [];
  for (let next = queues.next(now); next !== null; next = queues.next(now)) sent.push(next);
  return sent;
}

const well = { failed: false, latencyMs: 10 };

describe('the queues of endpoints', () => {
  it('send no more at once to an endpoint than it may have in flight', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 256, maxHeld: 1_024 });
    const [a, b] = [newCompany(), newCompany()];
    queues.add([...deliveries(a, 9), ...deliveries(b, 9, { maxInFlight: 2 })], 1, 0);
    const sent = allNext(queues);
    expect(sent.filter(({ companyId }) => companyId === a)).toHaveLength(4);
    expect(sent.filter(({ companyId }) => companyId === b)).toHaveLength(2);
    for (const one of sent) queues.sent(one, well);
    expect(allNext(queues)).toHaveLength(6);
  });

  it('give every endpoint its turn before any has its second', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 12, maxHeld: 1_024 });
    const companies = [newCompany(), newCompany(), newCompany()];
    for (const company of companies) queues.add(deliveries(company, 4), 1, 0);
    expect(allNext(queues).map(({ companyId }) => companyId)).toEqual([...companies, ...companies]);
  });

  /** EndpointQueues of which one endpoint has answered fast, with `count` more of its deliveries. */
  const withFast = (limits: { maxSending: number; maxHeld?: number }, count: number) => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxHeld: 1_024, ...limits });
    const company = newCompany();
    const [first = neverThere()] = deliveries(company, 1);
    queues.add([first], 1, 0);
    allNext(queues);
    queues.sent(first, well);
    queues.done(first, 0);
    const more = deliveries(company, count, { maxInFlight: 32 });
    queues.add(more, 1, 0);
    return { queues, company, more };
  };

  it('let endpoints that are not known to be fast share half of the places', () => {
    const { queues, more } = withFast({ maxSending: 8 }, 0);
    const unknown = [newCompany(), newCompany(), newCompany(), newCompany(), newCompany(), newCompany()];
    for (const company of unknown) queues.add(deliveries(company, 4), 1, 0);
    expect(allNext(queues)).toHaveLength(4);
    expect(more).toEqual([]);
    const again = withFast({ maxSending: 8 }, 3);
    for (const company of unknown) again.queues.add(deliveries(company, 4), 1, 0);
    const sent = allNext(again.queues);
    expect(sent.filter(({ companyId }) => companyId === again.company).length).toBeGreaterThan(0);
    expect(sent.filter(({ companyId }) => companyId !== again.company)).toHaveLength(4);
  });

  it('give the last half of the places to endpoints that have nothing under way', () => {
    const { queues, company } = withFast({ maxSending: 8 }, 20);
    expect(allNext(queues)).toHaveLength(4);
    const others = [newCompany(), newCompany()];
    for (const other of others) queues.add(deliveries(other, 4), 1, 0);
    expect(allNext(queues).map(({ companyId }) => companyId)).toEqual(others);
    expect(company).not.toBe(others[0]);
  });

  it('hold an endpoint for slow once it has not answered within a second, and for fast again when it has', () => {
    const { queues, company, more } = withFast({ maxSending: 8 }, 20);
    expect(allNext(queues, 1_000)).toHaveLength(4);
    queues.markSlow(1_999);
    expect(queues.wants().holdings).toEqual([{ companyId: company, held: 20, atMost: 256 }]);
    queues.markSlow(2_000);
    expect(queues.wants().holdings).toEqual([{ companyId: company, held: 20, atMost: 32 }]);
    const [first = neverThere()] = more;
    queues.sent(first, well);
    queues.done(first, 0);
    expect(queues.wants().holdings).toEqual([{ companyId: company, held: 19, atMost: 256 }]);
  });

  it('tell whether an endpoint was failing until now', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 8, maxHeld: 1_024 });
    const [first = neverThere(), second = neverThere(), third = neverThere()] = deliveries(newCompany(), 3, {
      consecutiveFailures: 2,
    });
    queues.add([first, second, third], 1, 0);
    allNext(queues);
    expect([
      queues.sent(first, well),
      queues.sent(second, { ...well, failed: true }),
      queues.sent(third, well),
    ]).toEqual([true, false, true]);
  });

  it('hold many deliveries of an endpoint that answers fast, and no more than it may have in flight of another', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 256, maxHeld: 1_024 });
    const [fast, slow] = [newCompany(), newCompany()];
    queues.add([...deliveries(fast, 4), ...deliveries(slow, 4)], 1, 0);
    for (const one of allNext(queues)) {
      queues.sent(one, one.companyId === fast ? well : { failed: false, latencyMs: 2_000 });
    }
    expect(queues.wants().holdings).toEqual([
      { companyId: fast, held: 4, atMost: 64 },
      { companyId: slow, held: 4, atMost: 4 },
    ]);
    queues.add(deliveries(fast, 40), 1, 0);
    expect(queues.wants().holdings[0]).toEqual({ companyId: fast, held: 44, atMost: 44 });
  });

  it('hold less and less of newcomers when many are slow, and go on with those known to be fast', () => {
    const { queues, company } = withFast({ maxSending: 256, maxHeld: 16 }, 0);
    const slow = () => queues.add(deliveries(newCompany(), 4), 1, 0);
    expect(queues.wants()).toEqual({ holdings: [], atHand: [], newcomersAtMost: 256, closedGroups: [] });
    slow();
    expect(queues.wants().newcomersAtMost).toBe(1);
    slow();
    const { holdings, newcomersAtMost } = queues.wants();
    expect([newcomersAtMost, holdings.find(({ companyId }) => companyId === company)]).toEqual([
      0,
      { companyId: company, held: 0, atMost: 16 },
    ]);
  });

  it('say when it is worth looking for more: the lease took all that it could', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 256, maxHeld: 1_024 });
    const all = deliveries(newCompany(), 4);
    queues.add(all, 1, 0);
    allNext(queues);
    for (const one of all) queues.sent(one, { failed: false, latencyMs: 2_000 });
    expect(all.map((one) => queues.done(one, 0))).toEqual([true, true, true, true]);
    expect(queues.count()).toBe(0);
  });

  it('say so too for an endpoint that is known to be fast, of which nothing was here at the lease', () => {
    const { queues, company } = withFast({ maxSending: 256 }, 0);
    expect(queues.wants().holdings).toEqual([]);
    const all = deliveries(company, 4);
    queues.add(all, 1, 0);
    for (const one of allNext(queues)) queues.sent(one, well);
    expect(all.map((one) => queues.done(one, 0))).toEqual([true, true, true, true]);
  });

  it('say so where the call goes on, or others have told of new deliveries since the lease, and not otherwise', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 256, maxHeld: 1_024 });
    const [alone = neverThere(), late = neverThere(), rest = neverThere()] = deliveries(newCompany(), 3);
    const goesOn = { ...late, callGoesOn: true };
    queues.add([alone, goesOn, rest], 1, 7);
    for (const one of allNext(queues)) queues.sent(one, { failed: false, latencyMs: 2_000 });
    expect([queues.done(alone, 7), queues.done(goesOn, 7), queues.done(rest, 8)]).toEqual([false, true, true]);
  });

  it('say so for an event of a call that was told of while the one before it was under way, whatever was leased since', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 256, maxHeld: 1_024 });
    const [one = neverThere()] = deliveries(newCompany(), 1);
    queues.add([one], 1, 3);
    allNext(queues);
    // Told of the next event, which a lease must leave alone as long as this one is under way.
    queues.wants();
    queues.add([], 1, 4);
    queues.sent(one, well);
    expect(queues.done(one, 4)).toBe(true);
  });

  it('drop what was not sent of an endpoint, and go on with the rest', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 256, maxHeld: 1_024 });
    const [a, b] = [newCompany(), newCompany()];
    const [ofA, ofB] = [deliveries(a, 6), deliveries(b, 6)];
    queues.add([...ofA, ...ofB], 1, 0);
    const sent = allNext(queues);
    queues.takeBack(a);
    queues.takeBack(newCompany());
    expect(queues.wants().atHand.toSorted()).toEqual([...ofA.slice(0, 4), ...ofB].map(({ id }) => id).toSorted());
    for (const one of sent) {
      queues.sent(one, well);
      queues.done(one, 0);
    }
    expect([queues.count(), allNext(queues)]).toEqual([2, ofB.slice(4)]);
  });

  it('leave out what a look brings of an endpoint that was taken back since it began', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 256, maxHeld: 1_024 });
    const [a, b] = [newCompany(), newCompany()];
    const [ofA, ofB] = [deliveries(a, 2), deliveries(b, 1)];
    queues.wants();
    queues.takeBack(a);
    queues.add([...ofA, ...ofB], 1, 0);
    expect(allNext(queues)).toEqual(ofB);
    expect(queues.wants().atHand).toEqual(ofB.map(({ id }) => id));
    queues.add(ofA, 1, 0);
    expect(allNext(queues)).toEqual(ofA);
  });

  it('know which leases end, and where something is on its way', () => {
    const queues = createEndpointQueues<LeasedDelivery>({ maxSending: 4, maxHeld: 1_024 });
    const [a, b, c] = [newCompany(), newCompany(), newCompany()];
    queues.add([...deliveries(a, 2), ...deliveries(b, 1)], 10, 0);
    const sent = allNext(queues);
    queues.add(deliveries(c, 1), 20, 0);
    expect([queues.endingBefore(10), queues.endingBefore(20), queues.endingBefore(21)]).toEqual([
      [],
      [a, b],
      [a, b, c],
    ]);
    queues.renewed([a, newCompany()], 30);
    expect(queues.endingBefore(21)).toEqual([b, c]);
    expect(queues.sending()).toEqual([a, b]);
    for (const one of sent) queues.sent(one, well);
    expect(queues.sending()).toEqual([a, b]);
    for (const one of sent) queues.done(one, 0);
    expect([queues.sending(), queues.count()]).toEqual([[], 2]);
  });
});

function neverThere(): never {
  throw new Error('it is always there');
}
