import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { toId, type CompanyId, type DeliveryId } from '../../src/domain/ids.ts';
import type { ClaimedDelivery } from '../../src/ports/outbox.ts';
import { createLanes, type Lanes } from '../../src/usecases/webhooks/lanes.ts';

const newCompany = () => toId<CompanyId>(newId());

function deliveries(companyId: CompanyId, count: number, endpoint: Partial<ClaimedDelivery['endpoint']> = {}): ClaimedDelivery[] {
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
    endpoint: { maxInFlight: 4, consecutiveFailures: 0, ...endpoint },
  }));
}

function allNext(lanes: Lanes): ClaimedDelivery[] {
  const sent: ClaimedDelivery[] = [];
  for (let next = lanes.next(); next !== null; next = lanes.next()) sent.push(next);
  return sent;
}

const well = { failed: false, latencyMs: 10 };

describe('the lanes of endpoints', () => {
  it('send no more at once to an endpoint than it may have in flight', () => {
    const lanes = createLanes({ maxSending: 256 });
    const [a, b] = [newCompany(), newCompany()];
    lanes.add([...deliveries(a, 9), ...deliveries(b, 9, { maxInFlight: 2 })], 1);
    const sent = allNext(lanes);
    expect(sent.filter(({ companyId }) => companyId === a)).toHaveLength(4);
    expect(sent.filter(({ companyId }) => companyId === b)).toHaveLength(2);
    for (const one of sent) lanes.sent(one, well);
    expect(allNext(lanes)).toHaveLength(6);
  });

  it('give every endpoint its turn before any has its second', () => {
    const lanes = createLanes({ maxSending: 3 });
    const companies = [newCompany(), newCompany(), newCompany()];
    for (const company of companies) lanes.add(deliveries(company, 4), 1);
    expect(allNext(lanes).map(({ companyId }) => companyId)).toEqual(companies);
  });

  it('leave half of the places to those that answer, however many fail', () => {
    const lanes = createLanes({ maxSending: 8 });
    const failing = deliveries(newCompany(), 20, { consecutiveFailures: 1, maxInFlight: 32 });
    lanes.add(failing, 1);
    expect(allNext(lanes)).toHaveLength(4);
    const fine = deliveries(newCompany(), 4);
    lanes.add(fine, 1);
    expect(new Set(allNext(lanes))).toEqual(new Set(fine));
    lanes.sent(failing[0] ?? neverThere(), { failed: true, latencyMs: 1 });
    expect(allNext(lanes)).toEqual([failing[4]]);
  });

  it('move the places of an endpoint to the failing ones with its first failure, and back with a success', () => {
    const lanes = createLanes({ maxSending: 8 });
    const [first, ...others] = deliveries(newCompany(), 20, { maxInFlight: 32 });
    if (first === undefined) return neverThere();
    lanes.add([first, ...others], 1);
    expect(allNext(lanes)).toHaveLength(8);
    expect(lanes.sent(first, { failed: true, latencyMs: 1 })).toBe(false);
    expect(allNext(lanes)).toEqual([]);
    for (const one of others.slice(0, 3)) lanes.sent(one, { failed: true, latencyMs: 1 });
    expect(allNext(lanes)).toEqual([]);
    expect(lanes.sent(others[3] ?? neverThere(), well)).toBe(true);
    expect(allNext(lanes)).toHaveLength(5);
  });

  it('hold many deliveries of an endpoint that answers fast, and no more than it may have in flight of another', () => {
    const lanes = createLanes({ maxSending: 256 });
    const [fast, slow] = [newCompany(), newCompany()];
    const claimed = [...deliveries(fast, 4), ...deliveries(slow, 4)];
    lanes.add(claimed, 1);
    for (const one of allNext(lanes)) {
      lanes.sent(one, one.companyId === fast ? well : { failed: false, latencyMs: 2_000 });
    }
    expect(lanes.holdings()).toEqual([
      { companyId: fast, held: 4, atMost: 64 },
      { companyId: slow, held: 4, atMost: 4 },
    ]);
    lanes.add(deliveries(fast, 40), 1);
    expect(lanes.holdings()[0]).toEqual({ companyId: fast, held: 44, atMost: 44 });
  });

  it('say when it is worth looking for more', () => {
    const lanes = createLanes({ maxSending: 256 });
    const [first, second, third, fourth] = deliveries(newCompany(), 4);
    if (!first || !second || !third || !fourth) return neverThere();
    lanes.add([first, second, third, fourth], 1);
    allNext(lanes);
    for (const one of [first, second, third, fourth]) lanes.sent(one, { failed: false, latencyMs: 2_000 });
    expect([first, second, third, fourth].map((one) => lanes.done(one))).toEqual([true, true, true, true]);
    expect(lanes.count()).toBe(0);

    const [alone, last] = deliveries(newCompany(), 2);
    if (!alone || !last) return neverThere();
    lanes.add([alone, last], 1);
    allNext(lanes);
    for (const one of [alone, last]) lanes.sent(one, well);
    expect([lanes.done(alone), lanes.done(last)]).toEqual([false, true]);
  });

  it('give back what was not sent, and go on with the rest', () => {
    const lanes = createLanes({ maxSending: 256 });
    const [a, b] = [newCompany(), newCompany()];
    const [ofA, ofB] = [deliveries(a, 6), deliveries(b, 6)];
    lanes.add([...ofA, ...ofB], 1);
    const sent = allNext(lanes);
    expect(lanes.takeBack({ companyId: a })).toEqual(ofA.slice(4).map(({ id }) => id));
    expect(lanes.takeBack({ ids: new Set([ofB[0]?.id ?? neverThere(), ofB[5]?.id ?? neverThere()]) })).toEqual([ofB[5]?.id]);
    expect(lanes.takeBack('all')).toEqual([ofB[4]?.id]);
    for (const one of sent) {
      lanes.sent(one, well);
      lanes.done(one);
    }
    expect([lanes.count(), lanes.holdings()]).toEqual([0, []]);
  });

  it('only hold longer what is claimed again while it waits or is being sent', () => {
    const lanes = createLanes({ maxSending: 256 });
    const [one] = deliveries(newCompany(), 1);
    if (one === undefined) return neverThere();
    lanes.add([one], 10);
    lanes.add([{ ...one }], 20);
    expect(allNext(lanes)).toEqual([one]);
    lanes.add([{ ...one }], 30);
    expect([allNext(lanes), lanes.leaseOf(one), lanes.endingBefore(30), lanes.endingBefore(31)]).toEqual([[], 30, [], [one.id]]);
  });

  it('take anew what falls due again before its settlement is heard of', () => {
    const lanes = createLanes({ maxSending: 256 });
    const [one] = deliveries(newCompany(), 1);
    if (one === undefined) return neverThere();
    lanes.add([one], 10);
    allNext(lanes);
    lanes.answered(one);
    const again = { ...one, attempts: 1 };
    lanes.add([again], 20);
    expect(allNext(lanes)).toEqual([again]);
    lanes.sent(one, well);
    lanes.done(one);
    expect([lanes.leaseOf(one), lanes.leaseOf(again), lanes.count()]).toEqual([0, 20, 1]);
  });
});

function neverThere(): never {
  throw new Error('it is always there');
}
