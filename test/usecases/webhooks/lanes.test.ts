import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { toId, type CompanyId, type DeliveryId } from '../../../src/domain/ids.ts';
import type { ClaimedDelivery, DeliveryKey } from '../../../src/ports/outbox.ts';
import { createLanes, type Lanes } from '../../../src/usecases/webhooks/lanes.ts';

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
    callGoesOn: false,
    endpoint: { maxInFlight: 4, consecutiveFailures: 0, ...endpoint },
  }));
}

function allNext(lanes: Lanes, now = 0): ClaimedDelivery[] {
  const sent: ClaimedDelivery[] = [];
  for (let next = lanes.next(now); next !== null; next = lanes.next(now)) sent.push(next);
  return sent;
}

const well = { failed: false, latencyMs: 10 };

describe('the lanes of endpoints', () => {
  it('send no more at once to an endpoint than it may have in flight', () => {
    const lanes = createLanes({ maxSending: 256, maxHeld: 1_024 });
    const [a, b] = [newCompany(), newCompany()];
    lanes.add([...deliveries(a, 9), ...deliveries(b, 9, { maxInFlight: 2 })], 1, 0);
    const sent = allNext(lanes);
    expect(sent.filter(({ companyId }) => companyId === a)).toHaveLength(4);
    expect(sent.filter(({ companyId }) => companyId === b)).toHaveLength(2);
    for (const one of sent) lanes.sent(one, well);
    expect(allNext(lanes)).toHaveLength(6);
  });

  it('give every endpoint its turn before any has its second', () => {
    const lanes = createLanes({ maxSending: 12, maxHeld: 1_024 });
    const companies = [newCompany(), newCompany(), newCompany()];
    for (const company of companies) lanes.add(deliveries(company, 4), 1, 0);
    expect(allNext(lanes).map(({ companyId }) => companyId)).toEqual([...companies, ...companies]);
  });

  /** Lanes of which one endpoint has answered fast, with `count` more of its deliveries. */
  const withBrisk = (limits: { maxSending: number; maxHeld?: number }, count: number) => {
    const lanes = createLanes({ maxHeld: 1_024, ...limits });
    const company = newCompany();
    const [first = neverThere()] = deliveries(company, 1);
    lanes.add([first], 1, 0);
    allNext(lanes);
    lanes.sent(first, well);
    lanes.done(first, 0);
    const more = deliveries(company, count, { maxInFlight: 32 });
    lanes.add(more, 1, 0);
    return { lanes, company, more };
  };

  it('let endpoints that are not known to be brisk share half of the places', () => {
    const { lanes, more } = withBrisk({ maxSending: 8 }, 0);
    const unknown = [newCompany(), newCompany(), newCompany(), newCompany(), newCompany(), newCompany()];
    for (const company of unknown) lanes.add(deliveries(company, 4), 1, 0);
    expect(allNext(lanes)).toHaveLength(4);
    expect(more).toEqual([]);
    const again = withBrisk({ maxSending: 8 }, 3);
    for (const company of unknown) again.lanes.add(deliveries(company, 4), 1, 0);
    const sent = allNext(again.lanes);
    expect(sent.filter(({ companyId }) => companyId === again.company).length).toBeGreaterThan(0);
    expect(sent.filter(({ companyId }) => companyId !== again.company)).toHaveLength(4);
  });

  it('give the last half of the places to endpoints that have nothing under way', () => {
    const { lanes, company } = withBrisk({ maxSending: 8 }, 20);
    expect(allNext(lanes)).toHaveLength(4);
    const others = [newCompany(), newCompany()];
    for (const other of others) lanes.add(deliveries(other, 4), 1, 0);
    expect(allNext(lanes).map(({ companyId }) => companyId)).toEqual(others);
    expect(company).not.toBe(others[0]);
  });

  it('hold an endpoint for slow once it has not answered within a second, and for brisk again when it has', () => {
    const { lanes, company, more } = withBrisk({ maxSending: 8 }, 20);
    expect(allNext(lanes, 1_000)).toHaveLength(4);
    lanes.notice(1_999);
    expect(lanes.wants().holdings).toEqual([{ companyId: company, held: 20, atMost: 256 }]);
    lanes.notice(2_000);
    expect(lanes.wants().holdings).toEqual([{ companyId: company, held: 20, atMost: 32 }]);
    const [first = neverThere()] = more;
    lanes.sent(first, well);
    lanes.done(first, 0);
    expect(lanes.wants().holdings).toEqual([{ companyId: company, held: 19, atMost: 256 }]);
  });

  it('tell whether an endpoint was failing until now', () => {
    const lanes = createLanes({ maxSending: 8, maxHeld: 1_024 });
    const [first = neverThere(), second = neverThere(), third = neverThere()] = deliveries(newCompany(), 3, { consecutiveFailures: 2 });
    lanes.add([first, second, third], 1, 0);
    allNext(lanes);
    expect([lanes.sent(first, well), lanes.sent(second, { ...well, failed: true }), lanes.sent(third, well)]).toEqual([true, false, true]);
  });

  it('hold many deliveries of an endpoint that answers fast, and no more than it may have in flight of another', () => {
    const lanes = createLanes({ maxSending: 256, maxHeld: 1_024 });
    const [fast, slow] = [newCompany(), newCompany()];
    lanes.add([...deliveries(fast, 4), ...deliveries(slow, 4)], 1, 0);
    for (const one of allNext(lanes)) {
      lanes.sent(one, one.companyId === fast ? well : { failed: false, latencyMs: 2_000 });
    }
    expect(lanes.wants().holdings).toEqual([
      { companyId: fast, held: 4, atMost: 64 },
      { companyId: slow, held: 4, atMost: 4 },
    ]);
    lanes.add(deliveries(fast, 40), 1, 0);
    expect(lanes.wants().holdings[0]).toEqual({ companyId: fast, held: 44, atMost: 44 });
  });

  it('hold less and less of newcomers when many are slow, and go on with those known to be brisk', () => {
    const { lanes, company } = withBrisk({ maxSending: 256, maxHeld: 16 }, 0);
    const slow = () => lanes.add(deliveries(newCompany(), 4), 1, 0);
    expect(lanes.wants()).toEqual({ holdings: [], newcomersAtMost: 256 });
    slow();
    expect(lanes.wants().newcomersAtMost).toBe(1);
    slow();
    const { holdings, newcomersAtMost } = lanes.wants();
    expect([newcomersAtMost, holdings.find(({ companyId }) => companyId === company)]).toEqual([
      0, { companyId: company, held: 0, atMost: 16 },
    ]);
  });

  it('say when it is worth looking for more: the claim took all that it could', () => {
    const lanes = createLanes({ maxSending: 256, maxHeld: 1_024 });
    const all = deliveries(newCompany(), 4);
    lanes.add(all, 1, 0);
    allNext(lanes);
    for (const one of all) lanes.sent(one, { failed: false, latencyMs: 2_000 });
    expect(all.map((one) => lanes.done(one, 0))).toEqual([true, true, true, true]);
    expect(lanes.count()).toBe(0);
  });

  it('say so too for an endpoint that is known to be brisk, of which nothing was here at the claim', () => {
    const { lanes, company } = withBrisk({ maxSending: 256 }, 0);
    expect(lanes.wants().holdings).toEqual([]);
    const all = deliveries(company, 4);
    lanes.add(all, 1, 0);
    for (const one of allNext(lanes)) lanes.sent(one, well);
    expect(all.map((one) => lanes.done(one, 0))).toEqual([true, true, true, true]);
  });

  it('say so where the call goes on, or others have told of new deliveries since the claim, and not otherwise', () => {
    const lanes = createLanes({ maxSending: 256, maxHeld: 1_024 });
    const [alone = neverThere(), late = neverThere(), rest = neverThere()] = deliveries(newCompany(), 3);
    const goesOn = { ...late, callGoesOn: true };
    lanes.add([alone, goesOn, rest], 1, 7);
    for (const one of allNext(lanes)) lanes.sent(one, { failed: false, latencyMs: 2_000 });
    expect([lanes.done(alone, 7), lanes.done(goesOn, 7), lanes.done(rest, 8)]).toEqual([false, true, true]);
  });

  it('say so for an event of a call that was told of while the one before it was under way, whatever was claimed since', () => {
    const lanes = createLanes({ maxSending: 256, maxHeld: 1_024 });
    const [one = neverThere()] = deliveries(newCompany(), 1);
    lanes.add([one], 1, 3);
    allNext(lanes);
    // Told of the next event, which a claim must leave alone as long as this one is under way.
    lanes.wants();
    lanes.add([], 1, 4);
    lanes.sent(one, well);
    expect(lanes.done(one, 4)).toBe(true);
  });

  it('give back what was not sent, and go on with the rest', () => {
    const lanes = createLanes({ maxSending: 256, maxHeld: 1_024 });
    const [a, b] = [newCompany(), newCompany()];
    const [ofA, ofB] = [deliveries(a, 6), deliveries(b, 6)];
    lanes.add([...ofA, ...ofB], 1, 0);
    const sent = allNext(lanes);
    expect(lanes.takeBack({ companyId: a })).toEqual(ofA.slice(4).map(keyOf));
    expect(lanes.takeBack({ ids: new Set([ofB[0]?.id ?? neverThere(), ofB[5]?.id ?? neverThere()]) })).toEqual([keyOf(ofB[5])]);
    expect(lanes.takeBack('all')).toEqual([keyOf(ofB[4])]);
    for (const one of sent) {
      lanes.sent(one, well);
      lanes.done(one, 0);
    }
    expect([lanes.count(), lanes.wants().holdings]).toEqual([0, []]);
  });

  it('only hold longer what is claimed again while it waits or is being sent', () => {
    const lanes = createLanes({ maxSending: 256, maxHeld: 1_024 });
    const [one] = deliveries(newCompany(), 1);
    if (one === undefined) return neverThere();
    lanes.add([one], 10, 0);
    lanes.add([{ ...one }], 20, 0);
    expect(allNext(lanes)).toEqual([one]);
    lanes.add([{ ...one }], 30, 0);
    expect([allNext(lanes), lanes.endingBefore(30), lanes.endingBefore(31)]).toEqual([[], [], [keyOf(one)]]);
  });

  it('take anew what falls due again before its settlement is heard of', () => {
    const lanes = createLanes({ maxSending: 256, maxHeld: 1_024 });
    const [one] = deliveries(newCompany(), 1);
    if (one === undefined) return neverThere();
    lanes.add([one], 10, 0);
    allNext(lanes);
    lanes.answered(one);
    const again = { ...one, attempts: 1 };
    lanes.add([again], 20, 0);
    expect(allNext(lanes)).toEqual([again]);
    lanes.sent(one, well);
    lanes.done(one, 0);
    expect([lanes.endingBefore(20), lanes.endingBefore(21), lanes.count()]).toEqual([[], [keyOf(one)], 1]);
  });
});

function keyOf({ companyId, id }: ClaimedDelivery = neverThere()): DeliveryKey {
  return { companyId, id };
}

function neverThere(): never {
  throw new Error('it is always there');
}
